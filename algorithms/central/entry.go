// Package central declares the limiter with one counter per key, which every client
// uses without delay. It declares options and presets only; to run such a limiter,
// use a table of package counter.
package central

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry returns the catalogue entry of the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "central",
		Summary: "one counter per key that all clients use without delay: no network",
		Idea: "Every client uses the same counter at the time of the request. This is what a single process does, " +
			"and the ideal with which every distributed enforcement is compared.",
		Bound:  "the bound of its counter",
		Source: "the definition of the policy",
		Fields: counter.JointFields(),
	}
}
