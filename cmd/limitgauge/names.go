package main

import (
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// presetNames, entryNames and metricNames are what the catalog calls things.
func presetNames() []string {
	var names []string
	for _, p := range words().Presets {
		names = append(names, p.Name)
	}
	return names
}

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
