package patterns

import (
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var herd = kind{
	Entry: catalog.Entry{
		Name:    "herd",
		Summary: "many requests in the same instant, once or again and again",
		Idea:    "Everybody comes at once, as clients do after a reset or on a timer that they share.",
		Bound:   "count arrivals at every occurrence",
		Fields: []catalog.Field{
			{Name: "count", Kind: catalog.Int, Required: true, Min: "1", Unit: "requests", Doc: "How many come at once."},
			{Name: "at", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "When they first come, after the entry's beginning."},
			{Name: "every", Kind: catalog.Duration, Min: "1ns", Doc: "Time from one occurrence to the next; once when absent."},
		},
	},
	build: func(v *options, span Span) (Pattern, error) {
		at := v.delay("at")
		every := v.delay("every")
		return &bursts{span: span, count: always(v.count("count")), first: span.From, begins: []int64{at}, every: every}, nil
	},
}
