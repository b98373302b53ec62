package truth

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/limitgauge/limitgauge/search/tune/candidates"
	"github.com/limitgauge/limitgauge/search/tune/search"
)

// answers sums up the answers of tune on several seeds of a search.
type answers struct {
	Seeds   int     `json:"seeds"`
	Kept    int     `json:"kept"`    // answers that keep the promise on enough seeds
	Least   int     `json:"least"`   // seeds on which an answer keeps it, of 100, at least
	Cost    float64 `json:"cost"`    // percent that an answer costs more than the best, at most
	Dear    int     `json:"dear"`    // answers that cost more than the tolerance
	OfFull  float64 `json:"of_full"` // percent of the full grid's work, at most
	Missing int     `json:"missing"` // searches without an answer
}

// TestAnswers holds tune's answers on many seeds of each search to what brute force finds.
// TUNE_TRUTH=1 searches with 20 seeds each, TUNE_TRUTH=update also rewrites the file.
func TestAnswers(t *testing.T) {
	mode := os.Getenv("TUNE_TRUTH")
	if mode == "" {
		t.Skip("only with TUNE_TRUTH=1: takes minutes")
	}
	for _, s := range shipped(t) {
		t.Run(s.name, func(t *testing.T) {
			b := known(t, s.name)
			got := newRunner(t, s, first, runtime.GOMAXPROCS(0)).answers(t, b, 20)
			t.Logf("%+v", got)
			if got.Missing > 0 || got.Kept < got.Seeds || got.Dear > 0 || got.OfFull > 20 {
				t.Errorf("an answer is missing, breaks the promise, or is too dear: %+v", got)
			}
			if mode == "update" {
				b.Answers = got
				write(t, s.name, b)
			}
		})
	}
}

// answers searches on seeds from 1, and compares the answers with the best cell.
func (r *runner) answers(t *testing.T, b best, n int) answers {
	a := answers{Seeds: n, Least: seeds}
	for seed := range uint64(n) {
		found := r.tune(t, seed+1)
		a.OfFull = max(a.OfFull, 100*float64(found.Work.Used())/float64(found.Work.Full))
		if found.Answer == nil {
			a.Missing++
			continue
		}
		cell := found.Answer.Number
		r.need(t, cell, seeds)
		kept, dearer := seeds-r.broken(cell), 100*(r.mean(cell)/b.Cost-1)
		t.Logf("seed %d: %s keeps on %d and costs %.2f %% more than the best", seed+1, r.Cell(cell), kept, dearer)
		if kept >= enough {
			a.Kept++
		}
		if dearer > 100*(tolerance-1) {
			a.Dear++
		}
		a.Least, a.Cost = min(a.Least, kept), max(a.Cost, dearer)
	}
	return a
}

// tune searches with a seed.
func (r *runner) tune(t *testing.T, seed uint64) *search.Found {
	g := gridOf(t, r.source, &seed)
	only := &g.File.Scenarios[0]
	name := only.Algorithms[0].Name
	set, err := candidates.New(t.Context(), g, candidates.Options{
		Algorithms: []string{name}, Promises: candidates.Promises{only.Name: {name: only.Expect}}, Least: r.cost, Full: only.Full, Workers: r.workers,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	o := search.Options{Families: 1, Same: set.Same, Replications: set.Replications()}
	for _, axis := range only.Axes {
		o.Axes = append(o.Axes, len(axis.Values))
	}
	found, err := search.Run(t.Context(), set, o)
	if err != nil {
		t.Fatal(fmt.Errorf("seed %d: %w", seed, err))
	}
	return found
}

// TestAnswersInFile checks that the file has the last answers of each search, and that
// they were good.
func TestAnswersInFile(t *testing.T) {
	all := read(t)
	for _, s := range shipped(t) {
		a, known := all[s.name]
		if !known || a.Answers.Seeds < 20 || a.Answers.Kept != a.Answers.Seeds || a.Answers.Dear > 0 || a.Answers.OfFull > 20 {
			t.Errorf("%s: the file has %+v: TUNE_TRUTH=update go test -run 'TestTruth|TestAnswers' ./search/tune/truth", s.name, a.Answers)
		}
	}
}
