package main

import (
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/limiters"
)

// affected returns the table of faults that affect each enforcement.
func (s *site) affected() string {
	kinds := scenarios.FaultKinds()
	t := table{header: []string{"enforcement"}}
	for _, k := range kinds {
		t.header = append(t.header, "`"+k.Name+"`")
	}
	for _, e := range s.catalog.Enforcements {
		row := []string{"[`" + e.Name + "`](../algorithms/" + e.Name + ".md)"}
		for _, k := range kinds {
			mark := ""
			if limiters.Of(&scenarios.Algorithm{Enforcement: e.Name}).IsAffectedBy(k.Name) {
				mark = "yes"
			}
			row = append(row, mark)
		}
		t.add(row...)
	}
	return t.String()
}
