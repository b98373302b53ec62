package patterns

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var square = kind{
	Entry: catalog.Entry{
		Name:    "square",
		Summary: "a high and a low rate in turn",
		Idea: "The rate is high for a time, low for a time, and so on. Each of them begins anew with an arrival. " +
			"With both times as long as a limiter's memory it defeats the guess that the next second looks like the last.",
		Fields: []catalog.Field{
			{Name: "high", Kind: catalog.Rate, Required: true, Doc: "Arrivals per time while on."},
			{Name: "low", Kind: catalog.Rate, Doc: "Arrivals per time while off; none when absent."},
			{Name: "high_for", Kind: catalog.Duration, Required: true, Min: "1ns", Doc: "How long the rate is high; it begins so."},
			{Name: "low_for", Kind: catalog.Duration, Required: true, Min: "1ns", Doc: "How long the rate is low."},
			arrivalsField,
		},
	},
	build: func(v *options, span Span) (Pattern, error) {
		high := v.rate("high")
		low := v.rate("low")
		on := v.positive("high_for")
		off := v.positive("low_for")
		p := &profile{span: span, spacing: spacingOf(v), repeat: true}
		p.hold(on, high)
		p.hold(off, low)
		return p, nil
	},
}
