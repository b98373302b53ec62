package figure

import (
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

// The figure of a log has a row for each of its most refused keys, with a bar from
// the first refusal on, and nothing red in a row that is never refused.
func TestRefused(t *testing.T) {
	doc := document()
	if f := refused(doc, Page); f != nil {
		t.Fatal("a scenario without a log has the figure")
	}
	for _, s := range doc.Series {
		reject := int64(0)
		if s.Algorithm == "batch" {
			reject = 30
		}
		for i, key := range []string{"10.0.0.1", "a-long-name-of-a-tenant/with-a-path/and-more"} {
			one := s
			one.Offered, one.Admitted = []int64{20, 0, 20, 20}, []int64{20, 0, 20 - int64(1-i)*reject/3, 20}
			doc.KeySeries = append(doc.KeySeries, results.KeySeries{Key: key, Why: results.KeyRefused, Series: one})
		}
		doc.Rejections = append(doc.Rejections, results.Rejections{Scenario: "Fleet", Algorithm: s.Algorithm, Keys: []results.KeyTotals{
			{Key: "a-long-name-of-a-tenant/with-a-path/and-more", Rejected: 1}, {Key: "10.0.0.1", Rejected: 5 + reject},
		}})
	}
	f := refused(doc, Page)
	if len(f.Panels) != 3 {
		t.Fatalf("%d panels", len(f.Panels))
	}
	for _, p := range f.Panels {
		if !slices.Equal(p.Y.Rows, []string{"10.0.0.1", "a-long-name…d-more"}) && (len(p.Y.Rows) != 2 || p.Y.Rows[0] != "10.0.0.1" || len([]rune(p.Y.Rows[1])) > longestKey) {
			t.Errorf("%s: rows %q", p.Title, p.Y.Rows)
		}
		var red []Bar
		for _, b := range shapesOf[Bar](p) {
			if b.Paint == Excess {
				red = append(red, b)
			}
		}
		switch {
		case p.Title == "batch" && (len(red) != 1 || red[0].Row != 0 || red[0].From != 1 || red[0].To != 1.5):
			t.Errorf("batch: %+v", red)
		case p.Title != "batch" && len(red) > 0:
			t.Errorf("%s is not refused: %+v", p.Title, red)
		}
		if p.Title == "batch" && !strings.Contains(p.Marks[0].Title, "10 of 60 refused, the first 1s after the start") {
			t.Errorf("title %q", p.Marks[0].Title)
		}
	}
}
