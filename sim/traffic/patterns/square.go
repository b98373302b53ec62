package patterns

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var square = kind{
	Entry: catalog.Entry{
		Name:    "square",
		Summary: "a high and a low rate in turn",
		Idea: "The rate alternates between high and low. Arrivals start anew at each change. " +
			"If both times are as long as a limiter's memory, its assumption that the next second is like the last is always wrong. " +
			"The period is high_for + low_for.",
		Period: []string{"high_for", "low_for"},
		Fields: []catalog.Field{
			{Name: "high", Kind: catalog.Rate, Required: true, Doc: "Arrivals per time while high."},
			{Name: "low", Kind: catalog.Rate, Doc: "Arrivals per time while low; 0 if absent."},
			{Name: "high_for", Kind: catalog.Duration, Required: true, Min: "1ns", Doc: "Length of the high phase, which comes first."},
			{Name: "low_for", Kind: catalog.Duration, Required: true, Min: "1ns", Doc: "Length of the low phase."},
			arrivalsField, catalog.Offset(),
		},
	},
	build: func(v *options, span Span) (Pattern, error) {
		p := &profile{span: span, spacing: spacingOf(v), repeat: true, offset: offsetOf(v)}
		p.hold(v.duration("high_for"), v.rate("high"))
		p.hold(v.duration("low_for"), v.rate("low"))
		return p, nil
	},
}
