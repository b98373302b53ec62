package baseline

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/pairs"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Refusal is the error for a document that cannot be a baseline, or a baseline
// that cannot be compared with the run. The gate is then unevaluated.
type Refusal struct {
	Reason      string
	Differences []pairs.Difference // between the two runs
}

func (r *Refusal) Error() string {
	parts := lists.Map(r.Differences, pairs.Difference.String)
	if len(parts) == 0 {
		return r.Reason
	}
	return r.Reason + ": " + strings.Join(firstFew(parts), "; ")
}

// firstFew shortens a list of more than six texts to five and the number of the
// others.
func firstFew(texts []string) []string {
	const few = 5
	if more := len(texts) - few; more > 1 {
		return append(texts[:few:few], fmt.Sprintf("and %d more", more))
	}
	return texts
}

// comparable returns a *Refusal if the documents measured different things.
func comparable(base, now *results.Document, o Options) error {
	for _, side := range []struct {
		name string
		doc  *results.Document
	}{{"the baseline", base}, {"the run", now}} {
		if v := side.doc.SchemaVersion; v != results.SchemaVersion {
			return fmt.Errorf("%s: %w", side.name, &results.SchemaError{Got: v, Want: results.SchemaVersion})
		}
		if side.doc.IsLive() {
			return &Refusal{Reason: side.name + " is of a real limiter, which no run repeats: use expect"}
		}
		if len(side.doc.Results) == 0 && (side.doc == base || !now.Partial) {
			return &Refusal{Reason: side.name + " has no results"}
		}
	}
	if base.Partial {
		return &Refusal{Reason: "the baseline is partial: the run that made it was interrupted"}
	}
	differences := pairs.Scenarios(base, now)
	if !o.OtherSeeds {
		differences = append(pairs.Seeds(base, now), differences...)
	}
	if len(differences) > 0 {
		return &Refusal{"the baseline is of another scenario or seed", differences}
	}
	inBase := func(s results.Scenario) bool {
		return slices.ContainsFunc(base.Scenarios, func(b results.Scenario) bool { return b.Name == s.Name })
	}
	if slices.ContainsFunc(now.Scenarios, inBase) {
		return nil
	}
	return &Refusal{"the baseline and the run have no scenario in common", []pairs.Difference{
		{What: "scenarios", Base: names(base), Now: names(now)},
	}}
}

func names(doc *results.Document) string {
	list := lists.Map(doc.Scenarios, func(s results.Scenario) string { return strconv.Quote(s.Name) })
	return cmp.Or(strings.Join(firstFew(list), ", "), "none")
}
