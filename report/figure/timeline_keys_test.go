package figure

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/sim/results"
)

// withKeys returns a document whose scenario has several keys, three of them
// with series: the limit of one is a fifth of what all have together.
func withKeys() *results.Document {
	doc := document()
	doc.Scenarios[0].Keys = 5
	for _, k := range []results.KeySeries{
		{Key: "Acme Ltd.", Why: results.KeyWorst, WorstOf: "batch"}, {Key: "acme ltd", Why: results.KeyNamed}, {Key: "calm", Why: results.KeyBusiest},
	} {
		for _, one := range doc.Series {
			k.Series = one
			k.LimitPerBin, k.LimitChanges = 10, nil
			doc.KeySeries = append(doc.KeySeries, k)
		}
	}
	return doc
}

// With several keys the first timeline is that of the worst one, against the
// limit of one key. The one of all keys says that it is a sum.
func TestTimelinesOfKeys(t *testing.T) {
	type want struct{ name, title, why, label string }
	var got []want
	for _, build := range Of(withKeys(), Picture) {
		f := build()
		if !strings.HasSuffix(f.Name, "timeline") {
			continue
		}
		why, _, _ := strings.Cut(f.Subtitle, " · first replication")
		got = append(got, want{f.Name, strings.TrimPrefix(f.Title, "Offered, admitted and limit over time, "), why, f.Legend[2].Label})
		limit := map[bool]float64{true: 100, false: 20}[f.Name == "sum-timeline"]
		if lines := shapesOf[Line](f.Panels[1]); len(f.Panels) != 3 || lines[0].Points[0].Y != limit {
			t.Errorf("%s: %d panels, limit %v, want %v", f.Name, len(f.Panels), lines[0].Points[0].Y, limit)
		}
	}
	expected := []want{
		{"timeline", "key Acme Ltd.", "the worst key of batch", "limit"},
		{"key-acme-ltd-2-timeline", "key acme ltd", "first replication, bins of 500ms", "limit"},
		{"timeline", "key calm", "the key with the most requests; no key is over its limit", "limit"},
		{"sum-timeline", "sum of 5 keys", "first replication, bins of 500ms", "limit, of all 5 keys together"},
	}
	if diff := cmp.Diff(expected, got, cmp.AllowUnexported(want{})); diff != "" {
		t.Errorf("timelines (-want +got):\n%s", diff)
	}
}

// Where the limit is less than some requests in a bin, a timeline has wider bins:
// one that admits exactly the limit is drawn at the limit, and not as a comb that
// reaches twice as high.
func TestTimelineOfFewRequests(t *testing.T) {
	doc := document()
	doc.Scenarios[0].Policy.WindowNs = 1e9
	one := results.Series{Scenario: doc.Series[0].Scenario, Algorithm: "reference", BinNs: 50e6, LimitPerBin: 0.5}
	for i := range int64(400) {
		one.Offered, one.Admitted = append(one.Offered, 3), append(one.Admitted, i%2)
	}
	doc.Series = []results.Series{one}
	f := timeline(doc, Picture)
	if got := f.Panels[0].Readout; got.StepNs != 1e9 || got.Values[1][0] != 10 || got.Values[1][19] != 10 {
		t.Errorf("bins of %d ns, admitted %v/s, want 1 s and 10/s", got.StepNs, got.Values[1])
	}
	for _, c := range []struct {
		limit  float64 // per bin
		window int64
		bins   int
		want   int
	}{
		{10, 1e9, 600, 1},
		{0, 1e9, 600, 1},
		{3, 1e9, 600, 4},
		{1.5, 1e9, 600, 8}, // 7 would leave a rest
		{3, 1e9, 601, 4},   // no number divides a prime
		{0.01, 1e9, 600, 10},
		{0.01, 1e12, 600, 30},
		{1, 5e7, 600, 1},
	} {
		s := results.Series{BinNs: 1e8, Offered: make([]int64, c.bins)}
		if got := wholeRequests(s, c.limit, c.window); got != c.want {
			t.Errorf("limit %v in a bin, window %d, %d bins: merges %d, want %d", c.limit, c.window, c.bins, got, c.want)
		}
	}
}

// Where the limit is far above the panels, the row that admits least decides how
// long the bins are.
func TestTimelineOfFewAdmissions(t *testing.T) {
	doc := document()
	doc.Scenarios[0].Policy.WindowNs = 1e9
	doc.Series = nil
	for _, admittedIn := range []int64{1, 5} { // every bin, every fifth
		one := results.Series{Scenario: doc.Scenarios[0].Name, Algorithm: fmt.Sprint("every ", admittedIn), BinNs: 2e6, LimitPerBin: 2000}
		for i := range int64(500) {
			var admitted int64
			if i%admittedIn == 0 {
				admitted = 1
			}
			one.Offered, one.Admitted = append(one.Offered, 4), append(one.Admitted, admitted)
		}
		doc.Series = append(doc.Series, one)
	}
	f := timeline(doc, Picture)
	for _, p := range f.Panels {
		if got := p.Readout.StepNs; got != 50e6 {
			t.Errorf("%s: bins of %d ns, want 50 ms, the most of which 20 remain", p.Title, got)
		}
	}
	if len(f.Panels) != 2 || f.Panels[1].Readout.Values[1][0] != 100 || f.Panels[1].Y.Hi > 2500 {
		t.Errorf("%d panels, the second admits %v/s to %v", len(f.Panels), f.Panels[1].Readout.Values[1], f.Panels[1].Y.Hi)
	}
}
