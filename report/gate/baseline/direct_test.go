package baseline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/outside"
	"github.com/limitgauge/limitgauge/sim/results"
)

// inPlace has a limiter of one's own, which draws nothing, beside one that does. A pause
// of 23 ms is in about four of ten replications.
const inPlace = `version: 1
duration: 20s
algorithms:
  mine: {exec: [mine]}
  drawing: {exec: [mine], draws: true}
scenarios:
  - name: s
    policy: {limit: 300/s, burst: 50}
    topology: {clients: 3, network: {exponential: {p99: 20ms}}}
    traffic: [{pattern: poisson, rate: 395/s}]
    algorithms: [mine, token-bucket, drawing, batch-reported]
`

// bucket is a token bucket that is full after a pause of so many ns, by mistake.
type bucket struct {
	limit  counting.Limit
	exact  *counting.Single
	pause  int64 // 0: never
	lastNs int64
}

func (b *bucket) Decide(requests []outside.Request, answers []outside.Answer) error {
	for i, r := range requests {
		if b.exact == nil || b.pause > 0 && r.AtNs-b.lastNs >= b.pause {
			b.exact = counting.NewTokenBucket(b.limit, counting.TokenBucketOptions{Burst: b.limit.Burst})
		}
		b.lastNs = r.AtNs
		answers[i].Admit = b.exact.Take(r.AtNs, r.Cost).Admitted()
	}
	return nil
}

func (b *bucket) Close() error { return nil }

// simulated returns the document of a run in which limiters of one's own are full after a
// pause of so many ns.
func simulated(t *testing.T, seed, pause int64) *results.Document {
	return ofFleet(t, seed, inPlace, func(p counting.Limit) outside.Fleet { return &bucket{limit: p, pause: pause} })
}

// ofFleet returns the document of a run whose limiters of one's own a function makes.
func ofFleet(t *testing.T, seed int64, text string, fleet func(counting.Limit) outside.Fleet) *results.Document {
	f, problems := scenarios.Load("-", []byte(fmt.Sprintf("seed: %d\n%s", seed, text)), ".", sim.Catalog())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	d, err := sim.Run(t.Context(), f, sim.Options{
		Stamp: results.Stamp{Tool: "limitgauge", Scenario: "version: 1", Seed: uint64(seed)}, AllowExec: true,
		Programs: func(_ context.Context, p outside.Program) (outside.Fleet, error) { return fleet(p.Limit), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func cellOf(t *testing.T, c Comparison, algorithm, metric string) Cell {
	i := slices.IndexFunc(c.Cells, func(c Cell) bool { return c.Algorithm == algorithm && c.Metric.Name == metric })
	if i < 0 {
		t.Fatalf("no cell of %s %s", algorithm, metric)
	}
	return c.Cells[i]
}

// TestDefectInFewReplications checks that a defect of a limiter that draws nothing is caught
// however few replications it reaches, that no gate without a change is red, and that the
// gate says of other rows what it does not catch.
func TestDefectInFewReplications(t *testing.T) {
	o := Options{Registry: measure.Metrics()}
	compare := func(base, now *results.Document) Comparison {
		c, err := Compare(base, now, o)
		if err != nil {
			t.Fatal(err)
		}
		c.MeasurePower()
		return c
	}
	few := 0 // gates with a change in fewer than five replications
	for seed := range int64(20) {
		base, now := simulated(t, seed+1, 0), simulated(t, seed+1, 23e6)
		c := compare(base, now)
		mine, drawing := cellOf(t, c, "mine", "burst_excess"), cellOf(t, c, "drawing", "burst_excess")
		if mine.Status != gate.Failed || mine.change.Method != stats.Deterministic || mine.P != nil {
			t.Errorf("seed %d: the defect is %s (%s), now %v", seed+1, mine.Status, mine.how(), *mine.Now)
		}
		changed := lenWhere(drawing.change.Differences, func(d float64) bool { return d != 0 })
		if least := drawing.leastChanged(); changed < least {
			few++
			if drawing.Status != gate.Passed || least != 5 {
				t.Errorf("seed %d: a change in %d replications, fewer than %d, is %s", seed+1, changed, least, drawing.Status)
			}
		}
		if *mine.Now != *drawing.Now || changed == 0 {
			t.Errorf("seed %d: %d replications changed, to %v and %v", seed+1, changed, *mine.Now, *drawing.Now)
		}
		if seed >= 3 {
			continue
		}
		if again := compare(base, simulated(t, seed+1, 0)); slices.ContainsFunc(again.Cells, func(c Cell) bool { return c.Status != gate.Unchanged }) {
			t.Errorf("seed %d: a gate without a change: %+v", seed+1, again.Cells)
		}
	}
	if few < 10 {
		t.Errorf("the defect reached fewer than five replications in %d gates only", few)
	}
}

func lenWhere[T any](list []T, keep func(T) bool) (n int) {
	for _, x := range list {
		if keep(x) {
			n++
		}
	}
	return n
}

// TestComparedDirectly checks which rows are compared directly, and what the gate says of
// them and of others.
func TestComparedDirectly(t *testing.T) {
	base, now := simulated(t, 1, 0), simulated(t, 1, 0)
	direct := func(change func(base, now *results.Document, o *Options)) (rows []string, c Comparison) {
		a, b, o := *base, *now, Options{Registry: measure.Metrics(), Metrics: []string{"over_limit_pct"}}
		a.Scenarios, b.Scenarios = slices.Clone(base.Scenarios), slices.Clone(now.Scenarios)
		change(&a, &b, &o)
		c, err := Compare(&a, &b, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range c.Verdicts().List {
			want, least := "any change for the worse is caught", 0
			if v.Change.Compared == gate.Directly {
				rows = append(rows, v.Algorithm)
			} else {
				want, least = "; a change in fewer than 5 of 10 replications is not caught", 5
				if o.OtherSeeds {
					want, least = "fewer than 7 of 10 ", 7
				}
			}
			if text := v.Change.CaughtText(); !strings.Contains(text, want) || v.Change.LeastChanged != least {
				t.Errorf("%s, compared %s: %s", v.Algorithm, v.Change.Compared, text)
			}
		}
		return rows, c
	}
	rows, c := direct(func(_, _ *results.Document, _ *Options) {})
	if !slices.Equal(rows, []string{"mine", "token-bucket"}) || !strings.Contains(strings.Join(c.Notes, "\n"), "2 figures draw no random numbers of their own") {
		t.Errorf("compared directly: %q, with the notes %q", rows, c.Notes)
	}
	for _, one := range []struct {
		name, note string
		change     func(base, now *results.Document, o *Options)
	}{
		{"other traffic", "the same seed made other traffic", func(_, now *results.Document, o *Options) {
			now.Scenarios[0].TrafficDigests = slices.Clone(now.Scenarios[0].TrafficDigests)
			now.Scenarios[0].TrafficDigests[9] = "x"
			o.OtherSeeds = true // as independent runs are tested
		}},
		{"a baseline without digests", "a document does not identify its traffic", func(base, _ *results.Document, o *Options) {
			base.Scenarios[0].TrafficDigests = nil
			o.OtherSeeds = true // as independent runs are tested
		}},
	} {
		if rows, c := direct(one.change); len(rows) > 0 || !strings.Contains(strings.Join(c.Notes, "\n"), one.note) {
			t.Errorf("%s: %q are compared directly, with the notes %q", one.name, rows, c.Notes)
		}
	}
}
