package gauge

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// judge returns a text for each scenario in which an expectation does not hold or a row
// differs from its counter. Without anything to judge it returns one text that says so.
func (r *runner) judge(d *results.Document) (texts []string) {
	checks := 0
	for _, part := range d.PerScenario() {
		if r.only > 0 { // one replication has no interval: its figure itself is judged
			part.Results = slices.Clone(part.Results)
			for i := range part.Results {
				part.Results[i].Exact = true
			}
		}
		verdicts := slices.Concat(gate.Evaluate(part).List, gate.WithoutBaseline(part))
		checks += len(verdicts)
		var lines []string
		for _, v := range verdicts {
			if !v.Status.Holds() {
				lines = append(lines, fmt.Sprintf("%s: %v", v.Position(), v))
				lines = append(lines, r.explain(part, v)...)
			}
		}
		for _, row := range part.Results {
			if row.As != "" {
				checks++
			}
			if row.FirstDifference != nil {
				lines = append(lines, r.explainDifference(part, row)...)
			}
		}
		if len(lines) > 0 {
			texts = append(texts, "\n"+table.OfTest(part, measure.Metrics())+"\n"+strings.Join(lines, "\n"))
		}
	}
	if checks == 0 {
		texts = append(texts, fmt.Sprintf("%s: nothing to check: no scenario has an expect, and no row has gauge.As. "+
			"gauge.Run runs scenarios without judging them", r.file.Path))
	}
	return texts
}

// explain shows the worst instant of a check's worst replication.
func (r *runner) explain(part *results.Document, v gate.Verdict) []string {
	i := gate.RowOf(part, v.Scenario, v.Algorithm)
	if i < 0 || v.Status != gate.Failed {
		return nil
	}
	row := part.Results[i]
	number := r.worstReplication(row.Summary(v.Metric), v.Op)
	c, err := r.calls(part.Scenarios[0], row, number)
	if err != nil {
		return []string{"  the calls cannot be shown: " + failure(err)}
	}
	return append(c.worst(v.Metric), r.rerun(v.Scenario, number))
}

// worstReplication returns the number of the replication, from 1, that is farthest from
// what a check wants.
func (r *runner) worstReplication(s results.Summary, op string) int {
	if r.only > 0 {
		return r.only
	}
	worst := 0
	for i, v := range s.Values {
		if v == nil || s.Values[worst] == nil {
			continue
		}
		if least := op == ">=" || op == ">"; least && *v < *s.Values[worst] || !least && *v > *s.Values[worst] {
			worst = i
		}
	}
	return worst + 1
}

// rerun returns the command that runs one replication of a scenario.
func (r *runner) rerun(scenario string, number int) string {
	return fmt.Sprintf("  this replication alone: %s=%s %s=%d %s", scenarioVariable, format.ShellQuote(scenario), replicationVariable, number, r.command())
}

// explainDifference shows the first verdict of a row that its counter would not give.
func (r *runner) explainDifference(part *results.Document, row results.Result) []string {
	d := row.FirstDifference
	c, err := r.calls(part.Scenarios[0], row, d.Replication)
	text := fmt.Sprintf("%s differs from %s", row.Algorithm, row.As)
	if s := row.Summary("differing_verdicts"); s.Mean != nil {
		text += fmt.Sprintf(" in %s measured verdicts of a replication", format.Number(*s.Mean))
	}
	if err != nil {
		return []string{text, "  the calls cannot be shown: " + failure(err)}
	}
	lines := append([]string{text}, c.difference(d, row.As)...)
	return append(lines, r.rerun(part.Scenarios[0].Name, d.Replication))
}

// ofRefusals, ofAnswers and ofWaits match metrics about requests that are refused, or wait, too
// much.
var (
	ofRefusals = regexp.MustCompile(`^(under_admission|false_reject|rejected|refused_fitting|lag_max|admitted_(requests_)?per_s|first_try)`)
	ofAnswers  = regexp.MustCompile(`^(goodput|good_answers|late|failed_answers|answer_|refused_excess|recover|probe)`)
	ofWaits    = regexp.MustCompile(`^(wait|decision_latency|timed_out)`)
)
