package figure

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/sim/results"
)

func TestClientShares(t *testing.T) {
	doc := document()
	doc.Results[1].Metrics["client_share_max_over_min"] = results.Summarize([]float64{3, 5})
	f := clientShares(doc, Picture)
	var titles []string
	for _, p := range f.Panels {
		titles = append(titles, p.Title)
	}
	if got := strings.Join(titles, ", "); got != "exact, batch: a client got nothing, debt: max/min 3" || f.PageOnly {
		t.Errorf("panels %s, on pages only: %v", got, f.PageOnly)
	}
	p := f.Panels[2]
	if areas := shapesOf[Steps](p); len(areas) != 1 || !cmp.Equal(areas[0].Heights, []float64{50, 150}) {
		t.Errorf("areas %+v", areas)
	}
	if lines := shapesOf[Line](p); len(lines) != 1 || !cmp.Equal(lines[0].Points, []Point{{0, 100}, {1, 100}, {1, 100}, {2, 100}}) {
		t.Errorf("fair shares %+v", lines)
	}

	// Equal shares need no picture.
	for i := range doc.ClientShares {
		doc.ClientShares[i].Clients[0].Admitted = 140
	}
	if f := clientShares(doc, Picture); !f.PageOnly {
		t.Error("a picture of equal shares")
	}
}

func TestFairnessBesideAccuracy(t *testing.T) {
	doc := document()
	if f := accuracy(doc, Picture); len(f.Panels) != 4 {
		t.Errorf("%d panels without a fairness", len(f.Panels))
	}
	doc.Results[0].Metrics["fairness_client_run_min"] = summary(0.5, 0)
	if f := accuracy(doc, Picture); len(f.Panels) != 5 || f.Panels[4].Title != "fairness of clients" || f.Columns != 5 {
		t.Errorf("%d panels, want a fifth of the clients", len(f.Panels))
	}
	doc.Results[0].Metrics["fairness_tenant_run_min"] = summary(0.9, 0)
	if f := accuracy(doc, Picture); len(f.Panels) != 5 || f.Panels[4].Title != "fairness of tenants" || !strings.HasSuffix(f.Note, "except for fairness.") {
		t.Errorf("%d panels, want a fifth of the tenants; note %q", len(f.Panels), f.Note)
	}
}
