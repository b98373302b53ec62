package cli

import (
	"net"

	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/sim/outside/process"
)

// unopened returns the error of a target that could not be opened: without a verdict if
// it cannot be reached or does not start, else as wrong usage.
func unopened(err error) error {
	switch {
	case is[*targets.Elsewhere](err):
		return wrongUsage(err)
	case is[net.Error](err), is[*process.Error](err):
		return unreached{err}
	}
	return wrongUsage(err)
}

// unreached reports a target that nothing can be said about.
type unreached struct{ error }

func (u unreached) Unwrap() error { return u.error }
