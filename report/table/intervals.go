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
	var replications []int
	var few, skewed groups.Groups[string, string]
	spreads, equal, needed, noDraws := false, false, 0, ""
	for i, r := range rows {
		switch {
		case r.Live != nil:
			continue
		case r.Exact:
			exact, noDraws = append(exact, labels[i]), r.NoDraws("exact (no random draws, one run says all)")
			continue
		case r.Replications < 2:
			single = append(single, labels[i])
			continue
		}
		replications = lists.Distinct(append(replications, r.Replications))
		for _, name := range columns {
			figure, head := r.Summary(name), ColumnOf(name, registry).Label()
			spreads = spreads || figure.Spread() > 0
			equal = equal || figure.Equal()
			if text := fewText(figure, r.Replications); text != "" {
				few.Add(head+" has "+text, labels[i])
			}
			if n := figure.ReplicationsNeeded; n > 0 {
				skewed.Add(head, labels[i])
				needed = max(needed, n)
			}
		}
	}
	over := ""
	if len(replications) == 1 {
		over = fmt.Sprintf(" over %d replications", replications[0])
	}
	if spreads {
		notes = append(notes, fmt.Sprintf("±: how far the 95 %% interval%s reaches, at most; seed %d", over, s.Seed))
	}
	if equal && len(replications) == 1 {
		notes = append(notes, "no ±: "+results.EqualText(replications[0]))
	} else if equal {
		notes = append(notes, "no ±: equal in all replications, which is not exact")
	}
	for _, text := range few.Keys {
		notes = append(notes, fmt.Sprintf("%s: %s", text, subset(few.Of[text], labels)))
	}
	if needed > 0 {
		heads := lists.Map(skewed.Keys, func(head string) string { return fmt.Sprintf("%s of %s", head, subset(skewed.Of[head], labels)) })
		notes = append(notes, fmt.Sprintf("± may be too small, because the replications are skewed: %s; about %d replications would do", strings.Join(heads, "; "), needed))
	}
	if len(exact) > 0 {
		notes = append(notes, noDraws+": "+subset(exact, labels))
	}
	if len(single) > 0 {
		notes = append(notes, fmt.Sprintf("one random run, no interval (seed %d): %s", s.Seed, subset(single, labels)))
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
