package gate

import (
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// TestEvaluate compares one threshold with one metric.
func TestEvaluate(t *testing.T) {
	ten := func(op string, threshold float64) results.Expectation {
		return results.Expectation{Algorithm: "a", Metric: "m", Op: op, Threshold: threshold}
	}
	random := func(s results.Summary) results.Result {
		return results.Result{Scenario: "s", Algorithm: "a", Replications: 20, Metrics: map[string]results.Summary{"m": s}}
	}
	exact := func(s results.Summary) results.Result {
		r := random(s)
		r.Exact, r.Replications = true, 1
		return r
	}
	// The mean is 10 and the interval is 8 to 12. The result depends on the
	// bound that is used.
	wide := random(resultstest.Interval(10, 8, 12, 20))
	mean, bound := 10.0, 12.0
	early := resultstest.Interval(10, 8, 12, 20)
	early.AtLeast = true // the run ended before
	for _, c := range []struct {
		name   string
		expect results.Expectation
		row    results.Result
		want   Status
		reason string
	}{
		{"<= looks at the upper end", ten("<=", 11), wide, Failed, ""},
		{"<= at the upper end", ten("<=", 12), wide, Passed, ""},
		{"< at the upper end", ten("<", 12), wide, Failed, ""},
		{"< above the upper end", ten("<", 12.5), wide, Passed, ""},
		{">= looks at the lower end", ten(">=", 9), wide, Failed, ""},
		{">= at the lower end", ten(">=", 8), wide, Passed, ""},
		{"> at the lower end", ten(">", 8), wide, Failed, ""},
		{"> below the lower end", ten(">", 7.5), wide, Passed, ""},
		{"== needs both ends", ten("==", 10), wide, Failed, ""},
		{"== with one end right", ten("==", 8), wide, Failed, ""},
		{"== of a point", ten("==", 10), exact(resultstest.Point(10)), Passed, ""},
		{"unknown comparison", ten("!=", 10), wide, Unevaluated, `unknown comparison "!="`},
		{"exact without interval", ten("<=", 10), exact(results.Summary{Mean: &mean}), Passed, ""},
		{"no data", ten("<=", 10), random(resultstest.NoData("no window was saturated", 20)), Unevaluated, "no data: no window was saturated"},
		{"no data is not zero", ten("==", 0), random(resultstest.NoData("", 20)), Unevaluated, "no data"},
		{"no such metric", results.Expectation{Algorithm: "a", Metric: "n", Op: "<=", Threshold: 1}, wide, Unevaluated, "not measured"},
		{"no such row", results.Expectation{Algorithm: "b", Metric: "m", Op: "<=", Threshold: 1}, wide, Unevaluated, "no result for this algorithm"},
		{"no interval", ten("<=", 10), random(results.Summary{Mean: &mean}), Unevaluated, "no interval"},
		{"a figure of one run", ten("<=", 10), random(results.Summary{Mean: &mean, Denominators: []float64{0, 3}}), Unevaluated, "no interval: it is of one of 20 replications"},
		{"no lower end", ten("<=", 10), random(results.Summary{Mean: &mean, Hi: &bound}), Unevaluated, "no interval"},
		{"no upper end", ten("<=", 10), random(results.Summary{Mean: &mean, Lo: &mean}), Unevaluated, "no interval"},
		{"two random runs", ten("<=", 12), func() results.Result {
			r := random(resultstest.Interval(10, 8, 12, 2))
			r.Replications = 2
			return r
		}(), Passed, ""},
		{"at least this much is too much", ten("<=", 11), random(early), Failed, ""},
		{"at least this much may be too much", ten("<=", 12), random(early), Unevaluated, "larger than what is known: the run ended before"},
		{"at least this much may be just too much", ten("<", 13), random(early), Unevaluated, "larger than what is known: the run ended before"},
		{"at least this much is enough", ten(">=", 8), random(early), Passed, ""},
		{"one random run", ten("<=", 10), func() results.Result {
			r := random(resultstest.Point(10))
			r.Replications = 1
			return r
		}(), Unevaluated, "too few replications"},
	} {
		doc := &results.Document{
			Scenarios: []results.Scenario{{Name: "s", Seed: 7, Expectations: []results.Expectation{c.expect}}},
			Results:   []results.Result{c.row},
		}
		verdicts := Evaluate(doc)
		got := verdicts.List[0]
		if got.Status != c.want || !strings.Contains(got.Reason, c.reason) || (c.reason == "") != (got.Reason == "") {
			t.Errorf("%s: %s (%s), want %s (%s)", c.name, got.Status, got.Reason, c.want, c.reason)
		}
		if verdicts.Outcome() != c.want {
			t.Errorf("%s: outcome %s, want %s", c.name, verdicts.Outcome(), c.want)
		}
		if text := got.String(); !strings.Contains(text, "seed 7") || !strings.HasPrefix(text, "expect "+c.want.String()) {
			t.Errorf("%s: the line is %q, want verdict and seed in it", c.name, text)
		}
	}
}

// TestExpectationsForABaseline checks that what only a baseline can judge is no verdict of a
// document alone, and that without one each such expectation says so, with its margin.
func TestExpectationsForABaseline(t *testing.T) {
	doc := small()
	s := &doc.Scenarios[0]
	s.Expectations = append(s.Expectations,
		results.Expectation{Algorithm: "a", Metric: "over_limit_pct", Op: catalog.NotWorse, Threshold: 5, Relative: true, Line: 7, Col: 3},
		results.Expectation{Algorithm: "b", Metric: "over_limit_pct", Op: catalog.NotWorse, Threshold: 0.5})
	if n := len(Evaluate(doc).List); n != 2 {
		t.Errorf("%d verdicts, want those of the two thresholds", n)
	}
	list := WithoutBaseline(doc)
	if len(list) != 2 {
		t.Fatalf("%d verdicts without a baseline, want 2", len(list))
	}
	for i, margin := range []string{"5 %", "0.5"} {
		v, e := list[i], s.Expectations[2+i]
		if v.Status != Unevaluated || !strings.Contains(v.Reason, "there is no baseline") || v.Change.NotWorse != margin || v.Algorithm != e.Algorithm || v.Metric != e.Metric || v.Line != e.Line || v.Col != e.Col {
			t.Errorf("%+v of %+v, want the margin %s", v, e, margin)
		}
	}
}

func TestOutcome(t *testing.T) {
	pass, fail, open := Verdict{Status: Passed}, Verdict{Status: Failed}, Verdict{Reason: "no data"}
	for _, c := range []struct {
		name string
		v    Verdicts
		want Status
	}{
		{"nothing to check", Verdicts{}, Unevaluated},
		{"all passed", Verdicts{List: []Verdict{pass, pass}}, Passed},
		{"one open", Verdicts{List: []Verdict{pass, open}}, Unevaluated},
		{"fail beats open", Verdicts{List: []Verdict{open, fail, pass}}, Failed},
		{"interrupted", Verdicts{List: []Verdict{pass}, Partial: true}, Unevaluated},
		{"interrupted and failed", Verdicts{List: []Verdict{fail}, Partial: true}, Failed},
	} {
		if got := c.v.Outcome(); got != c.want {
			t.Errorf("%s: outcome %s, want %s", c.name, got, c.want)
		}
		if !strings.HasPrefix(c.v.Summary(), c.want.String()) {
			t.Errorf("%s: summary %q, want it to start with %s", c.name, c.v.Summary(), c.want)
		}
	}
}

func TestPartialDocument(t *testing.T) {
	doc := small()
	doc.Partial = true
	doc.Results = doc.Results[:2] // the run did not reach b
	verdicts := Evaluate(doc)
	if got := verdicts.List[1]; got.Status != Unevaluated || !strings.Contains(got.Reason, "interrupted") {
		t.Errorf("a row that an interrupted run did not reach: %s (%s)", got.Status, got.Reason)
	}
	for threshold, want := range map[float64]Status{11: Failed, 12: Unevaluated, 13: Unevaluated, 14: Passed} { // 11.5 to 13.5
		doc.Scenarios[0].Expectations[0].Threshold = threshold
		if got := Evaluate(doc).List[0]; got.Status != want || (want == Unevaluated) != strings.Contains(got.Reason, "with 20 replications the interval is from 11.5 to 13.5") {
			t.Errorf("<= %g of an interrupted run: %s (%s), want %s", threshold, got.Status, got.Reason, want)
		}
	}
}

func TestReferenceGivesWayToAnAlgorithmOfItsName(t *testing.T) {
	doc := small()
	doc.Results[1].Algorithm = "reference"
	doc.Scenarios[0].Expectations[0].Algorithm = "reference"
	if got := Evaluate(doc).List[0]; *got.Figure != 12.5 {
		t.Errorf("the threshold was held against %v, want the algorithm's 12.5", *got.Figure)
	}
}

// A value that rounds to its threshold must not produce "failed: <= 10 (was
// 10)".
func TestVerdictShowsWhatDiffers(t *testing.T) {
	figure := 10.0004
	v := Verdict{Status: Failed, Algorithm: "a", Metric: "m", Op: "<=", Threshold: 10, Figure: &figure, BadEnd: &figure, Seed: 1}
	if want := "expect failed: a m <= 10 (was 10.0004, seed 1)"; v.String() != want {
		t.Errorf("verdict reads %q, want %q", v, want)
	}
}

// Expectations that are unevaluated for one reason share a line, and no other
// verdict is lost among them.
func TestLines(t *testing.T) {
	one := func(metric string, s Status, why string) Verdict {
		return Verdict{Algorithm: "gcra", Metric: metric, Op: "<=", Threshold: 2, Status: s, Reason: why, Seed: 1}
	}
	excused := one("d", Unevaluated, "no data")
	excused.Allowed = true
	v := Verdicts{List: []Verdict{
		one("a", Unevaluated, "one run"), one("b", Unevaluated, "one run"),
		one("c", Unevaluated, "no data"), excused, one("e", Failed, "no data"), one("f", Failed, "no data"),
	}}
	want := []string{
		"2 expectations unevaluated (one run; seed 1): gcra a <= 2, gcra b <= 2",
		"expect unevaluated: gcra c <= 2 (no data; seed 1)",
		"expect unevaluated (allowed): gcra d <= 2 (no data; seed 1)",
		"expect failed: gcra e <= 2 (no data; seed 1)",
		"expect failed: gcra f <= 2 (no data; seed 1)",
	}
	if held, got, missed := v.Lines(); !slices.Equal(got, want) || held != nil || missed != 6 {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestUntouchedRows checks that a fault which touched nothing leaves the verdict of the
// rows unevaluated that it can affect, wherever they stand in the document.
func TestUntouchedRows(t *testing.T) {
	doc := small()
	doc.Scenarios[0].Faults = []results.Fault{{Text: "store-down", Unit: "calls"}, {Text: "partition", ExpectNoEffect: true}}
	for i := range doc.Results {
		r := &doc.Results[i]
		r.Touched = []results.Touched{{Affects: true, Max: 1}, {Affects: true}}
		if r.Algorithm == "b" {
			r.Touched[0].Max = 0
		}
	}
	for range len(doc.Results) {
		doc.Results = append(doc.Results[1:], doc.Results[0])
		list := Evaluate(doc).List
		if list[0].Status != Failed || list[1].Status != Unevaluated || !strings.HasPrefix(list[1].Reason, "store-down touched 0 calls: ") {
			t.Errorf("with %s first: %v and %v", doc.Results[0].Algorithm, list[0], list[1])
		}
	}
}

// What a comparison says of all figures between two bounds, and of any, is what Holds says
// of each of them. The less favourable bound fails if one does.
func TestCompare(t *testing.T) {
	for _, op := range []string{"<=", "<", ">=", ">", "==", "!="} {
		for n := range 5 * 5 * 9 {
			lo, hi, threshold := float64(n%5), float64(n%5+n/5%5), float64(n/25)
			all, some := true, false
			for x := lo; x <= hi; x += 0.5 {
				holds := map[string]bool{"<=": x <= threshold, "<": x < threshold, ">=": x >= threshold, ">": x > threshold, "==": x == threshold}[op]
				if Holds(op, x, threshold) != holds {
					t.Fatalf("%g %s %g: want %v", x, op, threshold, holds)
				}
				all, some = all && holds, some || holds
			}
			bad, gotAll, gotSome, known := compare(op, &lo, &hi, threshold)
			if known != (op != "!=") || known && (gotAll != all || gotSome != some || Holds(op, *bad, threshold) != all) {
				t.Fatalf("%g to %g %s %g: %v, %v, want %v, %v", lo, hi, op, threshold, gotAll, gotSome, all, some)
			}
		}
	}
}

// A verdict on an interval says if that is less sure than it seems, and no other verdict
// does.
func TestNotes(t *testing.T) {
	skewed := resultstest.Interval(10, 8, 12, 20)
	skewed.ReplicationsNeeded = 50
	equal := resultstest.Interval(10, 10, 10, 20)
	equal.ReplicationsNeeded = 50
	bounds := skewed
	bounds.Bounds = true
	for name, c := range map[string]struct {
		row  results.Result
		s    results.Summary
		want string
	}{
		"an interval":    {results.Result{Replications: 20}, resultstest.Interval(10, 8, 12, 20), ""},
		"a skewed one":   {results.Result{Replications: 20}, skewed, "the interval may be too small: the replications are skewed, about 50 would do"},
		"equal figures":  {results.Result{Replications: 20}, equal, results.EqualText(20)},
		"an exact row":   {results.Result{Replications: 1, Exact: true}, equal, ""},
		"one random run": {results.Result{Replications: 1}, equal, ""},
		"a real limiter": {results.Result{Replications: 1, Live: &results.Live{}}, bounds, ""},
	} {
		v := Verdict{Metric: "m", Op: "<=", Threshold: 12}
		c.row.Metrics = map[string]results.Summary{"m": c.s}
		if v.judge(c.row, false); v.Note != c.want {
			t.Errorf("%s: %q, want %q", name, v.Note, c.want)
		}
	}
}

// A threshold on a real limiter fails or passes if it does so whatever the truth is.
func TestEvaluateBounds(t *testing.T) {
	bounds := resultstest.Interval(10, 8, 12, 1)
	bounds.Bounds = true
	for _, c := range []struct {
		op         string
		threshold  float64
		summary    results.Summary
		incomplete string
		want       Status
		reason     string
	}{
		{"<=", 7, bounds, "stopped", Failed, ""},
		{"<=", 10, bounds, "", Unevaluated, "it may hold or not"},
		{"<=", 12, bounds, "", Passed, ""},
		{"<=", 12, bounds, "stopped", Unevaluated, "stopped"},
		{"!=", 12, bounds, "", Unevaluated, "unknown comparison"},
		{"<=", 12, resultstest.Interval(10, 8, 12, 1), "", Unevaluated, "the figure has no bounds"},
	} {
		v := Verdict{Metric: "m", Op: c.op, Threshold: c.threshold}
		v.judge(results.Result{Metrics: map[string]results.Summary{"m": c.summary}, Live: &results.Live{Unevaluated: c.incomplete}}, false)
		if v.Status != c.want || !v.Live || !strings.Contains(v.Reason, c.reason) || c.reason == "" && v.Reason != "" {
			t.Errorf("%s %g: %v, live %v, %q", c.op, c.threshold, v.Status, v.Live, v.Reason)
		}
	}
}

// Only a file that a reader can open is the file of a verdict, and the row of an algorithm
// is before that of a reference with its name.
func TestWhatVerdictsPointTo(t *testing.T) {
	for file, want := range map[string]string{"-": "", "suite:basics": "", "a.yaml": "a.yaml", "-a.yaml": "-a.yaml", "": ""} {
		if got := ScenarioFile(results.Stamp{ScenarioFile: file}); got != want {
			t.Errorf("%q: %q", file, got)
		}
	}
	row := func(algorithm string, reference bool) results.Result {
		return results.Result{Scenario: "s", Algorithm: algorithm, Reference: reference}
	}
	doc := &results.Document{Results: []results.Result{row("a", true), row("a", true), row("b", true), row("b", false)}}
	for algorithm, want := range map[string]int{"a": 0, "b": 3, "c": -1} {
		if got := RowOf(doc, "s", algorithm); got != want || RowOf(doc, "other", algorithm) != -1 {
			t.Errorf("%s: row %d, want %d", algorithm, got, want)
		}
	}
}
