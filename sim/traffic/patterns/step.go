package patterns

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var step = kind{
	Entry: catalog.Entry{
		Name:    "step",
		Summary: "one rate that jumps to another",
		Idea:    "The rate jumps up or down and stays there. The jump is declared as a step, from which settling is measured.",
		Fields: []catalog.Field{
			{Name: "rate", Kind: catalog.Rate, Required: true, Doc: "Arrivals per time before the step."},
			{Name: "to_rate", Kind: catalog.Rate, Required: true, Doc: "Arrivals per time from the step on."},
			{Name: "at", Kind: catalog.Duration, Required: true, Min: "0s", Doc: "When the step comes, after the entry's beginning."},
			arrivalsField,
		},
	},
	build: func(v *options, span Span) (Pattern, error) {
		at := v.duration("at")
		p := &profile{span: span, spacing: spacingOf(v)}
		p.hold(at, v.rate("rate"))
		p.jump(v.Rate("to_rate"))
		p.hold(span.To-span.From-at, v.rate("to_rate"))
		return p, nil
	},
}
