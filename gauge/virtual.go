package gauge

import (
	"fmt"
	"math"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// bubbleStart is the time at which bubbles start, in Unix ns: 2000-01-01 00:00 UTC.
const bubbleStart = 946684800_000000000

// virtual converts simulated times to the times that limiters see.
type virtual struct {
	shift  int64 // ns
	origin int64 // simulated start of the trial
}

// virtualTimes returns the conversion for a trial. Traces from 2000 on keep their
// times. All others are shifted by whole windows to start in or after the first
// window of 2000, so that windows of the calendar begin at the same instants, and no
// limiter sees the time 0, which many take as unset.
func virtualTimes(p *outside.Program) (virtual, error) {
	v := virtual{origin: p.OriginNs}
	w := p.Limit.Window
	if first := integers.FloorDiv(p.OriginNs, w) * w; first < bubbleStart {
		windows := (bubbleStart - first + w - 1) / w
		if windows > (math.MaxInt64-max(p.OriginNs, 0))/w {
			return v, fmt.Errorf("a window of %v cannot begin after 2000 and before 2262, where virtual time is limited to", time.Duration(w))
		}
		v.shift = windows * w
	}
	return v, nil
}

// check returns an error if a simulated time is after 2262, the last one of Unix ns.
func (v virtual) check(at int64) error {
	if at > math.MaxInt64-v.shift {
		return fmt.Errorf("virtual time ends in 2262, %v after the start of the run", time.Duration(math.MaxInt64-v.shift-v.origin))
	}
	return nil
}

// time returns a simulated time as limiters see it. It must pass check.
func (v virtual) time(at int64) time.Time { return time.Unix(0, at+v.shift).UTC() }

// simulated returns the simulated time of a time that limiters see.
func (v virtual) simulated(t time.Time) int64 { return t.UnixNano() - v.shift }
