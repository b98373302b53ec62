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
