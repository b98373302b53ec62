package study

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// uneven is a scenario file whose figures are skewed: short runs near the limit, with
// bursts, rare excess and rare timeouts.
const uneven = `version: 1
replications: 10
duration: 5s
policies:
  small: {limit: 100/s, burst: 50, per: tenant}
topologies:
  fleet: {clients: 10, servers: 2, network: {lognormal: {p50: 2ms, p99: 30ms}}}
algorithms:
  calls: {preset: remote, timeout: 60ms}
scenarios:
  - name: near the limit
    policy: small
    traffic: [{pattern: poisson, rate: 105/s}]
    algorithms: [fixed-window, sliding-window-counter, token-bucket]
  - name: rare excess
    policy: small
    traffic: [{pattern: poisson, rate: 75/s}]
    algorithms: [fixed-window, sliding-window-counter]
  - name: bursts
    policy: small
    topology: fleet
    traffic: [{pattern: bursty, rate_on: 400/s, rate_off: 20/s, mean_on: 300ms, mean_off: 700ms}]
    algorithms: [fixed-window, batch-reported, rejection-rate, batch-debt]
  - name: heavy tails
    policy: small
    topology: fleet
    traffic: [{pattern: pareto, rate_on: 400/s, shape: 1.5, mean_on: 500ms, mean_off: 1500ms}]
    algorithms: [fixed-window, batch-reported, rejection-rate]
  - name: rare timeouts
    policy: small
    topology: fleet
    traffic: [{pattern: poisson, rate: 90/s}]
    algorithms: [calls]
`

// covered lists the figures of the study.
var covered = []string{
	"over_limit_pct", "burst_excess", "over_admission_pct", "under_admission_pct", "rejected_pct", "timed_out_pct",
	"over_limit_pct_p95", "decision_latency_mean_ms", "decision_latency_p90_ms", "decision_latency_p99_ms", "excess_share_pct",
}

const (
	coverageSeeds = 200  // runs of ten replications
	truthRuns     = 4000 // replications of the run that stands for the truth
)

// coverage counts what the intervals of figures of like skewness cover.
type coverage struct {
	from, to     float64 // skewness of the replications
	figures      int
	intervals    int
	hit, hitT    int // by the printed interval, and by that of Student's t
	below, above int // the truth is below or above the printed interval
	flagged      int // intervals that say that they may be too small
	hitUnflagged int
	equal        int // runs with ten equal replications, which have no interval
	worst        float64
	worstFigure  string
}

// TestCoverage fails if printed intervals cover less than the page promises.
// COVERAGE_STUDY=1 runs it, COVERAGE_STUDY=update also puts its table into the page.
func TestCoverage(t *testing.T) {
	mode := os.Getenv("COVERAGE_STUDY")
	if mode == "" {
		t.Skip("only with COVERAGE_STUDY=1: takes a minute")
	}
	t.Chdir("../../../..")
	classes, err := coverages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range classes {
		if least := c.promised(); c.intervals > 0 && c.share(c.hitUnflagged, c.intervals-c.flagged) < least {
			t.Errorf("skewness %v to %v: %d of %d intervals cover the truth, want %v %%", c.from, c.to, c.hitUnflagged, c.intervals-c.flagged, least)
		}
	}
	comparePage(t, mode, "coverage", coverageTable(classes))
}

// promised returns the share of unflagged intervals, in percent, that must cover.
func (c *coverage) promised() float64 {
	switch {
	case c.to <= 1:
		return 94
	case c.to <= 2:
		return 93
	}
	return 90
}

func (c *coverage) share(k, n int) float64 { return 100 * float64(k) / float64(max(1, n)) }

