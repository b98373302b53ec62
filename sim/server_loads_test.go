package sim

import (
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

// TestServerLoadsAreBounded checks that the busiest servers are listed, among equal
// ones those with the lowest numbers, and that no call is left out.
func TestServerLoadsAreBounded(t *testing.T) {
	loads := make([]results.ServerLoad, results.MaxServers+50)
	for i := range loads {
		loads[i] = results.ServerLoad{Server: i, Calls: 3, Entries: 5, CallsPeak1s: 1}
	}
	last := len(loads) - 1
	loads[last] = results.ServerLoad{Server: last, Calls: 100, Entries: 200, CallsPeak1s: 10}
	s := serverLoads("s", "a", slices.Clone(loads))
	if n := len(s.Servers); n != results.MaxServers || s.Servers[n-2].Server != n-2 || s.Servers[n-1] != (results.ServerLoad{Server: last, Calls: 100, Entries: 200, CallsPeak1s: 10}) {
		t.Errorf("%d servers, the last ones %+v", n, s.Servers[n-2:])
	}
	if s.Others == nil || *s.Others != (results.OtherServers{Servers: 50, Calls: 150, Entries: 250}) {
		t.Errorf("others %+v", s.Others)
	}
	doc := results.Document{SchemaVersion: results.SchemaVersion, Scenarios: []results.Scenario{{Name: "s"}}, ServerLoads: []results.ServerLoads{s}}
	if err := doc.Check(); err != nil {
		t.Error(err)
	}
	for what, spoil := range map[string]func(*results.ServerLoads){
		"a number twice":      func(l *results.ServerLoads) { l.Servers[1].Server = 0 },
		"a negative count":    func(l *results.ServerLoads) { l.Servers[1].Calls = -1 },
		"a peak above":        func(l *results.ServerLoads) { l.Servers[1].CallsPeak1s = 4 },
		"too many":            func(l *results.ServerLoads) { l.Servers = append(l.Servers, results.ServerLoad{Server: last + 1}) },
		"others without any":  func(l *results.ServerLoads) { l.Others = &results.OtherServers{} },
		"an unknown scenario": func(l *results.ServerLoads) { l.Scenario = "other" },
	} {
		doc.ServerLoads = []results.ServerLoads{serverLoads("s", "a", slices.Clone(loads))}
		spoil(&doc.ServerLoads[0])
		if doc.Check() == nil {
			t.Errorf("%s is read", what)
		}
	}
}
