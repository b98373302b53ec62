package baseline

import (
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/gate/pairing"
	"github.com/limitgauge/limitgauge/results"
)

// Refusal is the error for a document that cannot be a baseline, or a baseline
// that cannot be compared with the run. The gate is then unevaluated.
type Refusal struct {
	Reason      string
	Differences []pairing.Difference // between the two runs
}

func (r *Refusal) Error() string {
	var parts []string
	for i, d := range r.Differences {
		if i == shownDifferences && len(r.Differences) > i+1 {
			parts = append(parts, fmt.Sprintf("and %d more", len(r.Differences)-i))
			break
		}
		parts = append(parts, d.String())
	}
	if len(parts) == 0 {
		return r.Reason
	}
	return r.Reason + ": " + strings.Join(parts, "; ")
}

// shownDifferences is the number of differences that Error names.
const shownDifferences = 5

// comparable returns a *Refusal if the documents measured different things.
func comparable(base, now *results.Document, o Options) error {
	for _, side := range []struct {
		name string
		doc  *results.Document
	}{{"the baseline", base}, {"the run", now}} {
		if v := side.doc.SchemaVersion; v != results.SchemaVersion {
			return fmt.Errorf("%s: %w", side.name, &results.SchemaError{Got: v, Want: results.SchemaVersion})
		}
		if len(side.doc.Results) == 0 {
			return &Refusal{Reason: side.name + " has no results"}
		}
	}
	if base.Partial {
		return &Refusal{Reason: "the baseline is partial: the run that made it was interrupted"}
	}
	differences := pairing.Scenarios(base, now)
	if !o.OtherSeeds {
		differences = append(pairing.Seeds(base, now), differences...)
	}
	if len(differences) > 0 {
		return &Refusal{"the baseline is of another scenario or seed", differences}
	}
	shared := map[string]bool{}
	for _, s := range base.Scenarios {
		shared[s.Name] = true
	}
	for _, s := range now.Scenarios {
		if shared[s.Name] {
			return nil
		}
	}
	return &Refusal{"the baseline and the run have no scenario in common", []pairing.Difference{
		{What: "scenarios", Base: names(base), Now: names(now)},
	}}
}

func names(doc *results.Document) string {
	var list []string
	for i, s := range doc.Scenarios {
		if i == shownDifferences && len(doc.Scenarios) > i+1 {
			list = append(list, fmt.Sprintf("and %d more", len(doc.Scenarios)-i))
			break
		}
		list = append(list, fmt.Sprintf("%q", s.Name))
	}
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}
