// Package advice says which other values of a limiter's options may make it more accurate.
package advice

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Options returns the values to try instead of those of a setting, by option: shorter and
// longer intervals, other enum values, and other local limits or none. It leaves out
// options that describe failures.
func Options(fields []catalog.Field, now catalog.Values) (list []scenarios.Change) {
	for i := range fields {
		f := &fields[i]
		if !now.Set(f.Name) {
			continue
		}
		if values := others(f, now); len(values) > 0 {
			list = append(list, scenarios.Change{Option: f.Name, Values: values})
		}
	}
	return list
}

func others(f *catalog.Field, now catalog.Values) []string {
	switch {
	case f.Kind == catalog.Duration && strings.HasSuffix(f.Name, "interval"):
		return otherIntervals(now.Duration(f.Name))
	case f.Kind == catalog.Bool:
		return []string{strconv.FormatBool(!now.Bool(f.Name))}
	case f.Kind == catalog.Enum:
		return without(f.Enum, now.String(f.Name))
	case f.Kind == catalog.Union && f.Name == "local_limit":
		return append(without(bare(f), now.Choice(f.Name).Name), otherShares(now.Choice(f.Name))...)
	case f.Kind == catalog.Union:
		return without(bare(f), now.Choice(f.Name).Name)
	}
	return nil
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

// otherIntervals returns fractions of an interval, down to a hundredth, and multiples.
func otherIntervals(ns int64) (list []string) {
	for _, pct := range []int64{90, 80, 70, 60, 50, 40, 30, 25, 20, 15, 10, 7, 5, 3, 2, 1, 150, 200, 300, 500} {
		if to := units.FormatDuration(ns / 100 * pct); ns >= 100 {
			list = append(list, to)
		}
	}
	return list
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
