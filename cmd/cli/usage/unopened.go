package usage

import (
	"net"

	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/sim/outside/process"
)

// Unopened returns the error of a target that could not be opened: without a verdict if
// it cannot be reached or does not start, else as wrong usage.
func Unopened(err error) error {
	switch {
	case Is[*targets.Elsewhere](err):
		return Wrong(err)
	case Is[net.Error](err), Is[*process.Error](err):
		return unreached{err}
	}
	return Wrong(err)
}

// unreached reports a target that nothing can be said about.
type unreached struct{ error }

func (u unreached) Unwrap() error { return u.error }
