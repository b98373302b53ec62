package patterns

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var spike = kind{
	Entry: catalog.Entry{
		Name:    "spike",
		Summary: "a steady rate with one short peak",
		Idea:    "The rate jumps to the peak and later back. Both jumps are declared as steps, from which settling is measured.",
		Fields: []catalog.Field{
			{Name: "rate", Kind: catalog.Rate, Required: true, Doc: "Arrivals per time before and after the peak."},
			{Name: "peak", Kind: catalog.Rate, Required: true, Doc: "Arrivals per time during the peak."},
			{Name: "at", Kind: catalog.Duration, Required: true, Min: "0s", Doc: "When the peak begins, after the entry's beginning."},
			{Name: "for", Kind: catalog.Duration, Required: true, Min: "1ns", Doc: "Length of the peak."},
			arrivalsField,
		},
	},
	build: func(v *options, span Span) (Pattern, error) {
		usual, at, length := v.rate("rate"), v.duration("at"), v.duration("for")
		p := &profile{span: span, spacing: spacingOf(v)}
		p.hold(at, usual)
		p.jump(v.Rate("peak"))
		p.hold(length, v.rate("peak"))
		p.jump(v.Rate("rate"))
		p.hold(span.To-span.From-at-length, usual)
		return p, nil
	},
}
