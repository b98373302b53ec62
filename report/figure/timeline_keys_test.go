package figure

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/results"
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
