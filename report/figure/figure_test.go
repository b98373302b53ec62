package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/sim/results"
)

// Every kind of figure is made, in order, with the reference first.
func TestOf(t *testing.T) {
	for _, medium := range []Medium{Picture, Page} {
		var names []string
		for _, build := range Of(document(), medium) {
			f := build()
			names = append(names, f.Name)
			if f.Heading() != "Fleet: "+strings.ToLower(f.Title[:1])+f.Title[1:] || f.Setting != "limit 100/s · seed 7" {
				t.Errorf("%s: heading %q, setting %q", f.Name, f.Heading(), f.Setting)
			}
			if f.Shared && (len(f.Panels) != 3 || !strings.HasPrefix(f.Panels[0].Title, "exact")) {
				t.Errorf("%s: %d panels, the first %q", f.Name, len(f.Panels), f.Panels[0].Title)
			}
			for _, p := range f.Panels {
				if p.Alt == "" || p.Title == "" || len(p.Marks) == 0 {
					t.Errorf("%s: panel %q, described as %q, has %d marks", f.Name, p.Title, p.Alt, len(p.Marks))
				}
			}
		}
		if got := strings.Join(names, " "); got != "timeline accuracy frontier jobs calls latency shares client-shares settlement server-loads guard" {
			t.Errorf("figures %s", got)
		}
	}
}

func TestNothingToShow(t *testing.T) {
	for _, build := range Of(&results.Document{Scenarios: []results.Scenario{{Name: "s"}}}, Page) {
		if f := build(); f != nil {
			t.Errorf("a scenario without data has the figure %s", f.Name)
		}
	}
}

func TestTimelineAndGuard(t *testing.T) {
	doc := document()
	f := timeline(doc, Page)
	p := f.Panels[1]
	want := [][]float64{{300, 310, 290, 320}, {120, 100, 100, 100}, {100, 100, 50, 50}}
	if diff := cmp.Diff(want, p.Readout.Values); diff != "" {
		t.Errorf("values of the readout (-want +got):\n%s", diff)
	}
	areas := shapesOf[Steps](p)
	if len(areas) != 2 || areas[0].Paint != Offered || areas[1].Paint != Admitted || !cmp.Equal(areas[0].Heights, want[0]) || areas[0].Step != 0.5 {
		t.Errorf("areas %+v", areas)
	}
	limit := []Point{{0, 100}, {1, 100}, {1, 50}, {2, 50}}
	if lines := shapesOf[Line](p); len(lines) != 1 || !cmp.Equal(lines[0].Points, limit) {
		t.Errorf("limit %+v, want %v", lines, limit)
	}
	if want := "limit 100/s, from 1s on 50/s"; !strings.HasSuffix(p.Alt, want) {
		t.Errorf("described as %q, want %q at its end", p.Alt, want)
	}

	// A limit far above the traffic is mentioned in the text, but not drawn.
	for i := range doc.Series {
		doc.Series[i].LimitPerBin = 5000
	}
	f = timeline(doc, Page)
	if lines := shapesOf[Line](f.Panels[0]); len(lines) != 0 || !strings.Contains(f.Legend[2].Label, "10000/s, above the panels") || f.Panels[0].Y.Hi > 400 {
		t.Errorf("a limit of 10000/s: %d lines, legend %q, scale to %v", len(lines), f.Legend[2].Label, f.Panels[0].Y.Hi)
	}

	f = guard(doc, Page)
	if len(f.Panels) != 1 || len(f.Legend) != len(doc.Series) {
		t.Fatalf("the guard has %d panels and %d lines for %d loads", len(f.Panels), len(f.Legend), len(doc.Series))
	}
	for i := range doc.Series {
		doc.Series[i].Inflight = []int64{0, 500, 1000, 2}
	}
	doc.Series[1].Inflight = []int64{0, 1, 7, 2}
	f = guard(doc, Page)
	if lines := shapesOf[Line](f.Panels[0]); len(lines) != 2 || !f.Panels[0].Y.Log || !strings.HasSuffix(f.Legend[0].Label, ": at most 1000 in flight") || !strings.HasSuffix(f.Legend[1].Label, ": at most 7 in flight") {
		t.Errorf("loads of which all but one are equal: %d lines, legend %v", len(lines), f.Legend)
	}
	for i := range doc.Series {
		doc.Series[i].Limit = []int64{9, 9, 9, 9}
	}
	if f = guard(doc, Page); len(f.Legend) != 2 || f.Legend[0].Label != "exact, batch: at most 1000 in flight" {
		t.Errorf("limits and loads of which all but one are equal: legend %v", f.Legend)
	}
}

