// Package capacity holds what limiters share that divide a limit among clients as
// rates: the unit in which a server counts the parts, and the token bucket by which
// a client keeps to a part that changes. It reads no clock: now is an argument, in
// nanoseconds.
//
// The package makes no promise: it can change at any time.
package capacity

import (
	"cmp"
	"math/big"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Within these bounds, sums over a million clients and products of two capacities
// are exact.
const (
	MostLimit = int64(1) << 40 // capacity of a limit
	MostWants = int64(1) << 42 // capacity that one client asks for; a larger one is cut
	finest    = int64(1_000_000)
)

// never is after all times.
const never = int64(1<<63 - 1)

// Scale is the unit of capacities. A capacity is a rate in units of 1/Unit of a
// request per Window. Capacities are integers and rounded down.
type Scale struct {
	Window int64 // ns
	Unit   int64 // units per request
}

// ScaleOf returns the finest scale in which a limit is at most MostLimit: a
// millionth of a request per window, or a power of ten of it.
func ScaleOf(limit counting.Limit) Scale {
	s := Scale{Window: limit.Window, Unit: finest}
	for s.Unit > 1 && limit.Count > MostLimit/s.Unit {
		s.Unit /= 10
	}
	return s
}

// Check returns an error if a limit cannot be shared out in this scale.
func (s Scale) Check(limit counting.Limit) error {
	return cmp.Or(
		catalog.ErrorIf(limit.Count < 1 || limit.Count > MostLimit/s.Unit, "limit of %d requests is outside 1 to %d", limit.Count, MostLimit/s.Unit),
		catalog.ErrorIf(limit.Window < 1, "window of %d ns is not positive", limit.Window),
	)
}

// Of returns a rate as a capacity, at most MostWants.
func (s Scale) Of(r units.Rate) int64 {
	amount := new(big.Int).Mul(big.NewInt(r.Count), big.NewInt(s.Unit))
	amount.Div(amount.Mul(amount, big.NewInt(s.Window)), big.NewInt(r.Per))
	if !amount.IsInt64() {
		return MostWants
	}
	return min(amount.Int64(), MostWants)
}

// Rate returns amount units per span ns as a capacity, at most MostWants.
func (s Scale) Rate(amount, span int64) int64 {
	return integers.MulDiv(amount, s.Window, span, MostWants)
}
