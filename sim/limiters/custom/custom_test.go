package custom_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/outside"
	"github.com/limitgauge/limitgauge/sim/simtest"
	"github.com/limitgauge/limitgauge/sim/simtest/draw"
)

// options returns the options of a run whose limiters a Maker makes.
func options(maker outside.Maker) sim.Options {
	return sim.Options{Programs: maker, AllowExec: true}
}

// TestSameDocument checks that a limiter that decides as a counter does gives the
// document of that counter, whether all clients share one or each has its own.
func TestSameDocument(t *testing.T) {
	for _, c := range []struct{ counter, builtIn, options string }{
		{"token-bucket", "{enforcement: central, counter: token-bucket}", ""},
		{"gcra", "{enforcement: central, counter: gcra}", ""},
		{"fixed-window", "{enforcement: central, counter: fixed-window}", ""},
		{"fixed-window", "{enforcement: local, counter: fixed-window, share: full}", ", instances: per-client"},
		{"sliding-window-log", "{enforcement: local, counter: sliding-window-log, share: full}", ", instances: per-client"},
	} {
		rapid.Check(t, func(t *rapid.T) {
			text := draw.Retries(t, draw.Scenario(t, 2, "", "mine"))
			define := func(a string) string {
				return strings.Replace(text, "algorithms:\n", "algorithms:\n  mine: "+a+"\n", 1)
			}
			want := simtest.EncodeResults(t, simtest.RunWith(t, define(c.builtIn), sim.Options{}))
			got := simtest.EncodeResults(t, simtest.RunWith(t, define("{exec: [any]"+c.options+"}"), options(simtest.Counters(c.counter))))
			if !bytes.Equal(want, got) {
				t.Fatalf("%s differs:\n%s\n%s", c.builtIn, text, simtest.FirstDifference(want, got))
			}
		})
	}
}

const comparison = `
version: 1
duration: 20s
algorithms:
  mine: {exec: [any], as: token-bucket, tolerance: 2ms}
  other: {exec: [any], as: gcra}
scenarios:
  - name: compared
    policy: {limit: 10/s, burst: 3}
    traffic: [{pattern: constant, rate: 11/s, keys: {uniform: {count: 3}}}]
    algorithms: [mine, other]
`

// late changes the first admission after 5 s to a rejection, and every rejection
// within 1 ms of the next refill to an admission.
type late struct {
	*simtest.Fleet
	rejected bool
}

func (l *late) Decide(requests []outside.Request, answers []outside.Answer) error {
	for i, r := range requests {
		_, at := l.Level(r.Client, r.Key, r.AtNs, r.Cost)
		early := at > r.AtNs && at <= r.AtNs+1_000_000
		if early {
			r.AtNs = at
		}
		if err := l.Fleet.Decide([]outside.Request{r}, answers[i:i+1]); err != nil {
			return err
		}
		if !l.rejected && r.AtNs > 5e9 && answers[i].Admit && !early {
			l.rejected, answers[i].Admit = true, false
		}
	}
	return nil
}

// TestFirstDifference checks that a limiter that decides otherwise than its counter
// is found, with the first difference, and that the same limiter is not.
func TestFirstDifference(t *testing.T) {
	same := simtest.RunWith(t, comparison, options(simtest.Counters("gcra")))
	for _, r := range same.Results[1:] {
		if *r.Metrics["differing_verdicts"].Mean != 0 || *r.Metrics["tolerated_verdicts"].Mean != 0 || r.FirstDifference != nil {
			t.Errorf("%s: %v %v", r.Algorithm, r.Metrics["differing_verdicts"], r.FirstDifference)
		}
	}
	d := simtest.RunWith(t, comparison, options(func(ctx context.Context, p outside.Program) (outside.Fleet, error) {
		f, err := simtest.Counters("token-bucket")(ctx, p)
		return &late{Fleet: f.(*simtest.Fleet)}, err
	}))
	if n := simtest.Mean(t, d, "compared", "mine", "differing_verdicts"); n < 1 {
		t.Errorf("%v verdicts differ", n)
	}
	first := d.Results[1].FirstDifference
	if first == nil || first.AtNs <= 5e9 || first.AtNs > 6e9 || first.Admitted || first.Cost != 1 {
		t.Errorf("first difference: %+v", first)
	}
}

// TestNeedsPermission checks who may not run: a program without the permission, and a
// definition without a program.
func TestNeedsPermission(t *testing.T) {
	for _, c := range []struct {
		definition, want string
		options          sim.Options
	}{
		{"{exec: [x]}", "6:5: scenarios[0].algorithms[0]: mine: it starts a program, which only --allow-exec permits", sim.Options{Programs: simtest.Counters("gcra")}},
		{"{enforcement: custom}", "mine: exec is missing", options(simtest.Counters("gcra"))},
	} {
		f := simtest.Load(t, "version: 1\nduration: 1s\nalgorithms:\n  mine: "+c.definition+"\nscenarios:\n  - {name: a, policy: {limit: 1/s}, traffic: [{pattern: constant, rate: 1/s}], algorithms: [mine]}\n")
		_, err := sim.Run(t.Context(), f, c.options)
		if err == nil || !strings.Contains(err.Error(), strings.TrimPrefix(c.want, "6:5: ")) {
			t.Errorf("%s: %v, want %s", c.definition, err, c.want)
		}
	}
}

// TestFailureEndsRun checks that the error of a limiter ends the run with its row,
// and that every fleet is closed.
func TestFailureEndsRun(t *testing.T) {
	broken := errors.New("broken")
	var made []*simtest.Fleet
	f := simtest.Load(t, strings.Replace(comparison, "20s", "20000s", 1))
	_, err := sim.Run(t.Context(), f, sim.Options{Workers: 1, AllowExec: true, Programs: func(ctx context.Context, p outside.Program) (outside.Fleet, error) {
		fleet, err := simtest.Counters("gcra")(ctx, p)
		made = append(made, fleet.(*simtest.Fleet))
		if p.Row == "other" {
			return failing{fleet, broken}, err
		}
		return fleet, err
	}})
	if failed, ok := errors.AsType[*outside.Error](err); !ok || failed.Row != "other" || !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	for _, fleet := range made {
		if !fleet.Closed {
			t.Errorf("not closed: %+v", fleet.Program)
		}
	}
}

type failing struct {
	outside.Fleet
	err error
}

func (f failing) Decide([]outside.Request, []outside.Answer) error { return f.err }
