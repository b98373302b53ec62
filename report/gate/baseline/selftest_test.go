package baseline

import (
	"bytes"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

func expectation(metric, op string, threshold float64) results.Expectation {
	return results.Expectation{Algorithm: "a", Metric: metric, Op: op, Threshold: threshold}
}

// TestThresholdsThatCanFail tries each threshold by itself, on a figure of 10.
func TestThresholdsThatCanFail(t *testing.T) {
	for _, c := range []struct {
		expect results.Expectation
		reason string // "" if it can fail
	}{
		{expectation("over_limit_pct", "<=", 12), ""},
		{expectation("over_limit_pct", "<", 12), ""},
		{expectation("over_limit_pct", ">=", 5), ""},
		{expectation("over_limit_pct", ">", 5), ""},
		{expectation("over_limit_pct", "==", 0), ""},
		{expectation("over_limit_pct", "<=", 3), ""}, // fails already
		{expectation("over_limit_pct", ">=", 0), "over_limit_pct cannot go below 0, so >= 0 rules nothing out"},
		{expectation("over_limit_pct", ">", -1), "cannot go below 0"},
		{expectation("over_limit_pct", ">", 0), ""},
		{expectation("over_limit_pct", "<=", 1e6), ""}, // unbounded
		{expectation("under_admission_pct", "<=", 100), "under_admission_pct cannot go above 100"},
		{expectation("under_admission_pct", "<=", 99), ""},
		{expectation("under_admission_pct", "==", 100), ""},
		{expectation("fairness_tenant_run_jain", "<=", 1), "cannot go above 1"},
		{expectation("fairness_tenant_run_jain", "<", 1), ""},
		{expectation("fairness_tenant_run_min", "<=", 1), ""}, // every tenant may get more than its reference
		{expectation("long_run_error_pct", ">=", 0), ""},      // signed
		{expectation("settle_s", "==", 0), "no data"},
		{expectation("nope", "<=", 0), "not measured"},
		{results.Expectation{Algorithm: "b", Metric: "over_limit_pct", Op: "<="}, "no result for this algorithm"},
		{expectation("over_limit_pct", "!=", 0), "unknown comparison"},
	} {
		doc := document(map[string]results.Summary{
			"over_limit_pct": resultstest.Sample(ten...), "under_admission_pct": resultstest.Sample(ten...), "long_run_error_pct": resultstest.Sample(ten...),
			"fairness_tenant_run_jain": resultstest.Sample(moved(ten, -9.5)...), "fairness_tenant_run_min": resultstest.Sample(moved(ten, -9.5)...),
			"settle_s": resultstest.NoData("traffic declares no step", 10),
		})
		doc.Scenarios[0].Expectations = []results.Expectation{expectation("over_limit_pct", ">=", 1), c.expect}
		for range len(doc.Results) { // whatever their order
			doc.Results = append(doc.Results[1:], doc.Results[0])
			proof, err := SelfTest(doc, nil, Options{Registry: measure.Metrics()})
			if err != nil {
				t.Fatal(err)
			}
			got := proof[1]
			if got.CanFail != (c.reason == "") || !strings.Contains(got.Reason, c.reason) {
				t.Errorf("%s: can fail is %v (%s), want %v (%s)", got.Verdict.Check(), got.CanFail, got.Reason, c.reason == "", c.reason)
			}
			if proof.Holds() != (c.reason == "") {
				t.Errorf("%s: the proof holds: %v", got.Verdict.Check(), proof.Holds())
			}
		}
	}
}

func TestSelfTestLeavesTheDocumentAlone(t *testing.T) {
	doc := document(map[string]results.Summary{"over_limit_pct": resultstest.Sample(ten...), "burst_excess": resultstest.Sample(ten...)})
	doc.Scenarios[0].Expectations = []results.Expectation{expectation("over_limit_pct", "<=", 12)}
	var before, after bytes.Buffer
	if err := results.Encode(&before, doc); err != nil {
		t.Fatal(err)
	}
	proof, err := SelfTest(doc, doc, Options{Registry: measure.Metrics(), References: true})
	if err != nil || !proof.Holds() || len(proof) != 4 {
		t.Errorf("the proof is %+v (%v), want four checks that can fail", proof, err)
	}
	if err := results.Encode(&after, doc); err != nil || before.String() != after.String() {
		t.Error("the self-test changed the document")
	}
}

func TestCellsThatCannotFail(t *testing.T) {
	base := document(map[string]results.Summary{
		"over_limit_pct": resultstest.Sample(ten[:3]...), "fairness_tenant_run_min": resultstest.Sample(0, 0, 0),
	})
	proof, err := SelfTest(base, base, Options{Registry: measure.Metrics(), References: true, Metrics: []string{"over_limit_pct"}})
	if err != nil {
		t.Fatal(err)
	}
	if proof[0].CanFail != true || proof[1].CanFail || !strings.Contains(proof[1].Reason, "too few replications: 3, need 5") {
		t.Errorf("three replications: %+v", proof)
	}
	worst := document(map[string]results.Summary{"fairness_tenant_run_min": resultstest.Sample(0), "rejected_pct": resultstest.Sample(100)})
	proof, err = SelfTest(worst, worst, Options{Registry: measure.Metrics(), References: true, Metrics: []string{"fairness_tenant_run_min", "rejected_pct"}})
	if err != nil {
		t.Fatal(err)
	}
	if proof[0].CanFail || !strings.Contains(proof[0].Reason, "fairness_tenant_run_min cannot get worse") || !proof[1].CanFail {
		t.Errorf("a figure at its worst, and one that may still go down: %+v", proof)
	}
	if (Proof{}).Holds() {
		t.Error("an empty proof holds")
	}
}

// TestRanges checks that every metric of the engine has a range, and that shares
// in percent end at 100.
func TestRanges(t *testing.T) {
	for _, m := range measure.Metrics() {
		if lo, hi := m.Range(); lo >= hi || m.Unit == "%" && hi != 100 && strings.Contains(m.Name, "share") {
			t.Errorf("%s lies between %v and %v", m.Name, lo, hi)
		}
	}
}
