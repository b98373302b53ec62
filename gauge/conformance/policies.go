package conformance

import "github.com/limitgauge/limitgauge/internal/random"

const (
	second = int64(1e9)
	hour   = 3600 * second
)

// policies are the limits of the tables, ordinary ones first, and those that need wide
// bounds last. None grants more than one call per ns: the counter could then not be moved
// by less than a call.
var policies = []Policy{
	{Count: 10, Window: second, Burst: 5},
	{Count: 3, Window: second, Burst: 4}, // no refill at a whole ns
	{Count: 7, Window: 3 * second, Burst: 10},
	{Count: 1, Window: second, Burst: 1},
	{Count: 5, Window: 24 * hour, Burst: 2},
	{Count: 100, Window: 60 * second, Burst: 20},
	{Count: 3_000_000, Window: second, Burst: 9}, // a refill of less than 1 us
	{Count: 7, Window: 1_000_003, Burst: 3},      // a window of no whole us
	{Count: 1_000_003, Window: 60 * second, Burst: 1_000_001},
	{Count: 5_000_000_000, Window: 60 * second, Burst: 3e9}, // more than 32 bits
	{Count: 1 << 40, Window: 1 << 40, Burst: 1<<40 + 1},     // more than the 24 bits of a float32
	{Count: 40_000_001, Window: hour, Burst: 1_000_001},
}

// longLimit is used up by many calls of one key within a window: more than a list of
// 4096 calls holds.
var longLimit = Policy{Count: 5000, Window: 60 * second, Burst: 5000}

// mostDraws is the number of draws after which no policy is found: timers of the limiter
// then take too long for any.
const mostDraws = 1000

// drawPolicy returns one of the policies of the tables, or a small limit over an
// arbitrary window, which the counter keeps and for which sessions are long enough.
func (e *exact) drawPolicy(r *random.Stream) Policy {
	for range mostDraws {
		p := e.policies[r.Below(uint64(len(e.policies)))]
		if !e.given && r.Chance(2, 3) {
			p = Policy{Count: 1 + int64(r.Below(40)), Window: 1000 + int64(r.Below(uint64(10*second))), Burst: 1 + int64(r.Below(20))}
			if r.Chance(1, 2) {
				p.Window = second * (1 + int64(r.Below(10)))
			}
		}
		if e.keeps(p) {
			return p
		}
	}
	return e.policies[0]
}
