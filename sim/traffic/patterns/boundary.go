package patterns

import (
	"errors"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var boundary = kind{
	Entry: catalog.Entry{
		Name:    "boundary",
		Summary: "a burst just before the end of a window and another just after",
		Idea: "The same number of requests arrives in the last moment of one calendar window and in the first moment of the next. Calendar windows are " +
			"the multiples of the window from time 0. A limiter that starts each window at zero admits both bursts.",
		Bound: "a fixed window admits up to twice its limit within twice the offset",
		Fields: []catalog.Field{
			{Name: "count", Kind: catalog.Int, Required: true, Min: "1", Unit: "requests", Doc: "Requests on each side of the boundary."},
			{Name: "window", Kind: catalog.Duration, Required: true, Min: "1ns", Doc: "Length of the windows."},
			{Name: "offset", Kind: catalog.Duration, Default: "1ms", Min: "0s", Doc: "Time from the end of the first burst to the boundary, and from the boundary to the start of the second burst."},
			{Name: "width", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "Time over which each burst is spread evenly; 0 sends all requests at once."},
			{Name: "every", Kind: catalog.Int, Default: "2", Min: "0", Unit: "windows", Doc: "Number of windows from one such boundary to the next; 0 for a single one."},
		},
	},
	build: func(v *options, span Span) (Pattern, error) {
		b := sidesOf(v)
		every, ok := product(b.window, v.Int("every"))
		switch {
		case !ok:
			return nil, errors.New("every: must not be above 2^62 ns")
		case b.lead == 0:
			return nil, errors.New("offset: must be above 0 when width is 0, or the first burst falls into the second window")
		case b.lead > b.window || every > 0 && b.lead > every/2:
			return nil, errors.New("offset and width: bursts of one boundary run into those of another")
		}
		// The first boundary whose bursts lie entirely after the entry's
		// beginning.
		first := (span.From + b.lead + b.window - 1) / b.window * b.window
		return &bursts{span: span, count: always(v.Int("count")), width: b.width,
			first: first - b.lead, begins: b.begins(), every: every}, nil
	},
}

// sides describes two bursts, one just before and one just after a boundary
// between windows; in ns.
type sides struct {
	window, offset, width int64
	lead                  int64 // from the start of the first burst to the boundary
}

// sidesOf reads the fields window, offset and width.
func sidesOf(v *options) sides {
	b := sides{window: v.duration("window"), offset: v.duration("offset"), width: v.duration("width")}
	b.lead = b.offset + b.width
	return b
}

// begins returns the start of each burst after the start of the first.
func (b *sides) begins() []int64 { return []int64{0, b.lead + b.offset} }
