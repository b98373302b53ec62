package patterns

import (
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var herd = kind{
	Entry: catalog.Entry{
		Name:    "herd",
		Summary: "many requests at the same instant, once or repeatedly",
		Idea:    "All requests arrive at once, as from clients after a reset or on a shared timer. Its period is every: with an offset the first occurrence comes so much later than at.",
		Bound:   "count arrivals at every occurrence",
		Period:  []string{"every"},
		Fields: []catalog.Field{
			{Name: "count", Kind: catalog.Int, Required: true, Min: "1", Unit: "requests", Doc: "Number of requests that arrive at once."},
			{Name: "at", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "Time of the first occurrence, after the entry's beginning."},
			{Name: "every", Needs: catalog.Needs{catalog.Repeats + ": true"}, Kind: catalog.Duration, Min: "1ns", Doc: "Time from one occurrence to the next; a single occurrence if absent."},
			catalog.Offset(),
		},
	},
	build: func(v *options, span Span) (Pattern, error) {
		return &bursts{span: span, count: always(v.Int("count")), first: span.From,
			begins: []int64{v.duration("at")}, every: v.duration("every"), offset: offsetOf(v)}, nil
	},
}
