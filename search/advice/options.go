package advice

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Options returns the changes that a setting allows, by option: shorter
// intervals, other enum values, and local limits that set themselves or are tighter. It leaves out options
// that describe failures.
func Options(fields []catalog.Field, now catalog.Values) [][]Change {
	var options [][]Change
	for i := range fields {
		f := &fields[i]
		if !now.Set(f.Name) {
			continue
		}
		if d := option(f, now); len(d) > 0 {
			options = append(options, d)
		}
	}
	return options
}

func option(f *catalog.Field, now catalog.Values) []Change {
	switch {
	case f.Kind == catalog.Duration && strings.HasSuffix(f.Name, "interval"):
		return shorter(f.Name, now.Duration(f.Name))
	case f.Kind == catalog.Bool:
		return words(f.Name, strconv.FormatBool(now.Bool(f.Name)), []string{"true", "false"})
	case f.Kind == catalog.Enum:
		return words(f.Name, now.String(f.Name), f.Enum)
	case f.Kind == catalog.Union && f.Name == "local_limit":
		return tighter(f.Name, now.Choice(f.Name), bare(f, "off"))
	case f.Kind == catalog.Union:
		return words(f.Name, now.Choice(f.Name).Name, bare(f, ""))
	}
	return nil
}

// bare returns the choices of a union that need no fields, except one.
func bare(f *catalog.Field, except string) []string {
	var names []string
	for _, c := range f.Choices {
		if c.Name != except && !slices.ContainsFunc(c.Fields, func(f catalog.Field) bool { return f.Required }) {
			names = append(names, c.Name)
		}
	}
	return names
}

// shorter returns fractions of an interval, down to a hundredth.
func shorter(option string, ns int64) []Change {
	var changes []Change
	for _, pct := range []int64{90, 80, 70, 60, 50, 40, 30, 25, 20, 15, 10, 7, 5, 3, 2, 1} {
		if to := ns / 100 * pct; to > 0 {
			changes = append(changes, Change{
				Option: option, From: units.FormatDuration(ns), To: units.FormatDuration(to), Size: 100 / float64(pct),
			})
		}
	}
	return changes
}

// words returns a change to each of the other words.
func words(option, now string, all []string) []Change {
	var changes []Change
	for _, word := range all {
		if word != now {
			changes = append(changes, Change{Option: option, From: now, To: word, Size: Switch})
		}
	}
	return changes
}

// tighter returns local limits: those that set themselves, and shares from
// generous to even.
func tighter(option string, now catalog.Choice, alone []string) []Change {
	from, share, size := now.Name, 1e9, float64(Switch)
	switch now.Name {
	case "rate", "auto":
		share = 0
	case "share":
		share = now.Values.Share("share").Float()
		from = "{share: " + now.Values.Share("share").String() + "}"
	}
	changes := words(option, now.Name, alone)
	for _, to := range []struct {
		text  string
		share float64
	}{{"400%", 4}, {"300%", 3}, {"200%", 2}, {"150%", 1.5}, {"125%", 1.25}, {"110%", 1.1}, {"105%", 1.05}, {"100%", 1}} {
		if to.share >= share {
			continue
		}
		if now.Name == "share" {
			size = share / to.share
		}
		changes = append(changes, Change{Option: option, From: from, To: "{share: {share: " + to.text + "}}", Size: size})
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return cmp.Compare(a.Size, b.Size) })
	return changes
}
