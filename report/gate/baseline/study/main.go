// Command gatestudy measures what `limitgauge gate --baseline` does: how often
// gates without a change are red, and whether changes of the stated size are caught
// with the stated probability. It simulates everything it needs, and prints the
// same tables on every machine.
//
//	go run ./report/gate/baseline/study                             # print the tables
//	go run ./report/gate/baseline/study -update docs/statistics.md  # put them into the page
//	go run ./report/gate/baseline/study -check docs/statistics.md   # fail if a promise does not hold, or the page is stale
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"strings"

	"github.com/limitgauge/limitgauge/internal/stats"
)

// alpha is the promise of a gate: the share of gates without a change that may be
// red.
const alpha = 0.05

var workers = runtime.GOMAXPROCS(0)

// sizes are how much is simulated.
type sizes struct {
	draws, seeds, figures, trials, windows int
}

const (
	opening = "<!-- study -->\n"
	closing = "<!-- end of the study -->\n"
)

func main() {
	var s sizes
	flag.IntVar(&s.draws, "draws", 16, "`N` runs with the same traffic and other draws")
	flag.IntVar(&s.seeds, "seeds", 16, "`N` runs with other seeds")
	flag.IntVar(&s.figures, "figures", 16, "`N` figures that are made worse")
	flag.IntVar(&s.trials, "trials", 12, "`N` trials for each of them")
	flag.IntVar(&s.windows, "windows", 4, "`N` replications, and twice as many draws, to compare windows with")
	update := flag.String("update", "", "put the tables into the page `FILE`")
	check := flag.String("check", "", "fail if a promise does not hold, or if the page `FILE` has other tables")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := study(ctx, s, *update, *check); err != nil {
		fmt.Fprintln(os.Stderr, "gatestudy:", err)
		os.Exit(1)
	}
}

func study(ctx context.Context, s sizes, update, check string) error {
	suite, err := os.ReadFile("scenarios.yaml")
	if err != nil {
		return fmt.Errorf("run it in the root of the checkout: %w", err)
	}
	def, err := newWorld(ctx, "default suite", "scenarios.yaml", suite, s.draws, s.seeds)
	if err != nil {
		return err
	}
	hard, err := newWorld(ctx, "square and MMPP", "hostile.yaml", []byte(hostile), s.draws, s.seeds)
	if err != nil {
		return err
	}
	var nulls []null
	for _, w := range []*world{def, hard} {
		again, err := w.run(ctx, 1, 0)
		if err != nil {
			return err
		}
		nulls = append(nulls, nullGates(w, again)...)
	}
	figures := def.figures()
	rand.New(rand.NewPCG(5, 5)).Shuffle(len(figures), func(i, k int) { figures[i], figures[k] = figures[k], figures[i] })
	figures = figures[:min(s.figures, len(figures))]
	power := statedPower(def, figures, s.trials)
	gain := gains(def, figures, s.trials)
	windows, err := windowRatios(ctx, def, 2*s.windows, s.windows)
	if err != nil {
		return err
	}
	tables := opening + strings.Join([]string{
		"Gates without a change:\n\n" + nullTable(nulls),
		"Changes of the stated size, taken from one gate and made in another:\n\n" + powerTable(power),
		"The smallest change caught with 80 %, in standard deviations of the difference between two runs:\n\n" + gainTable(gain),
		"The variance of the difference between two runs of a whole replication, over the sum of those of its windows:\n\n" + windowTable(windows),
	}, "\n") + closing
	switch {
	case update != "":
		page, err := replaced(update, tables)
		if err != nil {
			return err
		}
		return os.WriteFile(update, []byte(page), 0o666)
	case check != "":
		page, err := replaced(check, tables)
		if err != nil {
			return err
		}
		if was, _ := os.ReadFile(check); page != string(was) {
			err = fmt.Errorf("%s is stale: go run ./report/gate/baseline/study -update %s\n%s", check, check, tables)
		}
		return errors.Join(append(broken(nulls, power), err)...)
	}
	_, err = fmt.Print(tables)
	return err
}

// replaced returns a page with other tables.
func replaced(path, tables string) (string, error) {
	page, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	before, rest, ok := strings.Cut(string(page), opening)
	_, after, closed := strings.Cut(rest, closing)
	if !ok || !closed {
		return "", fmt.Errorf("%s has no place for the tables: %q", path, opening)
	}
	return before + tables + after, nil
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
