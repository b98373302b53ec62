package custom_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/outside"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/simtest"
	"github.com/limitgauge/limitgauge/sim/simtest/draw"
)

// queueFleet decides as a leaky bucket does: it states how long a request waits.
type queueFleet struct {
	*simtest.Fleet
	queue counting.Queue
}

func (f *queueFleet) Decide(requests []outside.Request, answers []outside.Answer) error {
	for i, r := range requests {
		v, at := f.queue.Take(f.Key(r.Client, r.Key), r.AtNs, r.Cost)
		answers[i] = outside.Answer{Admit: v.Admitted()}
		if v.Admitted() {
			answers[i].WaitNs = at - r.AtNs
		}
	}
	return nil
}

func (f *queueFleet) Level(client int32, key string, atNs, cost int64) (level, retryAtNs int64) {
	return f.queue.Level(f.Key(client, key), atNs), f.queue.RetryAt(f.Key(client, key), atNs, cost)
}

// blockingFleet does the same by calls that return when their request may go.
type blockingFleet struct {
	*queueFleet
	next int64
	ends []outside.Returned
}

func (f *blockingFleet) Start(requests []outside.Request, until int64) (due []outside.Returned, err error) {
	answers := make([]outside.Answer, len(requests))
	f.Decide(requests, answers)
	for i, r := range requests {
		f.ends = append(f.ends, outside.Returned{Request: f.next, AtNs: r.AtNs + answers[i].WaitNs, Admit: answers[i].Admit})
		f.next++
	}
	slices.SortStableFunc(f.ends, func(a, b outside.Returned) int { return cmp.Compare(a.AtNs, b.AtNs) })
	n := 0
	for n < len(f.ends) && f.ends[n].AtNs <= until {
		n++
	}
	due, f.ends = slices.Clone(f.ends[:n]), f.ends[n:]
	return due, nil
}

func (f *blockingFleet) Next(until int64) ([]outside.Returned, error) {
	if len(f.ends) > 0 {
		until = min(until, f.ends[0].AtNs)
	}
	return f.Start(nil, until)
}

// queueMaker makes such fleets; blocking says which.
func queueMaker(blocking bool) outside.Maker {
	return func(ctx context.Context, p outside.Program) (outside.Fleet, error) {
		made, err := simtest.Counters("token-bucket")(ctx, p)
		if err != nil {
			return nil, err
		}
		f := &queueFleet{Fleet: made.(*simtest.Fleet)}
		if f.queue, err = counting.NewQueue("leaky-bucket", p.Limit, nil, simtest.MaxKeys); err != nil {
			return nil, err
		}
		if blocking {
			return &blockingFleet{queueFleet: f}, nil
		}
		return f, nil
	}
}

// TestWaitsAsAQueue checks that limiters that wait or block as a leaky bucket does
// have the figures of a leaky bucket, as far as they do not compare with a reference.
func TestWaitsAsAQueue(t *testing.T) {
	for _, blocking := range []bool{false, true} {
		rapid.Check(t, func(t *rapid.T) {
			text := draw.Retries(t, draw.Scenario(t, 2, "", "mine"))
			define := func(a string) string {
				return strings.Replace(text, "algorithms:\n", "algorithms:\n  mine: "+a+"\n", 1)
			}
			builtIn := simtest.RunWith(t, define("{enforcement: central, counter: leaky-bucket}"), sim.Options{})
			own := simtest.RunWith(t, define("{exec: [any], waits: true}"), options(queueMaker(blocking)))
			want, got := waitingFigures(t, builtIn), waitingFigures(t, own)
			if want != got {
				t.Fatalf("blocking %v:\n%s\nleaky bucket\n%s\nlimiter\n%s", blocking, text, want, got)
			}
		})
	}
}

// waitingFigures returns the figures of the row that depend on it alone.
func waitingFigures(t *rapid.T, d *results.Document) string {
	var text strings.Builder
	r := d.Results[slices.IndexFunc(d.Results, func(r results.Result) bool { return r.Algorithm == "mine" })]
	for _, name := range []string{"offered_requests", "admitted_requests", "admitted_cost", "waiting_requests", "decision_mean_ms", "decision_p99_ms", "wait_max_ms", "waiting_mean", "waiting_max", "fresh_admitted_pct", "worst_sliding_pct"} {
		if s, ok := r.Metrics[name]; ok {
			fmt.Fprintf(&text, "%s", name)
			for _, v := range s.Values {
				if v != nil {
					fmt.Fprintf(&text, " %v", *v)
				}
			}
			text.WriteString("\n")
		}
	}
	if text.Len() < 100 {
		t.Fatalf("few figures: %s", &text)
	}
	return text.String()
}
