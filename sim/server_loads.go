package sim

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/sim/results"
)

// serverLoads returns what the document shows of a row's servers: of more than
// results.MaxServers those with the most calls, among equal ones those with the
// lowest numbers, and the sum of the others. It may change the order of loads.
func serverLoads(scenario, algorithm string, loads []results.ServerLoad) results.ServerLoads {
	s := results.ServerLoads{Scenario: scenario, Algorithm: algorithm, Servers: loads}
	if len(s.Servers) <= results.MaxServers {
		return s
	}
	slices.SortStableFunc(s.Servers, func(a, b results.ServerLoad) int { return cmp.Compare(b.Calls, a.Calls) })
	s.Others = &results.OtherServers{}
	for _, one := range s.Servers[results.MaxServers:] {
		s.Others.Servers++
		s.Others.Calls += one.Calls
		s.Others.Entries += one.Entries
	}
	s.Servers = slices.Clip(s.Servers[:results.MaxServers])
	slices.SortFunc(s.Servers, func(a, b results.ServerLoad) int { return cmp.Compare(a.Server, b.Server) })
	return s
}
