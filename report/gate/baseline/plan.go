package baseline

import (
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Planned is a scenario of a gate that has not run: its name and the replications
// it will have.
type Planned struct {
	Name         string
	Replications int
}

// Plan returns what a gate of these scenarios will catch, from the baseline alone: a
// Comparison of the baseline with as many of its own replications as the gate will
// have. Every figure is unchanged in it, and Caught states probabilities that are
// at least reached. Scenarios that the baseline lacks are in the notes.
func Plan(base *results.Document, scenarios []Planned, o Options) (Comparison, error) {
	now := *base
	now.Scenarios, now.Results = nil, nil
	var notes []string
	for _, p := range scenarios {
		at := slices.IndexFunc(base.Scenarios, func(s results.Scenario) bool { return s.Name == p.Name })
		if at < 0 {
			notes = append(notes, fmt.Sprintf("scenario %q is not in the baseline: its figures will be unevaluated", p.Name))
			continue
		}
		s := base.Scenarios[at]
		s.Expectations = nil // of the file that made the baseline
		now.Scenarios = append(now.Scenarios, s)
		for _, r := range base.Results {
			if r.Scenario == p.Name {
				now.Results = append(now.Results, truncated(r, p.Replications))
			}
		}
	}
	kept := *base
	kept.Scenarios = now.Scenarios
	kept.Results = slices.DeleteFunc(slices.Clone(base.Results), func(r results.Result) bool {
		return !slices.ContainsFunc(now.Scenarios, func(s results.Scenario) bool { return s.Name == r.Scenario })
	})
	if len(now.Scenarios) == 0 {
		return Comparison{}, &Refusal{Reason: "the baseline has none of the scenarios"}
	}
	c, err := compare(&kept, &now, o)
	c.Notes = notes
	return c, err
}

// truncated returns a row with only its first n replications.
func truncated(r results.Result, n int) results.Result {
	if r.Exact || r.Replications <= n {
		return r
	}
	r.Replications = n
	metrics := map[string]results.Summary{}
	for name, s := range r.Metrics {
		metrics[name] = s.First(n)
	}
	r.Metrics = metrics
	return r
}

// Sees reports whether every figure can be judged as the options ask, but for those
// that need not be.
func (c Comparison) Sees() bool {
	return !slices.ContainsFunc(c.Cells, func(cell Cell) bool {
		return cell.Status == gate.Unevaluated && !cell.allowed(c.options.AllowUnevaluated)
	})
}
