package table

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// An under-admitted request need not be rejected: it may be admitted in a later
// window than in the reference.
func TestSentenceTellsLateFromRefused(t *testing.T) {
	row := func(name string, under, rejected float64) results.Result {
		return results.Result{Algorithm: name, Exact: true, Metrics: map[string]results.Summary{
			"over_limit_pct": resultstest.NoData("no window was saturated", 1), "burst_excess": resultstest.Point(0),
			"over_admission_pct": resultstest.Point(0), "under_admission_pct": resultstest.Point(under), "rejected_pct": resultstest.Point(rejected),
		}}
	}
	for _, c := range []struct {
		name string
		rows []results.Result
		want string
	}{
		{"late", []results.Result{row("far", 0.5, 0), row("near", 0.1, 3)}, "furthest below what the reference admits: far, by 0.5 %, late and not refused"},
		{"refused", []results.Result{row("far", 0.5, 3), row("near", 0.1, 0)}, "furthest below what the reference admits: far, by 0.5 %; "},
		{"one of two refuses", []results.Result{row("far", 0.5, 0), row("as far", 0.5, 3)}, "furthest below what the reference admits: far and as far, by 0.5 %; "},
		{"nothing", []results.Result{row("far", 0, 3)}, "none admits less than the reference in any window"},
	} {
		if got := Sentence(c.rows, catalog.Headline(), "requests"); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q does not say %q", c.name, got, c.want)
		}
	}
}

// TestClosest checks which algorithms a sentence calls the closest to the
// reference.
func TestClosest(t *testing.T) {
	row := func(name string, over, under, burst results.Summary) results.Result {
		return results.Result{Algorithm: name, Metrics: map[string]results.Summary{
			"over_limit_pct": resultstest.Point(0), "burst_excess": burst, "over_admission_pct": over, "under_admission_pct": under,
		}}
	}
	point, sample := resultstest.Point, resultstest.Sample
	old := row("old", point(0), point(0), point(0))
	delete(old.Metrics, "over_admission_pct")
	for _, c := range []struct {
		name string
		rows []results.Result
		want string // "" for no claim
	}{
		{"no excess of any window or burst, and far above the reference",
			[]results.Result{row("fixed-window", point(35), point(0), point(0)), row("token-bucket", point(0), point(1.5), point(0))},
			"token-bucket, 1.5 % over and under it"},
		{"over and under count alike",
			[]results.Result{row("a", point(2), point(2), point(0)), row("b", point(0), point(3), point(9)), row("c", point(3.5), point(0), point(0))},
			"b, 3 % over and under it"},
		{"a tie goes to the least burst", []results.Result{row("a", point(1), point(2), point(9)), row("b", point(2), point(1), point(4))}, "b, 3 %"},
		{"numbers that print the same tie", []results.Result{row("a", point(3.0001), point(0), point(4)), row("b", point(0), point(3), point(9))}, "a, 3 %"},
		{"a tie in all", []results.Result{row("a", point(1), point(2), point(4)), row("b", point(2), point(1), point(4))}, "a and b, 3 %"},
		{"larger by chance",
			[]results.Result{row("a", sample(1, 3), sample(0, 0), sample(4, 6)), row("b", sample(2, 5), sample(0, 0), sample(5, 9))}, "a, 2 % over and under it, and within chance of that b (3.5 %)."},
		{"larger in each of six pairs, within the intervals",
			[]results.Result{row("a", sample(1, 2, 3, 4, 5, 6), sample(0, 0, 0, 0, 0, 0), point(9)), row("b", sample(1.1, 2.1, 3.1, 4.1, 5.1, 6.2), sample(0, 0, 0, 0, 0, 0), point(0))}, "a, 3.5 %"},
		{"larger in five of six pairs",
			[]results.Result{row("a", sample(1, 2, 3, 4, 5, 6), sample(0, 0, 0, 0, 0, 0), point(9)), row("b", sample(1.1, 2.1, 3.1, 4.1, 5.1, 5.9), sample(0, 0, 0, 0, 0, 0), point(0))}, "b, 3.5"},
		{"the replications of a sum vary less than its parts",
			[]results.Result{row("a", sample(1, 3), sample(3, 1), sample(9, 9)), row("b", sample(5, 5), sample(0, 0), sample(0, 0))}, "a, 4 %"},
		{"a document from before over-admission", []results.Result{old, old}, ""},
	} {
		got := Sentence(c.rows, catalog.Headline(), "requests")
		if want := "closest to the reference: " + c.want; (c.want == "") == strings.Contains(got, "closest") || !strings.Contains(got, want) && c.want != "" {
			t.Errorf("%s: %q does not say %q", c.name, got, want)
		}
	}
}

// A sentence claims only what its table shows.
func TestSentenceIsOfShownColumns(t *testing.T) {
	rows := resultstest.Document().PerScenario()[0].Rows("steady 3x")
	for _, c := range []struct {
		columns []string
		want    string
	}{
		{[]string{"rejected_pct"}, ""},
		{[]string{"over_limit_pct", "under_admission_pct"}, "Furthest over the limit: batch-100ms, by 12.3 % in saturated windows (reference 0.8 %, its burst); furthest below what the reference admits: batch-debt, by 7.9 %."},
		{[]string{"over_admission_pct", "under_admission_pct"}, "Furthest above what the reference admits: batch-100ms, by 11.5 %; furthest below what the reference admits: batch-debt, by 7.9 %; closest to the reference: batch-debt, 8.6 % over and under it."},
	} {
		if got := Sentence(rows, c.columns, "requests"); got != c.want {
			t.Errorf("%v: %q, want %q", c.columns, got, c.want)
		}
	}
}

// What is said of simulated rows is not said of a real limiter beside them.
func TestSentenceTellsMeasuredFromSimulated(t *testing.T) {
	rows := resultstest.Document().PerScenario()[0].Rows("steady 3x")
	rows = append(rows, results.Result{Algorithm: "http", Live: &results.Live{Over: results.LiveVerdict{Text: "over the limit (certified: 200 requests admitted in a window, limit 100)"}}})
	want := "In simulation, furthest over the limit: batch-100ms, by 12.3 % in saturated windows (reference 0.8 %, its burst)."
	if got := Sentence(rows, []string{"over_limit_pct"}, "requests"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
