package study

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// hostile is a scenario file whose replications differ most: short runs of traffic
// that switches between two rates.
const hostile = `version: 1
replications: 10
duration: 5s
policies:
  tight: {limit: 1000/s, burst: 50, per: tenant}
topologies:
  fleet: {clients: 20, servers: 4, network: {lognormal: {p50: 1ms, p99: 15ms}}}
scenarios:
  - name: square
    policy: tight
    topology: fleet
    traffic: [{pattern: square, high: 4000/s, high_for: 1s, low_for: 1s, arrivals: poisson}]
    algorithms: [token-bucket, remote, batch-reported, rejection-rate-only, rejection-rate-local, batch-debt, batch-debt-local]
  - name: MMPP
    policy: tight
    topology: fleet
    traffic: [{pattern: bursty, rate_on: 4000/s, rate_off: 200/s, mean_on: 500ms, mean_off: 500ms}]
    algorithms: [token-bucket, remote, batch-reported, rejection-rate-only, rejection-rate-local, batch-debt, batch-debt-local]
`

// world holds the documents of one scenario file.
type world struct {
	name    string
	file    *scenarios.File
	shifted []*results.Document // the same seed and traffic with other draws
	seeds   []*results.Document // other seeds
}

// newWorld loads a scenario file and runs it with as many draws and as many seeds.
func newWorld(ctx context.Context, name, path string, source []byte, draws, seeds int) (*world, error) {
	f, problems := scenarios.Load(path, source, ".", sim.Catalog())
	if len(problems) > 0 {
		return nil, fmt.Errorf("%s: %v", path, problems[0])
	}
	w := &world{name: name, file: f}
	for i := range draws {
		d, err := w.run(ctx, 1, uint64(i))
		if err != nil {
			return nil, err
		}
		w.shifted = append(w.shifted, d)
	}
	for i := range seeds {
		d, err := w.run(ctx, uint64(2+i), 0)
		if err != nil {
			return nil, err
		}
		w.seeds = append(w.seeds, d)
	}
	fmt.Fprintf(os.Stderr, "%s: %d runs with other draws, %d with other seeds\n", name, draws, seeds)
	return w, nil
}

// run returns the document of one run with what a gate reads.
func (w *world) run(ctx context.Context, seed, draws uint64) (*results.Document, error) {
	if err := w.file.Override(scenarios.Overrides{Seed: &seed}); err != nil {
		return nil, err
	}
	d, err := sim.Run(ctx, w.file, sim.Options{Draws: draws, Stamp: results.Stamp{Tool: "limitgauge", ScenarioSHA256: w.name, Seed: seed}})
	if err != nil {
		return nil, err
	}
	return slim(d), nil
}

// slim drops all figures but those that a gate compares by default, and those that
// show whether the traffic was the same.
func slim(d *results.Document) *results.Document {
	for i, r := range d.Results {
		kept := map[string]results.Summary{}
		for name, s := range r.Metrics {
			if strings.HasPrefix(name, "offered_") {
				kept[name] = s
			}
		}
		for _, name := range catalog.Headline() {
			if s, ok := r.Metrics[name]; ok {
				kept[name] = s
			}
		}
		d.Results[i].Metrics = kept
	}
	return &results.Document{
		SchemaVersion: d.SchemaVersion, Stamp: d.Stamp, Scenarios: d.Scenarios, Results: d.Results,
	}
}

// mixed returns base with the rows of now that the predicate selects: a change of
// the program that shifts the draws of these rows alone.
func mixed(base, now *results.Document, selected func(results.Result) bool) *results.Document {
	d := *base
	d.Results = make([]results.Result, len(base.Results))
	for i, r := range base.Results {
		if d.Results[i] = r; selected(r) {
			d.Results[i] = now.Results[i]
		}
	}
	return &d
}

// raised returns a document in which one figure is larger by an amount in every
// replication.
func raised(d *results.Document, at figure, by float64) *results.Document {
	copied := *d
	copied.Results = append([]results.Result(nil), d.Results...)
	row := &copied.Results[at.row]
	metrics := map[string]results.Summary{}
	for name, s := range row.Metrics {
		metrics[name] = s
	}
	var values []float64
	for _, x := range metrics[at.metric].Replicates() {
		values = append(values, x+by)
	}
	metrics[at.metric] = results.Summarize(values)
	row.Metrics = metrics
	return &copied
}
