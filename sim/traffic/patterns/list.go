package patterns

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var list = kind{
	Entry: catalog.Entry{
		Name:    "list",
		Summary: "requests listed one by one",
		Idea:    "Each event is a number of requests, at one instant or at even distances. Events may be listed in any order; events of one instant keep theirs.",
		Fields: []catalog.Field{
			{Name: "events", Kind: catalog.List, Required: true, Doc: "The events.", Elem: &catalog.Field{
				Kind: catalog.Group, Doc: "One event.", Fields: []catalog.Field{
					{Name: "at", Kind: catalog.Duration, Required: true, Min: "0s", Doc: "Time, after the entry's beginning."},
					{Name: "count", Kind: catalog.Int, Default: "1", Min: "1", Unit: "requests", Doc: "Number of requests."},
					{Name: "every", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "Time from one of these requests to the next; 0s sends all at once. With it, count is at most 1000000."},
					{Name: "cost", Kind: catalog.Int, Min: "1", Doc: "Cost of each request; the entry's cost if absent."},
					{Name: "estimate", Kind: catalog.Int, Unit: "tokens", Min: "1", Max: "1000000000", Doc: "What is expected of the cost on arrival; it then becomes known with the answer. The entry's estimate if absent."},
					{Name: "answer", Needs: catalog.Needs{"estimates: any"}, Kind: catalog.Duration, Min: "0s", Doc: "Time until the answer; the entry's answer if absent."},
					{Name: "key", Kind: catalog.String, Doc: "Key of each request, by name; the entry's keys if absent (key-0 if the entry has none)."},
					{Name: "client", Kind: catalog.Int, Min: "0", Doc: "Client that sends the requests, counted from 0; the entry's spread if absent (in turn if the entry has none)."},
				},
			}},
		},
	},
	build: newList,
}

// List is a pattern whose arrivals are listed, with their keys, clients, costs,
// estimates and answer times.
type List struct {
	Events []Event // in time order
	lo, hi int     // events [lo, hi) are sent
}

// Event is a number of requests at one instant.
type Event struct {
	At     int64 // ns
	Count  int64
	Cost   int64  // 0 when unset
	Key    string // "" when unset
	Client int64  // -1 when unset

	Estimate int64 // 0 when unset
	Answer   int64 // ns; -1 when unset
}

func newList(v *options, span Span) (Pattern, error) {
	var events []Event
	for i, elem := range v.List("events") {
		e, err := newEvent(&options{Values: elem.(catalog.Values)}, span.From)
		if err != nil {
			return nil, fmt.Errorf("events[%d]: %w", i, err)
		}
		if events, err = appendSpaced(events, e, &options{Values: elem.(catalog.Values)}, span.To); err != nil {
			return nil, fmt.Errorf("events[%d]: %w", i, err)
		}
	}
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	row := func(t int64) int {
		i, _ := slices.BinarySearchFunc(events, t, func(e Event, t int64) int { return cmp.Compare(e.At, t) })
		return i
	}
	return &List{Events: events, lo: row(span.From), hi: row(span.To)}, nil
}

func newEvent(v *options, from int64) (Event, error) {
	at := v.duration("at")
	e := Event{At: from + at, Count: 1, Cost: v.Int("cost"), Key: v.String("key"), Client: -1, Estimate: v.Int("estimate"), Answer: -1}
	if v.Set("count") {
		e.Count = v.Int("count")
	}
	if v.Set("answer") {
		e.Answer = v.duration("answer")
	}
	if v.Set("client") {
		e.Client = v.Int("client")
	}
	return e, v.err
}

// mostSpaced is the largest number of requests at even distances in one event.
const mostSpaced = 1_000_000

// appendSpaced appends the event, or one event for each of its requests before a
// time in ns if they are apart. It returns an error if there are too many.
func appendSpaced(events []Event, e Event, v *options, to int64) ([]Event, error) {
	if !v.Set("every") {
		return append(events, e), nil
	}
	every := v.duration("every")
	switch {
	case v.err != nil:
		return nil, v.err
	case every == 0:
		return append(events, e), nil
	case e.Count > mostSpaced:
		return nil, fmt.Errorf("count: want at most %d with every, not %d", mostSpaced, e.Count)
	}
	for count := e.Count; count > 0; count-- {
		e.Count = 1
		events = append(events, e)
		if every >= to-e.At {
			break
		}
		e.At += every
	}
	return events, nil
}

// Rows returns the range of events that are sent.
func (l *List) Rows() (lo, hi int) { return l.lo, l.hi }

func (l *List) Random() bool { return false }

func (l *List) Open(random.Stream) Clock { return &ListClock{List: l, row: l.lo} }

// ListClock is a Clock that also reports the event of each arrival.
type ListClock struct {
	*List
	row  int
	sent int64 // arrivals of this event that have been returned
	rows []int32
}

// Sent returns the events of the arrivals of the last Fill.
func (c *ListClock) Sent() []int32 { return c.rows }

func (c *ListClock) Fill(times []int64) int {
	if cap(c.rows) < len(times) {
		c.rows = make([]int32, len(times))
	}
	n := 0
	rows := c.rows[:len(times)]
	for n < len(times) && c.row < c.hi {
		e := &c.Events[c.row]
		if e.Count <= c.sent {
			c.row++
			c.sent = 0
			continue
		}
		times[n], rows[n] = e.At, int32(c.row)
		n++
		c.sent++
	}
	c.rows = rows[:n]
	return n
}
