package patterns

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var ramp = kind{
	Entry: catalog.Entry{
		Name:    "ramp",
		Summary: "one rate that changes linearly to another",
		Idea:    "The rate is constant, changes linearly for a time, and then stays constant. Arrivals start anew at each of the three parts, as in stages.",
		Fields: []catalog.Field{
			{Name: "rate", Kind: catalog.Rate, Required: true, Doc: "Arrivals per time until the ramp begins."},
			{Name: "to_rate", Kind: catalog.Rate, Required: true, Doc: "Arrivals per time from the ramp's end on."},
			{Name: "at", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "When the ramp begins, after the entry's beginning."},
			{Name: "for", Kind: catalog.Duration, Min: "1ns", Doc: "Length of the ramp; until the entry's end if absent."},
			arrivalsField,
		},
	},
	build: func(v *options, span Span) (Pattern, error) {
		before := v.rate("rate")
		after := v.rate("to_rate")
		at := v.duration("at")
		length := span.To - span.From - at
		if v.Set("for") {
			length = v.duration("for")
		}
		p := &profile{span: span, spacing: spacingOf(v)}
		p.hold(at, before)
		if length > 0 {
			ramping, err := newSegment(length, before, after)
			if err != nil {
				return nil, err
			}
			p.segments = append(p.segments, ramping)
		}
		p.hold(span.To-span.From-at-length, after)
		return p, nil
	},
}
