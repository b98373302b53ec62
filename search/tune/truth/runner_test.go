package truth

import (
	"cmp"
	"slices"
	"sync"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
)

// runner runs cells on seeds and remembers the runs.
type runner struct {
	shippedSearch
	grids   []*scenarios.Grid // by seed
	cells   [][]seedRun       // by cell, on its first seeds
	workers int
	runs    int
}

// newRunner returns a runner on seeds from first.
func newRunner(t *testing.T, s shippedSearch, first uint64, workers int) *runner {
	r := &runner{shippedSearch: s, cells: make([][]seedRun, s.Len()), workers: workers}
	for i := range uint64(seeds) {
		seed := first + i
		r.grids = append(r.grids, gridOf(t, s.source, &seed))
	}
	return r
}

// need runs a cell on further seeds, until it has run on n.
func (r *runner) need(t *testing.T, cell, n int) {
	have := len(r.cells[cell])
	if have >= n {
		return
	}
	r.runs += n - have
	r.cells[cell] = append(r.cells[cell], make([]seedRun, n-have)...)
	var group sync.WaitGroup
	for w := range r.workers {
		group.Go(func() {
			for seed := have + w; seed < n; seed += r.workers {
				r.cells[cell][seed] = r.run(t, r.grids[seed], cell)
			}
		})
	}
	group.Wait()
}

// broken returns on how many of its seeds a cell breaks the promise.
func (r *runner) broken(cell int) (n int) {
	for _, x := range r.cells[cell] {
		if !x.kept {
			n++
		}
	}
	return n
}

// sum returns what a cell costs on its seeds together.
func (r *runner) sum(cell int) (cost float64) {
	for _, x := range r.cells[cell] {
		cost += x.cost
	}
	return cost
}

// mean returns what a cell costs on a seed.
func (r *runner) mean(cell int) float64 { return r.sum(cell) / float64(len(r.cells[cell])) }

// byCost orders cells by their cost so far.
func (r *runner) byCost(cells []int) {
	slices.SortFunc(cells, func(a, b int) int { return cmp.Or(cmp.Compare(r.mean(a), r.mean(b)), cmp.Compare(a, b)) })
}
