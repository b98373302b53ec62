// Package terminal is what the command line knows of the system that it runs on: its
// streams, its memory, its time, and how it shows progress there.
//
// The package makes no promise: it can change at any time.
package terminal

import (
	"context"
	"io"
	"slices"

	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/search/jobs"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/outside"
	"github.com/limitgauge/limitgauge/sim/outside/process"
)

// Host holds the parts of the operating system that the program uses.
type Host struct {
	In       io.Reader
	Out, Err io.Writer
	Lookup   func(name string) (string, bool) // of the environment
	Version  string                           // of a release build; "" for any other build
	Own      Own

	// Still shows nothing that depends on the speed of the machine: neither progress nor
	// estimates of time. Tests compare the rest.
	Still bool
	Clock Clock // that estimates see; the zero value is that of the machine
}

// Own holds limiters that another program adds to limitgauge.
type Own struct {
	Presets []catalog.Preset // of enforcements without a counter
	Make    outside.Maker    // makes those limiters
	Targets []targets.Kind   // kinds of real limiters that need large libraries
	Service *jobs.Service    // reaches workers on other machines
}

// Catalog returns everything that a scenario file can name.
func (h *Host) Catalog() catalog.Catalog {
	all := sim.Catalog()
	all.Presets = slices.Concat(all.Presets, h.Own.Presets)
	return all
}

// MakeFleet makes the limiters of a trial that are not part of limitgauge. It is an
// outside.Maker.
func (h *Host) MakeFleet(ctx context.Context, p outside.Program) (outside.Fleet, error) {
	switch {
	case len(p.Exec) > 0:
		return process.Make(ctx, p)
	case h.Own.Make != nil:
		return h.Own.Make(ctx, p)
	}
	return nil, &outside.Refused{Row: p.Row, Reason: "exec is missing: the program that decides, and its arguments"}
}
