package patterns

import (
	"errors"
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var stages = kind{
	Entry: catalog.Entry{
		Name:    "stages",
		Summary: "a sequence of rates, each constant or ramping",
		Idea: "Arrivals start anew in each stage: arrival i comes when the integral of the rate since the start of the stage reaches i, the first one immediately. " +
			"Nothing arrives after the last stage.",
		Bound: "a stage of mean rate r that lasts d brings ceil(r*d) spaced arrivals",
		Fields: []catalog.Field{
			{Name: "stages", Kind: catalog.List, Required: true, Doc: "The stages in order.", Elem: &catalog.Field{
				Kind: catalog.Group, Doc: "One stage.", Fields: []catalog.Field{
					{Name: "rate", Kind: catalog.Rate, Required: true, Doc: "Arrivals per time, at the stage's beginning."},
					{Name: "for", Kind: catalog.Duration, Required: true, Min: "1ns", Doc: "Length of the stage."},
					{Name: "to", Kind: catalog.Rate, Doc: "Arrivals per time at the stage's end, if the rate changes linearly; equal to rate if absent."},
				},
			}},
			arrivalsField,
		},
	},
	build: func(v *options, span Span) (Pattern, error) {
		p := &profile{span: span, spacing: spacingOf(v)}
		for i, elem := range v.List("stages") {
			s, err := newStage(&options{Values: elem.(catalog.Values)})
			if err != nil {
				return nil, fmt.Errorf("stages[%d]: %w", i, err)
			}
			p.segments = append(p.segments, s)
		}
		if len(p.segments) == 0 {
			return nil, errors.New("stages: there must be at least one")
		}
		return p, nil
	},
}

func newStage(v *options) (segment, error) {
	from := v.rate("rate")
	to := from
	if v.Set("to") {
		to = v.rate("to")
	}
	length := v.duration("for")
	if v.err != nil {
		return segment{}, v.err
	}
	return newSegment(length, from, to)
}
