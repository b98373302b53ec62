package custom_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/sim/outside"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// refuser has calls that return after some time. It admits every second request.
type refuser struct {
	*simtest.Fleet
	after, next int64
	open        []outside.Returned
}

func (f *refuser) Start(requests []outside.Request, until int64) (due []outside.Returned, err error) {
	for _, r := range requests {
		f.open = append(f.open, outside.Returned{Request: f.next, AtNs: r.AtNs + f.after, Admit: f.next%2 == 0})
		f.next++
	}
	for len(f.open) > 0 && f.open[0].AtNs <= until {
		due, f.open = append(due, f.open[0]), f.open[1:]
	}
	return due, nil
}

func (f *refuser) Next(until int64) ([]outside.Returned, error) {
	if len(f.open) > 0 {
		until = min(until, f.open[0].AtNs)
	}
	return f.Start(nil, until)
}

// TestCauseOfRefusals checks what refused a request: the limiter, or that in the client, and
// if the limiter lets requests wait and refuses this one later, the end of its wait.
func TestCauseOfRefusals(t *testing.T) {
	for _, c := range []struct {
		options string
		after   int64
		want    string
	}{
		{"", 0, "limiter"},
		{"", 5e6, "limiter"},
		{", instances: per-client", 0, "local"},
		{", instances: per-client", 5e6, "local"},
		{", waits: true", 0, "limiter"},
		{", waits: true", 5e6, "max_wait"},
		{", instances: per-client, waits: true", 5e6, "max_wait"},
	} {
		for _, retries := range []string{"", "retries: {attempts: 1, backoff: {constant: {time: 1ms}}}, "} {
			d := simtest.RunWith(t, fmt.Sprintf(`
version: 1
duration: 2s
metrics: full
algorithms:
  mine: {exec: [any]%s}
scenarios:
  - {name: causes, policy: {limit: 10/s}, topology: {clients: 2}, traffic: [{pattern: constant, rate: 100/s}], %salgorithms: [mine]}
`, c.options, retries), options(func(ctx context.Context, p outside.Program) (outside.Fleet, error) {
				made, err := simtest.Counters("token-bucket")(ctx, p)
				return &refuser{Fleet: made.(*simtest.Fleet), after: c.after}, err
			}))
			all := simtest.Mean(t, d, "causes", "mine", "rejected_requests")
			for _, cause := range []string{"limiter", "local", "max_wait"} {
				want := 0.0
				if cause == c.want {
					want = all
				}
				if got := simtest.Mean(t, d, "causes", "mine", "rejected_"+cause+"_requests"); got != want || all < 90 {
					t.Errorf("%q, calls of %d ns, %q: %v of %v refused by %s, want %v", c.options, c.after, retries, got, all, cause, want)
				}
			}
		}
	}
}
