package patterns

import (
	"fmt"
	"sort"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var list = kind{
	Entry: catalog.Entry{
		Name:    "list",
		Summary: "requests listed one by one",
		Idea:    "Each event is a number of requests at one instant. Events may be listed in any order; events of one instant keep theirs.",
		Fields: []catalog.Field{
			{Name: "events", Kind: catalog.List, Required: true, Doc: "The events.", Elem: &catalog.Field{
				Kind: catalog.Group, Doc: "One event.", Fields: []catalog.Field{
					{Name: "at", Kind: catalog.Duration, Required: true, Min: "0s", Doc: "Time, after the entry's beginning."},
					{Name: "count", Kind: catalog.Int, Default: "1", Min: "1", Unit: "requests", Doc: "Number of requests."},
					{Name: "cost", Kind: catalog.Int, Min: "1", Doc: "Cost of each request; the entry's cost if absent."},
					{Name: "key", Kind: catalog.String, Doc: "Key of each request, by name; the entry's keys if absent (key-0 if the entry has none)."},
					{Name: "client", Kind: catalog.Int, Min: "0", Doc: "Client that sends the requests, counted from 0; the entry's spread if absent (in turn if the entry has none)."},
				},
			}},
		},
	},
	build: newList,
}

// List is a Table of events with their keys, clients and costs.
type List struct {
	Table
	Events []Event // by row
}

// Event is one row of a List.
type Event struct {
	At     int64 // ns
	Count  int64
	Cost   int64  // 0 when unset
	Key    string // "" when unset
	Client int64  // -1 when unset
}

func newList(v *options, span Span) (Pattern, error) {
	var events []Event
	for i, elem := range v.List("events") {
		e, err := newEvent(&options{Values: elem.(catalog.Values)}, span.From)
		if err != nil {
			return nil, fmt.Errorf("events[%d]: %w", i, err)
		}
		events = append(events, e)
	}
	sort.SliceStable(events, func(i, j int) bool { return events[i].At < events[j].At })
	times, counts := make([]int64, len(events)), make([]int64, len(events))
	for i, e := range events {
		times[i], counts[i] = e.At, e.Count
	}
	return &List{Table: *NewTable(times, counts, span.From, span.To), Events: events}, nil
}

func newEvent(v *options, from int64) (Event, error) {
	at := v.delay("at")
	e := Event{At: from + at, Count: 1, Cost: v.Int("cost"), Key: v.String("key"), Client: -1}
	if v.Set("count") {
		e.Count = v.Int("count")
	}
	if v.Set("client") {
		e.Client = v.Int("client")
	}
	switch {
	case v.err != nil:
		return Event{}, v.err
	case e.Count < 1:
		return Event{}, fmt.Errorf("count: must be at least 1")
	case e.Cost < 0 || v.Set("cost") && e.Cost == 0:
		return Event{}, fmt.Errorf("cost: must be at least 1")
	case v.Set("client") && e.Client < 0:
		return Event{}, fmt.Errorf("client: must not be negative")
	}
	return e, nil
}
