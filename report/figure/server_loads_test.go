package figure

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/sim/results"
)

func TestServerLoads(t *testing.T) {
	doc := document()
	doc.Results[0].Metrics["server_load_max_over_mean"] = results.Summarize([]float64{1.66, 1.7})
	doc.ServerLoads[0].Others = &results.OtherServers{Servers: 2, Calls: 20}
	doc.ServerLoads[2].Servers = doc.ServerLoads[2].Servers[:1]
	f := serverLoads(doc, Picture)
	var titles []string
	for _, p := range f.Panels {
		titles = append(titles, p.Title)
	}
	if got := strings.Join(titles, ", "); got != "batch: max/mean 1.66, debt" || f.PageOnly {
		t.Errorf("panels %s, on pages only: %v", got, f.PageOnly)
	}
	var heights []float64
	bars := shapesOf[Polygon](f.Panels[0])
	for _, b := range bars {
		heights = append(heights, b.Points[1].Y)
	}
	if !cmp.Equal(heights, []float64{5, 1}) || bars[0].Points[3].X >= bars[1].Points[0].X {
		t.Errorf("bars %+v", bars)
	}
	if lines := shapesOf[Line](f.Panels[0]); len(lines) != 1 || !cmp.Equal(lines[0].Points, []Point{{0, 2}, {2, 2}}) {
		t.Errorf("means %+v", lines)
	}

	// Equal loads need no picture, and a single server has none.
	for i := range doc.ServerLoads {
		doc.ServerLoads[i].Servers = []results.ServerLoad{{Calls: 30}, {Calls: 30}}
		doc.ServerLoads[i].Others = nil
	}
	if f := serverLoads(doc, Picture); !f.PageOnly {
		t.Error("a picture of equal loads")
	}
	doc.ServerLoads = nil
	if serverLoads(doc, Picture) != nil {
		t.Error("a picture without servers")
	}
}
