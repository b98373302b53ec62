package truth

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
)

// A cell keeps the promise if its means do on enough of the seeds. looks is the number
// of seeds on which every cell runs.
const (
	seeds  = 100
	enough = 95
	looks  = 10
	first  = 1_000_001 // seed
)

// best is the cheapest cell that keeps the promise, with what tells how hard it is to
// find.
type best struct {
	Cell   int     `json:"cell"` // -1: none keeps it
	At     string  `json:"at"`
	Cost   float64 `json:"cost"`   // mean
	Share  int     `json:"kept"`   // of the seeds
	Cells  int     `json:"cells"`  // of the grid
	Runs   int     `json:"runs"`   // of a cell on a seed
	Misled int     `json:"misled"` // of the first seeds: how many show a cheapest cell that does not keep the promise, or a dearer one
	Half   float64 `json:"half"`   // percent that the best of every second value costs more; -1 if none of these keeps the promise

	Answers answers `json:"answers"` // of tune
}

// TestTruth finds the best cell of each search by brute force and compares it with the
// file of the last time. TUNE_TRUTH=update rewrites the file.
func TestTruth(t *testing.T) {
	mode := os.Getenv("TUNE_TRUTH")
	if mode == "" {
		t.Skip("only with TUNE_TRUTH=1: takes minutes")
	}
	for _, s := range shipped(t) {
		t.Run(s.name, func(t *testing.T) {
			r := newRunner(t, s, first, runtime.GOMAXPROCS(0))
			got := r.truth(t)
			t.Logf("%+v", got)
			want := known(t, s.name)
			got.Answers = want.Answers
			if mode == "update" {
				write(t, s.name, got)
			} else if got != want {
				t.Errorf("the best is %+v, was %+v", got, want)
			}
		})
	}
}

// truth finds the best cell.
func (r *runner) truth(t *testing.T) best {
	all := make([]int, r.Len())
	for cell := range all {
		all[cell] = cell
		r.need(t, cell, looks)
	}
	r.byCost(all)
	b := best{Cell: r.cheapest(t, all), Cells: r.Len()}
	if b.Cell < 0 {
		return b
	}
	b.At, b.Cost, b.Share = r.Cell(b.Cell).String(), r.mean(b.Cell), seeds-r.broken(b.Cell)
	b.Runs = r.runs
	for seed := range looks {
		for _, cell := range all {
			if r.cells[cell][seed].kept {
				if cell != b.Cell && !r.alike(t, cell, b) {
					b.Misled++
				}
				break
			}
		}
	}
	var half []int
	for _, cell := range all {
		if everySecond(r.Cell(cell)) {
			half = append(half, cell)
		}
	}
	if cell := r.cheapest(t, half); cell < 0 {
		b.Half = -1
	} else {
		b.Half = 100 * (r.mean(cell)/b.Cost - 1)
	}
	return b
}

// cheapest returns the cheapest of some cells, in the order of their cost so far, that
// keeps the promise: -1 if none does.
//
// A cell is left after fewer than all seeds only if it cannot be that cell: too many
// seeds have broken the promise, or those so far cost more than the cheapest cell on all
// seeds. Costs are not negative, so further seeds do not lower their sum.
func (r *runner) cheapest(t *testing.T, cells []int) int {
	found := -1
	for _, cell := range cells {
		for n := looks; ; n += r.workers {
			r.need(t, cell, min(n, seeds))
			if r.broken(cell) > seeds-enough || found >= 0 && r.sum(cell) >= r.sum(found) {
				break
			}
			if n >= seeds {
				found = cell
				break
			}
		}
	}
	return found
}

// alike reports whether a cell keeps the promise at no more than the tolerance above the
// cost of the best.
func (r *runner) alike(t *testing.T, cell int, b best) bool {
	return r.mean(cell) <= tolerance*b.Cost && r.keeps(t, cell)
}

// tolerance is what an answer may cost, of the best.
const tolerance = 1.05

// keeps reports whether a cell keeps the promise on enough seeds.
func (r *runner) keeps(t *testing.T, cell int) bool {
	for n := looks; r.broken(cell) <= seeds-enough; n += r.workers {
		if r.need(t, cell, min(n, seeds)); len(r.cells[cell]) == seeds {
			break
		}
	}
	return r.broken(cell) <= seeds-enough
}

// everySecond reports whether a cell has the first, third, fifth value and so on of each
// axis.
func everySecond(c scenarios.Cell) bool {
	for _, k := range c.At {
		if k%2 == 1 {
			return false
		}
	}
	return true
}

const file = "testdata/truth.json"

// known returns the best cell of a search in the file.
func known(t *testing.T, name string) best { return read(t)[name] }

func read(t *testing.T) map[string]best {
	all := map[string]best{}
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return all
}

// write puts the best cell of a search into the file.
func write(t *testing.T, name string, b best) {
	all := read(t)
	all[name] = b
	text, err := json.MarshalIndent(all, "", "  ")
	if err == nil {
		err = os.WriteFile(file, append(text, '\n'), 0o666)
	}
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", name, err))
	}
}
