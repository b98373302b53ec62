// Package central declares the limiter that keeps one counter per key, which
// every client asks without delay. The counters are in package counter.
package central

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry declares the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "central",
		Summary: "one counter a key, asked at once by everybody: no network, no delay",
		Idea: "Every client sees the same counter at the instant of the request. It is what a single process does, " +
			"and the ideal that every distributed enforcement is compared with.",
		Bound:  "whatever its counter promises",
		Source: "the definition of the policy",
		Fields: counter.JointFields(),
	}
}
