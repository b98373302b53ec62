package main

import (
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// entryNames, metricNames and suiteNames return names in order of declaration.
func entryNames(entries []catalog.Entry) []string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
	}
	return names
}

func metricNames() []string {
	var names []string
	for _, m := range measure.Metrics() {
		names = append(names, m.Name)
	}
	return names
}

func suiteNames() []string {
	var names []string
	for _, s := range scenarios.Suites() {
		names = append(names, s.Name)
	}
	return names
}
