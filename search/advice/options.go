// Package advice says which other values of a limiter's options may make it more accurate.
//
// The package makes no promise: it can change at any time.
package advice

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Options returns the values to try instead of those of a setting, by option, in both
// directions: other words, shorter and longer times, less and more, none and off. Options
// that are not set are tried around the policy's own burst, rate and window. It leaves out
// options that describe what the limiter meets, and those of a program of one's own.
func Options(fields []catalog.Field, now catalog.Values, policy scenarios.Policy) (list []scenarios.Change) {
	if catalog.Find(fields, "exec") != nil {
		return nil
	}
	for i := range fields {
		f := &fields[i]
		if values := others(f, now, policy); len(values) > 0 && !f.Met {
			list = append(list, scenarios.Change{Option: f.Name, Values: values})
		}
	}
	return list
}

func others(f *catalog.Field, now catalog.Values, policy scenarios.Policy) []string {
	set := now.Set(f.Name)
	switch {
	case f.Kind == catalog.Duration && strings.HasSuffix(f.Name, "interval") && now.Duration(f.Name) > 0:
		return otherIntervals(now.Duration(f.Name))
	case f.Kind == catalog.Bool && set:
		return []string{strconv.FormatBool(!now.Bool(f.Name))}
	case f.Kind == catalog.Enum && set:
		return without(f.Enum, now.String(f.Name))
	case f.Kind == catalog.Union && set && f.Name == "local_limit":
		return append(without(bare(f), now.Choice(f.Name).Name), otherShares(now.Choice(f.Name))...)
	case f.Kind == catalog.Union && set:
		return without(bare(f), now.Choice(f.Name).Name)
	}
	return otherNumbers(f, now, policy)
}

// without returns the words except one.
func without(words []string, one string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == one })
}

// bare returns the choices of a union that need no fields.
func bare(f *catalog.Field) []string {
	return catalog.Names(lists.Where(f.Choices, func(c catalog.Entry) bool {
		return !slices.ContainsFunc(c.Fields, func(f catalog.Field) bool { return f.Required })
	}))
}

// otherShares returns local limits that are other shares than that of now, from generous
// to even.
func otherShares(now catalog.Choice) (list []string) {
	for _, to := range []struct {
		text  string
		share float64
	}{{"400%", 4}, {"300%", 3}, {"200%", 2}, {"150%", 1.5}, {"125%", 1.25}, {"110%", 1.1}, {"105%", 1.05}, {"100%", 1}} {
		if now.Name != "share" || to.share != now.Values.Share("share").Float() {
			list = append(list, "{share: {share: "+to.text+"}}")
		}
	}
	return list
}
