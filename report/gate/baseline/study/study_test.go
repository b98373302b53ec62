// Package study measures what `limitgauge gate --baseline` does: how often gates
// without a change are red, and whether changes of the stated size are caught with
// the stated probability; and what the intervals of figures cover. It simulates everything
// it needs, and its tables, which docs/statistics.md shows, are the same on every machine:
//
//	GATE_STUDY=update go test -run TestStudy ./report/gate/baseline/study
//	COVERAGE_STUDY=update go test -run TestCoverage ./report/gate/baseline/study
package study

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/internal/stats"
)

// alpha is the promise of a gate: the share of gates without a change that may be
// red.
const alpha = 0.05

var workers = runtime.GOMAXPROCS(0)

// How much is simulated.
const (
	draws   = 16 // runs with the same traffic and other draws
	seeds   = 16 // runs with other seeds
	worse   = 16 // figures that are made worse
	trials  = 12 // trials for each of them
	windows = 4  // replications, and twice as many draws, to compare windows with
)

const page = "docs/statistics.md"

// TestStudy fails if a promise of gates does not hold, or if the page has other
// tables. GATE_STUDY=1 runs it, GATE_STUDY=update also puts the tables into the page.
func TestStudy(t *testing.T) {
	mode := os.Getenv("GATE_STUDY")
	if mode == "" {
		t.Skip("only with GATE_STUDY=1: takes minutes")
	}
	t.Chdir("../../../..") // the root, from which the suite names its logs
	tables, broken, err := study(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if broken != nil {
		t.Error(broken)
	}
	comparePage(t, mode, "study", tables)
}

// comparePage fails if the page does not show tables between its marks, or puts them there
// if the mode is update.
func comparePage(t *testing.T, mode, mark, tables string) {
	was, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	is, err := replaced(string(was), "<!-- "+mark+" -->\n", tables, "<!-- end of the "+mark+" -->\n")
	switch {
	case err != nil:
		t.Fatal(err)
	case is == string(was):
	case mode != "update":
		t.Errorf("%s is stale: the package comment says how to update it\n%s", page, tables)
	default:
		if err := os.WriteFile(page, []byte(is), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// study returns the tables of the page, and the promises that do not hold.
func study(ctx context.Context) (tables string, promises, err error) {
	suite, err := os.ReadFile("scenarios.yaml")
	if err != nil {
		return "", nil, err
	}
	def, err := newWorld(ctx, "default suite", "scenarios.yaml", suite, draws, seeds)
	if err != nil {
		return "", nil, err
	}
	hard, err := newWorld(ctx, "square and MMPP", "hostile.yaml", []byte(hostile), draws, seeds)
	if err != nil {
		return "", nil, err
	}
	var nulls []null
	for _, w := range []*world{def, hard} {
		again, err := w.run(ctx, 1, 0)
		if err != nil {
			return "", nil, err
		}
		nulls = append(nulls, nullGates(w, again)...)
	}
	figures := def.figures()
	rand.New(rand.NewPCG(5, 5)).Shuffle(len(figures), func(i, k int) { figures[i], figures[k] = figures[k], figures[i] })
	figures = figures[:min(worse, len(figures))]
	power := statedPower(def, figures, trials)
	gain := gains(def, figures, trials)
	ratios, err := windowRatios(ctx, def, 2*windows, windows)
	if err != nil {
		return "", nil, err
	}
	tables = strings.Join([]string{
		"Gates without a change:\n\n" + nullTable(nulls),
		"Changes of the stated size, taken from one gate and made in another:\n\n" + powerTable(power),
		"The smallest change caught with 80 %, in standard deviations of the difference between two runs:\n\n" + gainTable(gain),
		"The variance of the difference between two runs of a whole replication, over the sum of those of its windows:\n\n" + windowTable(ratios),
	}, "\n")
	return tables, errors.Join(broken(nulls, power)...), nil
}

// replaced returns a page's text with other tables between two marks.
func replaced(text, opening, tables, closing string) (string, error) {
	before, rest, ok := strings.Cut(text, opening)
	_, after, closed := strings.Cut(rest, closing)
	if !ok || !closed {
		return "", fmt.Errorf("the page has no place for the tables: %q", opening)
	}
	return before + opening + tables + closing + after, nil
}

// broken returns the promises that do not hold. The gates of a table share their
// documents, so their shares scatter more than those of independent ones.
func broken(nulls []null, power []caught) (list []error) {
	for _, n := range nulls {
		if n.kind == "other seeds" && 20*n.unlucky > n.baselines+10 {
			list = append(list, fmt.Errorf("%s, %s: %d of %d baselines have more than 5 %% red gates", n.world, n.kind, n.unlucky, n.baselines))
		}
		if float64(n.red) > (alpha+0.03)*float64(n.gates) || 100*n.unevaluated >= max(1, n.gates) {
			list = append(list, fmt.Errorf("%s, %s: %d red and %d unevaluated of %d gates", n.world, n.kind, n.red, n.unevaluated, n.gates))
		}
	}
	for _, c := range power {
		if p80, p99 := stats.Mean(c.p80), stats.Mean(c.p99); p80 < 0.77 || p99 < 0.96 {
			list = append(list, fmt.Errorf("draws of %s: changes of the stated 80 %% and 99 %% are caught with %.3f and %.3f", c.change, p80, p99))
		}
	}
	return list
}
