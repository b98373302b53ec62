package table

import (
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/groups"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// intervalNotes returns notes that explain ±, name the deterministic rows, and say where
// a figure rests on less than it seems.
func intervalNotes(s results.Scenario, rows []results.Result, labels, columns []string, registry []catalog.Metric) (notes []string) {
	var exact, single []string
	noDraws := ""
	var random randomRows
	for i, r := range rows {
		switch {
		case r.Live != nil:
		case r.Exact:
			exact, noDraws = append(exact, labels[i]), r.NoDraws("exact (no random draws, one run says all)")
		case r.Replications < 2:
			single = append(single, labels[i])
		default:
			random.add(r, labels[i], columns, registry)
		}
	}
	notes = random.notes(s.Seed, labels)
	if len(exact) > 0 {
		notes = append(notes, noDraws+": "+subset(exact, labels))
	}
	if len(single) > 0 {
		notes = append(notes, fmt.Sprintf("one random run, no interval (seed %d): %s", s.Seed, subset(single, labels)))
	}
	return notes
}

// noSpread begins the note on cells without ±.
const noSpread = "no ±: "

// randomRows is what the notes say of rows with several replications.
type randomRows struct {
	replications   []int // the different numbers of them
	spreads, equal bool  // some figures have an interval, or are equal in all replications
	few, skewed    groups.Groups[string, string]
	needed         int // replications of the most skewed figure
}

func (n *randomRows) add(r results.Result, label string, columns []string, registry []catalog.Metric) {
	n.replications = lists.Distinct(append(n.replications, r.Replications))
	for _, name := range columns {
		figure, head := r.Summary(name), ColumnOf(name, registry).Label()
		n.spreads = n.spreads || figure.Spread() > 0
		n.equal = n.equal || figure.Equal()
		if text := fewText(figure, r.Replications); text != "" {
			n.few.Add(head+" has "+text, label)
		}
		if figure.ReplicationsNeeded > 0 {
			n.skewed.Add(head, label)
			n.needed = max(n.needed, figure.ReplicationsNeeded)
		}
	}
}

func (n *randomRows) notes(seed uint64, labels []string) (notes []string) {
	over, equal := "", "equal in all replications, which is not exact"
	if len(n.replications) == 1 {
		over, equal = fmt.Sprintf(" over %d replications", n.replications[0]), results.EqualText(n.replications[0])
	}
	if n.spreads {
		notes = append(notes, fmt.Sprintf("±: how far the 95 %% interval%s reaches, at most; seed %d", over, seed))
	}
	if n.equal {
		notes = append(notes, noSpread+equal)
	}
	for _, text := range n.few.Keys {
		notes = append(notes, fmt.Sprintf("%s: %s", text, subset(n.few.Of[text], labels)))
	}
	if n.needed > 0 {
		heads := lists.Map(n.skewed.Keys, func(head string) string { return fmt.Sprintf("%s of %s", head, subset(n.skewed.Of[head], labels)) })
		notes = append(notes, fmt.Sprintf("± may be too small, because the replications are skewed (about %d would do): %s", n.needed, strings.Join(heads, "; ")))
	}
	return notes
}

// fewText says on how many observations a figure rests, if some of n replications have
// none, or "".
func fewText(s results.Summary, n int) string {
	observations, with := s.Observations()
	if s.Pooled != results.PooledRatio || s.Mean == nil || with == n {
		return ""
	}
	text := fmt.Sprintf("%s observations, in %d of %d replications", format.Number(observations), with, n)
	if s.Lo == nil {
		text += ", so there is no interval"
	}
	return text
}
