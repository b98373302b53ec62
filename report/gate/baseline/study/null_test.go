package study

import (
	"fmt"
	"sync"

	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/report/gate/baseline"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// null counts the outcomes of gates without a change.
type null struct {
	world, kind      string
	gates            int
	red, unevaluated int
	baselines        int // that the gates compare with
	unlucky          int // baselines of which more than 5 % of the gates are red
}

// nullGates compares every document with every other one of its kind.
func nullGates(w *world, again *results.Document) []null {
	same := null{world: w.name, kind: "same seeds"}
	same.add([]outcome{compare(w.shifted[0], again, false)})
	shifted := null{world: w.name, kind: "shifted draws"}
	others := null{world: w.name, kind: "other seeds"}
	for _, n := range []struct {
		to    *null
		docs  []*results.Document
		other bool
	}{{&shifted, w.shifted, false}, {&others, w.seeds, true}} {
		for i, base := range n.docs {
			outcomes := make([]outcome, len(n.docs))
			side(len(n.docs), func(k int) {
				if k != i {
					outcomes[k] = compare(base, n.docs[k], n.other)
				}
			})
			n.to.add(append(outcomes[:i:i], outcomes[i+1:]...))
		}
	}
	return []null{same, shifted, others}
}

type outcome struct{ red, unevaluated bool }

func compare(base, now *results.Document, otherSeeds bool) outcome {
	c, err := baseline.Compare(base, now, baseline.Options{Registry: measure.Metrics(), OtherSeeds: otherSeeds})
	if err != nil {
		panic(err) // the documents are of one file
	}
	var o outcome
	for _, cell := range c.Cells {
		o.red = o.red || cell.Status == gate.Failed
		o.unevaluated = o.unevaluated || cell.Status == gate.Unevaluated
	}
	return o
}

// add adds the gates against one baseline.
func (n *null) add(outcomes []outcome) {
	red := 0
	for _, o := range outcomes {
		n.gates++
		if o.red {
			red++
		}
		if o.unevaluated {
			n.unevaluated++
		}
	}
	n.red += red
	n.baselines++
	if 20*red > len(outcomes) {
		n.unlucky++
	}
}

func nullTable(list []null) string {
	text := "| scenarios | gates without a change | gates | red | not evaluated | baselines | baselines with more than 5 % red |\n| --- | --- | ---: | ---: | ---: | ---: | ---: |\n"
	for _, n := range list {
		text += fmt.Sprintf("| %s | %s | %d | %s | %s | %d | %d |\n", n.world, n.kind, n.gates,
			percent(n.red, n.gates), percent(n.unevaluated, n.gates), n.baselines, n.unlucky)
	}
	return text
}

func percent(part, of int) string { return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(of)) }

// side runs f for 0 to n-1, some at a time.
func side(n int, f func(int)) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range workers {
		wg.Go(func() {
			for k := range next {
				f(k)
			}
		})
	}
	for k := range n {
		next <- k
	}
	close(next)
	wg.Wait()
}
