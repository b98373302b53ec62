// Package truth finds the best settings of the searches that ship with the program by
// brute force, and holds limitgauge tune to them.
package truth

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// shippedSearch is a shipped scenario file with a promise, axes and a cost.
type shippedSearch struct {
	name   string
	cost   string // metric
	source []byte
	*scenarios.Grid
}

var least = regexp.MustCompile(`--least (\w+)`)

// shipped returns the searches that ship with the program.
func shipped(t *testing.T) (list []shippedSearch) {
	for _, s := range scenarios.Searches() {
		x := shippedSearch{name: s.Name, source: s.Source, Grid: gridOf(t, s.Source, nil)}
		if m := least.FindSubmatch(s.Source); m != nil {
			x.cost = string(m[1])
		}
		list = append(list, x)
	}
	return list
}

// gridOf returns the grid of a file with a seed, or with its own seed if there is none.
func gridOf(t *testing.T, source []byte, seed *uint64) *scenarios.Grid {
	g, problems, err := scenarios.LoadGrid("search.yaml", source, ".", sim.Catalog(), nil, scenarios.Overrides{Seed: seed})
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	return g
}

// seedRun is a run of a cell on a seed with all its replications.
type seedRun struct {
	kept bool    // the means keep the promise
	cost float64 // mean
}

// run runs a cell. A figure without data keeps no promise.
func (s *shippedSearch) run(t *testing.T, g *scenarios.Grid, cell int) (r seedRun) {
	f, problems := g.Bind(g.Cell(cell))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	d, err := sim.Run(context.Background(), f, sim.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	r.kept = true
	for _, e := range f.Scenarios[0].Expect {
		mean := d.Results[rowOf(t, d, e.Algorithm)].Metrics[e.Metric].Mean
		r.kept = r.kept && mean != nil && gate.Holds(e.Op, *mean, e.Threshold)
		r.cost = *d.Results[rowOf(t, d, e.Algorithm)].Metrics[s.cost].Mean
	}
	return r
}

func rowOf(t *testing.T, d *results.Document, algorithm string) int {
	i := gate.RowOf(d, d.Results[0].Scenario, algorithm)
	if i < 0 {
		t.Fatalf("no row %s", algorithm)
	}
	return i
}

// TestShippedSearches checks the files: a grid of 60 to 600 cells with one scenario and
// one algorithm, a promise, a cost that is a metric, and cells that differ.
func TestShippedSearches(t *testing.T) {
	list := shipped(t)
	if len(list) != 6 {
		t.Errorf("%d searches, want 6", len(list))
	}
	for _, s := range list {
		t.Run(s.name, func(t *testing.T) {
			only := &s.File.Scenarios[0]
			if n := s.Len(); n < 60 || n > 600 || len(s.File.Scenarios) != 1 || len(only.Algorithms) != 1 || len(only.Expect) == 0 {
				t.Errorf("%d cells, %d scenarios, %d algorithms, %d expectations", n, len(s.File.Scenarios), len(only.Algorithms), len(only.Expect))
			}
			if !slices.ContainsFunc(measure.Metrics(), func(m catalog.Metric) bool { return m.Name == s.cost }) || !strings.Contains(string(s.source), "limitgauge tune "+s.name+" --least "+s.cost+"\n") {
				t.Errorf("the comment does not name the cost: %q", s.cost)
			}
			first, _ := s.Text(s.Cell(0))
			last, _ := s.Text(s.Cell(s.Len() - 1))
			if bytes.Equal(first, last) {
				t.Error("the axes change nothing")
			}
			if r := s.run(t, s.Grid, s.Len()/2); r.cost <= 0 {
				t.Errorf("cell %s costs %v", s.Cell(s.Len()/2), r.cost)
			}
		})
	}
}