// coverages runs the scenarios with many seeds and holds each interval against the truth.
func coverages(ctx context.Context) ([]*coverage, error) {
	f, problems := scenarios.Load("uneven.yaml", []byte(uneven), ".", sim.Catalog())
	if len(problems) > 0 {
		return nil, fmt.Errorf("uneven.yaml: %v", problems[0])
	}
	run := func(seed uint64, replications int) (*results.Document, error) {
		if err := f.Override(scenarios.Overrides{Seed: &seed, Replications: &replications}); err != nil {
			return nil, err
		}
		return sim.Run(ctx, f, sim.Options{})
	}
	truth, err := run(1_000_000, truthRuns)
	if err != nil {
		return nil, err
	}
	classes := []*coverage{{from: 0, to: 1, worst: 100}, {from: 1, to: 2, worst: 100}, {from: 2, to: 5, worst: 100}, {from: 5, to: math.Inf(1), worst: 100}}
	byFigure := map[string]*coverage{} // of one figure
	for seed := range coverageSeeds {
		d, err := run(uint64(1+seed), 10)
		if err != nil {
			return nil, err
		}
		for i, r := range d.Results {
			for _, metric := range covered {
				s, known := r.Summary(metric), truth.Results[i].Summary(metric)
				if r.Exact || s.Lo == nil || known.Lo == nil || known.Equal() || known.Pooled == results.PooledLargest {
					continue
				}
				name := fmt.Sprintf("%s, %s %s", r.Scenario, r.Label(), metric)
				if byFigure[name] == nil {
					byFigure[name] = &coverage{}
				}
				byFigure[name].add(s, *known.Mean)
			}
		}
	}
	for i, r := range truth.Results {
		for _, metric := range covered {
			name := fmt.Sprintf("%s, %s %s", truth.Results[i].Scenario, r.Label(), metric)
			if one := byFigure[name]; one != nil {
				skew := math.Abs(stats.Skewness(r.Summary(metric).Replicates()))
				at := slices.IndexFunc(classes, func(c *coverage) bool { return skew < c.to })
				classes[at].merge(name, one)
			}
		}
	}
	return classes, nil
}

func (c *coverage) add(s results.Summary, truth float64) {
	if s.Equal() {
		c.equal++
		return
	}
	c.intervals++
	if i := stats.OfMean(s.Replicates()); i.Lo() <= truth && truth <= i.Hi() {
		c.hitT++
	}
	covers := *s.Lo <= truth && truth <= *s.Hi
	switch {
	case covers:
		c.hit++
	case truth < *s.Lo:
		c.below++
	default:
		c.above++
	}
	if s.ReplicationsNeeded > 0 {
		c.flagged++
	} else if covers {
		c.hitUnflagged++
	}
}

func (c *coverage) merge(name string, one *coverage) {
	c.figures++
	c.intervals += one.intervals
	c.hit, c.hitT, c.below, c.above = c.hit+one.hit, c.hitT+one.hitT, c.below+one.below, c.above+one.above
	c.flagged, c.hitUnflagged, c.equal = c.flagged+one.flagged, c.hitUnflagged+one.hitUnflagged, c.equal+one.equal
	if share := one.share(one.hit, one.intervals); one.intervals >= coverageSeeds/2 && share < c.worst {
		c.worst, c.worstFigure = share, name
	}
}

func coverageTable(classes []*coverage) string {
	var b strings.Builder
	b.WriteString("| skewness of the replications | figures | covered by Student's t | covered | truth below, above | worst figure | flagged | covered, not flagged | ten equal |\n| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: |\n")
	for _, c := range classes {
		if c.figures == 0 {
			continue
		}
		of := fmt.Sprintf("%v to %v", c.from, c.to)
		if math.IsInf(c.to, 1) {
			of = fmt.Sprintf("above %v", c.from)
		}
		pct := func(k, n int) string { return fmt.Sprintf("%.1f %%", c.share(k, n)) }
		worst := "-"
		if c.worstFigure != "" {
			worst = fmt.Sprintf("%.1f %%: %s", c.worst, c.worstFigure)
		}
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s, %s | %s | %s | %s | %s |\n", of, c.figures, pct(c.hitT, c.intervals), pct(c.hit, c.intervals),
			pct(c.below, c.intervals), pct(c.above, c.intervals), worst, pct(c.flagged, c.intervals),
			pct(c.hitUnflagged, c.intervals-c.flagged), pct(c.equal, c.equal+c.intervals))
	}
	return b.String()
}
