package send

import (
	"cmp"
	"fmt"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/live/exchange"
)

// Caps bounds what a run sends. A field that is 0 has its default.
type Caps struct {
	PerSecond int64 // requests planned in any span of one second; default 10,000
	Requests  int64 // requests of a run; default 10,000,000
	InFlight  int64 // requests that are sent and not yet answered; default 10,000
}

// DefaultCaps are the caps of a run that states none.
var DefaultCaps = Caps{PerSecond: 10_000, Requests: 10_000_000, InFlight: 10_000}

// maxInFlight bounds the cap on requests in flight: each takes a goroutine and
// usually a connection.
const maxInFlight = 1_000_000

func (c Caps) withDefaults() (Caps, error) {
	for _, cap := range []struct {
		name     string
		value    *int64
		standard int64
	}{
		{"requests per second", &c.PerSecond, DefaultCaps.PerSecond},
		{"requests", &c.Requests, DefaultCaps.Requests},
		{"requests in flight", &c.InFlight, DefaultCaps.InFlight},
	} {
		if *cap.value = cmp.Or(*cap.value, cap.standard); *cap.value < 0 {
			return c, fmt.Errorf("the cap on %s is %d, it must be at least 1", cap.name, *cap.value)
		}
	}
	if c.InFlight > maxInFlight {
		return c, fmt.Errorf("the cap on requests in flight is %d, it can be at most %d", c.InFlight, maxInFlight)
	}
	return c, nil
}

// checkRate returns an error if a span of one second has more requests than the cap.
func (c Caps) checkRate(all []exchange.Exchange) error {
	first := 0
	for i := range all {
		for all[i].IntendedNs-all[first].IntendedNs >= 1e9 {
			first++
		}
		if int64(i-first+1) > c.PerSecond {
			return fmt.Errorf("the traffic has more than %s within the second from %s, the cap: lower its rate, or raise --max-rate (live.Caps in Go)",
				format.Count(c.PerSecond, "request"), format.Span(all[first].IntendedNs))
		}
	}
	return nil
}
