package explore

import (
	"cmp"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// example returns a kind of a union as YAML, with values for the fields that it requires.
// With a duration it is a fault, which begins after a third of it, ends after two thirds and
// delays or shifts something. There is none for kinds that require lists or names.
func example(kind *catalog.Entry, duration int64) (text string, ok bool) {
	var parts []string
	for i := range kind.Fields {
		f := &kind.Fields[i]
		switch value, known := exampleOf(f, duration); {
		case known && (f.Required || duration > 0 && slices.Contains([]string{"from", "to", "add", "ahead"}, f.Name)):
			parts = append(parts, f.Name+": "+value)
		case f.Required:
			return "", false
		}
	}
	return "{" + scenarios.Quote(kind.Name) + ": {" + strings.Join(parts, ", ") + "}}", true
}

// exampleOf returns a value for a field.
func exampleOf(f *catalog.Field, duration int64) (text string, ok bool) {
	switch f.Kind {
	case catalog.Duration:
		switch {
		case f.Name == "from" && duration > 0:
			return units.FormatDuration(int64(rounded(float64(duration) / 3))), true
		case f.Name == "to" && duration > 0:
			return units.FormatDuration(int64(rounded(float64(duration) * 2 / 3))), true
		}
		return "100ms", true
	case catalog.Share:
		if f.Name == "factor" {
			return "50%", true
		}
		return "10%", true
	case catalog.Int:
		if f.Min == "0" {
			return "0", true
		}
		return "10", true
	case catalog.Enum:
		return f.Enum[0], true
	case catalog.Union:
		if len(f.Choices) > 0 {
			return example(&f.Choices[0], 0)
		}
	}
	text, ok = map[catalog.Kind]string{catalog.Rate: "100/s", catalog.Limit: "100/s", catalog.Decimal: "1", catalog.Bool: "true"}[f.Kind]
	return text, ok
}

// faultOptions returns the kinds of faults that a page can add, as YAML.
func faultOptions(s *scenarios.Scenario) (list []Option) {
	duration := cmp.Or(s.Duration, 30*units.Second)
	for _, kind := range scenarios.FaultKinds() {
		if kind.Name == "network" {
			list = append(list, Option{"{network: {latency: {constant: {time: 100ms}}, from: " + units.FormatDuration(int64(rounded(float64(duration)/3))) + "}}", kind.Name, kind.Summary})
			continue
		}
		if text, ok := example(&kind, duration); ok {
			list = append(list, Option{text, kind.Name, kind.Summary})
		}
	}
	return list
}
