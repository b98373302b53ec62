package live

import (
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/live/bounds"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Test sends the requests of a scenario to a limiter and fails the test if a violation
// is certain: an expectation that the scenario states of "go" certainly does not hold
// or, if it states none, the limiter certainly exceeds its limit. What may hold or not
// is logged, so that a busy machine fails no test. The message shows the table of the
// scenario. Test returns the results document, as Run does.
func Test(t testing.TB, file string, target Target, options ...Option) []byte {
	t.Helper()
	d, err := run(t.Context(), file, target, options)
	if err != nil {
		t.Fatal(err)
	}
	failed, open := judge(d)
	if len(failed) > 0 {
		t.Errorf("\n%s\n%s", table.OfTest(d, measure.Metrics()), strings.Join(failed, "\n"))
	}
	for _, text := range open {
		t.Log(text)
	}
	text, err := results.Text(d)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// judge returns what certainly does not hold, and what may hold or not.
func judge(d *results.Document) (failed, open []string) {
	verdicts := slices.DeleteFunc(gate.Evaluate(d).List, func(v gate.Verdict) bool { return v.Algorithm != RowName })
	for _, v := range verdicts {
		switch {
		case v.Status == gate.Failed:
			failed = append(failed, v.Position()+": "+v.String())
		case !v.Status.Holds():
			open = append(open, v.Position()+": "+v.String())
		}
	}
	l := d.Results[slices.IndexFunc(d.Results, func(r results.Result) bool { return r.Live != nil })].Live
	switch {
	case len(verdicts) > 0:
	case l.CertainlyOver():
		failed = append(failed, l.Over.Text)
	case l.Over.Outcome != bounds.Kept.String():
		open = append(open, l.Over.Text)
	}
	if l.Unevaluated != "" {
		open = append(open, "could not be evaluated: "+l.Unevaluated)
	}
	return failed, open
}
