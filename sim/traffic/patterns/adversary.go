package patterns

import (
	"errors"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var adversary = kind{
	Entry: catalog.Entry{
		Name:    "adversary",
		Summary: "saves up requests until the boundary between two windows, over all clients",
		Idea: "It has a constant rate, but saves up the requests of several windows. It sends half of them as late as possible before the boundary between two " +
			"calendar windows (the multiples of the window from time 0), and the other half as early as possible after it. Requests go to the clients in turn, as with spread: even, " +
			"unless the entry sets another spread, so that each client sees only its share.",
		Bound: "it never sends more than its rate allows; at the rate of the limit and with hold 2 a fixed window admits everything, which is twice its limit within twice offset + width; with a longer hold a fixed window rejects what exceeds its limit",
		Fields: []catalog.Field{
			{Name: "rate", Kind: catalog.Rate, Required: true, Doc: "Requests per time, averaged over the run."},
			{Name: "window", Kind: catalog.Duration, Required: true, Min: "1ns", Doc: "Length of the windows."},
			{Name: "hold", Kind: catalog.Int, Default: "2", Min: "1", Unit: "windows", Doc: "Number of windows whose requests it saves up; the first is the first whole window."},
			{Name: "offset", Kind: catalog.Duration, Default: "1ms", Min: "0s", Doc: "Time from the end of the first half to the boundary, and from the boundary to the start of the second half."},
			{Name: "width", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "Time over which each half is spread evenly; 0 sends all requests at once."},
		},
	},
	build: func(v *options, span Span) (Pattern, error) {
		rate := v.rate("rate")
		b := sidesOf(v)
		hold, ok := product(b.window, v.Int("hold"))
		saved := func(t int64) int64 { return integers.MulDiv(rate.n, t, rate.p, math.MaxInt64) }
		switch {
		case !ok || hold > maxDuration:
			return nil, errors.New("hold: its windows must be at most 2^60 ns")
		case b.lead == 0:
			return nil, errors.New("offset: must be above 0 when width is 0, or the first half falls into the second window")
		case b.lead > b.window || b.lead > hold/2:
			return nil, errors.New("offset and width: the halves of one boundary run into those of another")
		case saved(hold) < 2:
			return nil, errors.New("rate: brings less than two requests in the windows that are held, one for each side of the boundary")
		case saved(span.To) == math.MaxInt64:
			return nil, errors.New("rate: brings more than 2^63 requests")
		}
		begin := (span.From + b.window - 1) / b.window * b.window
		return &bursts{
			span: span, width: b.width, begins: b.begins(),
			first: begin + hold - b.lead, every: hold,
			count: func(round int64, burst int) int64 {
				boundary := round + b.lead - begin
				both := saved(boundary) - saved(boundary-hold)
				return (both + 1 - int64(burst)) / 2
			},
		}, nil
	},
}