// A panel over time merges the bins that it could not show.
func TestBinsAreJoined(t *testing.T) {
	doc := document()
	doc.Series = doc.Series[:1]
	doc.Series[0].Offered, doc.Series[0].Admitted = make([]int64, 3000), make([]int64, 3000)
	for medium, want := range map[Medium]int{Picture: 600, Page: 300} {
		if got := len(timeline(doc, medium).Panels[0].Readout.Values[0]); got != want {
			t.Errorf("medium %d: %d steps, want %d", medium, got, want)
		}
	}
}

// A last bin of fewer merged bins is as high as they are, and averages count each bin once.
func TestLastBinOfFewer(t *testing.T) {
	doc := document()
	doc.Series = doc.Series[:1]
	s := &doc.Series[0]
	s.Offered, s.Admitted, s.Calls, s.Inflight = slices.Repeat([]int64{12}, 301), slices.Repeat([]int64{6}, 301), slices.Repeat([]int64{10}, 301), nil
	s.Offered[300] = 24
	s.BinNs = 100e6
	perSecond := 1 / s.BinSeconds()
	for name, f := range map[string]*Figure{"timeline": rateTimeline(doc, Page), "calls": calls(doc, Page)} {
		values := f.Panels[0].Readout.Values
		for i, per := range map[string][2]float64{"timeline": {12, 6}, "calls": {12, 10}}[name] {
			want := per * perSecond
			if got := values[i]; got[0] != want || i == 0 && got[len(got)-1] != 2*want || i == 1 && got[len(got)-1] != want || len(got) != 151 {
				t.Errorf("%s: %d bins from %v to %v, want %v", name, len(got), got[0], got[len(got)-1], want)
			}
		}
		if want := map[string]string{"timeline": "offered 120.4/s on average", "calls": "100/s on average"}[name]; !strings.Contains(f.Panels[0].Alt, want) {
			t.Errorf("%s: %q has no %q", name, f.Panels[0].Alt, want)
		}
	}
}

// A figure counts what it omits.
func TestMoreAlgorithmsThanPanels(t *testing.T) {
	doc := document()
	for i := range 30 {
		one := doc.Series[0]
		one.Algorithm = fmt.Sprint("more", i)
		doc.Series = append(doc.Series, one)
	}
	for medium, want := range map[Medium]string{Picture: "18 more algorithms", Page: "9 more algorithms"} {
		if f := timeline(doc, medium); !strings.Contains(f.Subtitle, want) {
			t.Errorf("medium %d: %d panels, %q, want %q", medium, len(f.Panels), f.Subtitle, want)
		}
	}
}

