package patterns

import (
	"errors"

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
	build: func(v catalog.Values, span Span) (Pattern, error) {
		at, err := delay(v, "at")
		if err != nil {
			return nil, err
		}
		every, err := delay(v, "every")
		if err != nil {
			return nil, err
		}
		if v.Int("count") < 1 {
			return nil, errors.New("count: must be at least 1")
		}
		return &volleys{span: span, count: always(v.Int("count")), first: span.From, begins: []int64{at}, every: every}, nil
	},
}
