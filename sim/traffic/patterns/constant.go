package patterns

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var constant = kind{
	Entry: catalog.Entry{
		Name:    "constant",
		Summary: "a steady rate, evenly spaced or jittered",
		Idea: "Arrival i comes at the entry's beginning plus i/rate, rounded down to a nanosecond, without accumulating errors. " +
			"A jittered arrival is uniformly distributed between that time and the next arrival's. The period is the gap between two arrivals, so with an offset the first spaced arrival comes at the offset.",
		Bound:  "by time t after the first one exactly ceil(t*rate) spaced arrivals have come",
		Period: []string{"rate"},
		Fields: []catalog.Field{
			{Name: "rate", Kind: catalog.Rate, Required: true, Doc: "Arrivals per time."},
			{Name: "arrivals", Kind: catalog.Enum, Enum: []string{spacedName, jitteredName}, Default: spacedName,
				Doc: "spaced puts arrivals at equal distances; jittered puts each at random in its own slot between two such points."},
			catalog.Offset(),
		},
	},
	build: func(v *options, span Span) (Pattern, error) {
		r := v.rate("rate")
		if v.String("arrivals") == jitteredName {
			return steady(span, r, inSlots, offsetOf(v)), nil
		}
		return steady(span, r, evenly, offsetOf(v)), nil
	},
}

const jitteredName = "jittered"