func TestAccuracy(t *testing.T) {
	doc := document()
	doc.Results[0].Metrics["burst_excess"] = results.Summary{Reason: "no burst"}
	f := accuracy(doc, Page)
	var order []string
	for _, p := range f.Panels {
		order = append(order, p.Title)
	}
	if diff := cmp.Diff([]string{"over-limit", "burst excess", "over-admission", "under-admission"}, order); diff != "" || f.Columns != 4 {
		t.Fatalf("panels in %d columns (-want +got):\n%s", f.Columns, diff)
	}
	over, burst := f.Panels[0], f.Panels[1]
	if diff := cmp.Diff([]string{"exact (reference)", "batch", "debt"}, over.Y.Rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	bars, whiskers := shapesOf[Bar](over), shapesOf[Whisker](over)
	if len(bars) != 3 || bars[0].Paint != Reference || bars[1].Paint != Algorithm || bars[1].To != 20 || bars[1].Row != 1 {
		t.Errorf("bars %+v", bars)
	}
	if len(whiskers) != 2 || whiskers[0].Lo != 18 || whiskers[0].Hi != 22 {
		t.Errorf("whiskers %+v", whiskers)
	}
	if want := "batch, over-limit: 20, 95 % interval 18 to 22"; over.Marks[1].Title != want {
		t.Errorf("title %q, want %q", over.Marks[1].Title, want)
	}
	if over.X.Hi < 1.3*22 {
		t.Errorf("scale to %v leaves no room for the value of the longest bar", over.X.Hi)
	}
	if values := shapesOf[Value](burst); !values[1].Soft || values[1].Words != "no data" || burst.Marks[1].Title != "batch, burst excess: no data: no burst" {
		t.Errorf("without data: %+v, %q", values[1], burst.Marks[1].Title)
	}
}

// The frontier has a panel for each pair of metrics in which rows differ. There
// is a picture of it if two rows call servers.
func TestFrontier(t *testing.T) {
	none := results.Summary{Reason: "no window was saturated"}
	same := func(s results.Summary) [3]results.Summary { return [3]results.Summary{s, s, s} }
	rising := [3]results.Summary{summary(1, 0), summary(2, 0.5), summary(3, 0)}
	for _, c := range []struct {
		name                      string
		over, burst, under, calls [3]results.Summary
		panels                    string
		picture                   bool
	}{
		{"all", rising, rising, rising, rising, "over-admission against server calls, under-admission against server calls, burst excess against server calls, over-admission against under-admission", true},
		{"never over", same(summary(0, 0)), same(summary(0, 0)), rising, rising, "under-admission against server calls", true},
		{"bursts alone", same(none), rising, rising, rising, "under-admission against server calls, burst excess against server calls", true},
		{"no calls", rising, rising, rising, same(none), "over-admission against under-admission", false},
		{"one caller", rising, same(none), rising, [3]results.Summary{none, none, summary(3, 0)}, "over-admission against server calls, under-admission against server calls, over-admission against under-admission", false},
		{"no difference", same(none), same(none), same(summary(0, 0)), rising, "", false},
	} {
		doc := document()
		for i := range doc.Results {
			doc.Results[i].Metrics = map[string]results.Summary{
				"over_admission_pct": c.over[i], "burst_excess": c.burst[i], "under_admission_pct": c.under[i], "server_calls_per_s": c.calls[i],
			}
		}
		f := frontier(doc, Page)
		var titles []string
		for _, p := range f.Panels {
			titles = append(titles, p.Title)
			if spots := shapesOf[Spot](p); len(spots) != 3 || spots[0].Paint != Reference || spots[0].Label != "exact (reference)" {
				t.Errorf("%s: %s has spots %+v", c.name, p.Title, spots)
			}
		}
		if got := strings.Join(titles, ", "); got != c.panels || f.PageOnly == c.picture {
			t.Errorf("%s: panels %q, want %q; a picture %v, want %v", c.name, got, c.panels, !f.PageOnly, c.picture)
		}
		if c.panels == "" && !strings.HasPrefix(f.Caption(), "Nothing to draw") {
			t.Errorf("%s: caption %q", c.name, f.Caption())
		}
	}
	f := frontier(document(), Page)
	if p := f.Panels[0]; len(shapesOf[Whisker](p)) != 2 {
		t.Errorf("whiskers %+v of rows of which two have an interval", shapesOf[Whisker](p))
	}
	doc := document()
	for i := range doc.Results {
		doc.Results[i].Metrics = map[string]results.Summary{"over_admission_pct": summary(float64(i), 3), "under_admission_pct": summary(float64(i), 1)}
	}
	p := frontier(doc, Page).Panels[0]
	for _, w := range shapesOf[Whisker](p) {
		if axis := map[bool]Axis{true: p.Y, false: p.X}[w.AlongY]; w.Hi >= axis.Hi {
			t.Errorf("an interval up to %v on an axis up to %v", w.Hi, axis.Hi)
		}
	}
}

// A row of a latency has its quantiles by nearest rank, the middles of buckets and at most
// the largest value, as in a table. No algorithm is left out: one whose values are all
// the same is a dot.
func TestLatency(t *testing.T) {
	doc, most := document(), 8.2
	doc.Results[0].Metrics["wait_max_ms"] = results.Summary{Values: []*float64{&most, nil}}
	f := latency(doc, Page)
	if len(f.Panels) != 1 || f.Columns != 1 {
		t.Fatalf("%d panels in %d columns", len(f.Panels), f.Columns)
	}
	p := f.Panels[0]
	var titles []string
	for _, m := range p.Marks {
		titles = append(titles, m.Title)
	}
	want := []string{
		"exact, wait: p50 0, p99 0, p99.9 0, largest 0 ms",
		"batch, wait: p50 1.5, p99 3, p99.9 8.2, largest 8.2 ms",
		"debt, wait: p50 0, p99 0, p99.9 0, largest 0 ms",
	}
	if diff := cmp.Diff(want, titles); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	bars, spots := shapesOf[Bar](p), shapesOf[Spot](p)
	if len(bars) != 1 || bars[0].From != 1.499999 || bars[0].To != 2.999999 || len(spots) != 2 || spots[1].Y != 2 {
		t.Errorf("bars %+v, dots %+v", bars, spots)
	}
	same := document()
	for i := range same.Histograms {
		same.Histograms[i].Buckets = []results.Bucket{{Lo: 4e6, Hi: 4e6 + 1, Count: 9}}
	}
	if spots := shapesOf[Spot](latency(same, Page).Panels[0]); len(spots) == 0 || spots[0].X != 4 {
		t.Errorf("rows whose values are all 4 ms: %+v", spots)
	}
	if p.Alt != "wait: exact p99 0 ms; batch p99 3 ms; debt p99 0 ms" {
		t.Errorf("described as %q", p.Alt)
	}
	for _, tick := range p.X.Ticks {
		if strings.Contains(tick.Label, "e-") {
			t.Errorf("tick %q", tick.Label)
		}
	}
}

func TestShares(t *testing.T) {
	doc := document()
	doc.Results[0].Metrics["fairness_tenant_run_min"] = results.Summarize([]float64{0.8, 0.9})
	f := shares(doc, Page)
	if got := f.Panels[1].Title; got != "batch: fairness 0.8" {
		t.Errorf("title %q, want the fairness of the replication that is drawn", got)
	}
	p := f.Panels[0]
	if diff := cmp.Diff([]string{"loud", "quiet"}, p.Y.Rows); diff != "" {
		t.Errorf("tenants (-want +got):\n%s", diff)
	}
	if bars := shapesOf[Bar](p); p.X.Log || len(bars) != 4 || bars[0].To != 900 || bars[1].To != 250 {
		t.Errorf("bars %+v, logarithmic %v", bars, p.X.Log)
	}
	if fair := shapesOf[Upright](p); len(fair) != 2 || fair[0].X != 200 {
		t.Errorf("fair shares %+v", fair)
	}
	if want := "exact, loud: offered 900, admitted 250, rejected 650, fair share 200"; p.Marks[0].Title != want {
		t.Errorf("title %q, want %q", p.Marks[0].Title, want)
	}

	// Tenants of very different sizes are drawn on a logarithmic axis.
	doc.Shares[0].Tenants[1] = results.Share{Tenant: "quiet", Offered: 10, Admitted: 0, Fair: 10}
	f = shares(doc, Page)
	p = f.Panels[1]
	if spots, bars := shapesOf[Spot](p), shapesOf[Bar](p); !p.X.Log || !p.X.Zeros || len(spots) != 2 || spots[0].X != 250 || bars[0].From != 250 || bars[0].To != 900 {
		t.Errorf("spots %+v, bars %+v, axis %+v", spots, bars, p.X)
	}
	if f.Legend[1].Sample != SpotSample || p.X.Lo > 10 || math.IsInf(p.X.Lo, 0) {
		t.Errorf("legend %+v, axis from %v", f.Legend[1], p.X.Lo)
	}
	doc.Shares = doc.Shares[:1]
	doc.Shares[0].Tenants = doc.Shares[0].Tenants[:1]
	if shares(doc, Page) != nil {
		t.Error("one tenant has a figure of shares")
	}
}

// TestTenantsOfAllRows checks that tenants which most rows list come first, that the others
// together are none, and that it is said where a row lists other tenants.
func TestTenantsOfAllRows(t *testing.T) {
	doc := document()
	for i, names := range []string{"a b c others", "c a d others", "c a"} {
		doc.Shares[i].Tenants = nil
		for _, name := range strings.Fields(names) {
			doc.Shares[i].Tenants = append(doc.Shares[i].Tenants, results.Share{Tenant: name, Offered: 5, Admitted: 4, Fair: 4})
		}
	}
	f := shares(doc, Page)
	if diff := cmp.Diff([]string{"a", "c", "b"}, f.Panels[0].Y.Rows); diff != "" {
		t.Errorf("tenants (-want +got):\n%s", diff)
	}
	if !strings.Contains(f.Subtitle, "nothing is drawn where") {
		t.Errorf("subtitle %q", f.Subtitle)
	}
	if f = shares(document(), Page); strings.Contains(f.Subtitle, "nothing is drawn") {
		t.Errorf("subtitle %q of equal lists", f.Subtitle)
	}
}
