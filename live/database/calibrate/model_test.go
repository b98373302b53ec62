package calibrate

import (
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// TestScenariosOfLoads checks the scenario of each load: it is measured for the time of 3,000
// commits, after a warm-up of a tenth of that, with the load's callers and isolation.
func TestScenariosOfLoads(t *testing.T) {
	about := []Point{
		{Load: Load{Callers: 1, Isolation: "serializable"}, CommitsPerSecond: 1000},
		{Load: Load{Callers: 32, Isolation: "read committed"}, CommitsPerSecond: 250},
		{Load: Load{Callers: 8, Isolation: "serializable"}, CommitsPerSecond: 0},
	}
	f, problems := scenarios.Load("-", []byte(Model{Processors: 2}.scenarios(about)), ".", sim.Catalog())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for i, want := range []time.Duration{3 * time.Second, 12 * time.Second, 300 * time.Second} {
		s := &f.Scenarios[i]
		if s.Duration != int64(want+want/10) || s.Warmup != int64(want)/10 || s.Topology.Clients != about[i].Callers {
			t.Errorf("%+v: duration %v, warmup %v, %d clients; want %v", about[i], time.Duration(s.Duration), time.Duration(s.Warmup), s.Topology.Clients, want)
		}
		names := lists.Map(s.Algorithms, func(a scenarios.Algorithm) string { return strings.ReplaceAll(a.Name, "-", " ") })
		if len(names) != 1 || names[0] != about[i].Isolation {
			t.Errorf("%+v: algorithms %v", about[i], names)
		}
	}
}

// TestWarnings checks when a calibration warns: rates that differ by more than 40 % between
// rounds, in more than a quarter of the loads, and a model that is more than 20 % wrong.
func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		spreads []float64 // between rounds, of 100 commits per second
		fitted  float64
		want    string
	}{
		{[]float64{40, 40, 40, 40}, 100, ""}, {[]float64{41, 40, 40, 40}, 100, ""}, {[]float64{41, 41, 40, 40}, 100, "of 4 loads, 2 "}, {[]float64{0, 0, 0, 41, 41, 41, 0, 0}, 100, "of 8 loads, 3 "},
		{[]float64{0}, 119, ""}, {[]float64{0}, 121, "7 callers: the model commits 121 times a second, the server 100"}, {[]float64{0}, 81, ""}, {[]float64{0}, 79, "commits 79 times"},
	} {
		var r Result
		for _, s := range c.spreads {
			p := Point{Load: Load{Callers: 7, Isolation: "serializable"}, CommitsPerSecond: 100}
			r.Probes = append(r.Probes, Spread{Point: p, Low: 100, High: 100 + s})
			p.CommitsPerSecond = c.fitted
			r.Fitted = append(r.Fitted, p)
		}
		if all := strings.Join(r.Warnings(), "\n"); (all == "") != (c.want == "") || !strings.Contains(all, c.want) {
			t.Errorf("%+v: %q", c, all)
		}
	}
}
