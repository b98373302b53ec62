package local

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// given returns the shares of the clients, or nil if all have the same share.
func given(a *scenarios.Algorithm) []units.Fraction {
	if a.Options.String("share") == "full" {
		return nil
	}
	return lists.Map(a.Options.List("shares"), func(share any) units.Fraction { return share.(units.Fraction) })
}

func checkShares(s *engine.Setting, a *scenarios.Algorithm) error {
	n := len(given(a))
	return catalog.ErrorIf(n > 0 && n != s.Clients(), "shares: %d shares for %d clients", n, s.Clients())
}

// eachShare calls f with each different part of a policy's limit that a client
// grants, until f returns an error.
func eachShare(a *scenarios.Algorithm, f func(engine.Sharing) error) error {
	shares := given(a)
	if shares == nil {
		return f(shareOf(a, 0))
	}
	for i := range shares {
		if err := f(shareOf(a, int32(i))); err != nil {
			return err
		}
	}
	return nil
}

// shareOf returns the limit of a client as a function of the policy's limit.
func shareOf(a *scenarios.Algorithm, client int32) engine.Sharing {
	shares := given(a)
	return func(limit counting.Limit, clients int) counting.Limit {
		if shares == nil {
			return part(a, limit, units.Fraction{Num: 1, Den: int64(clients)})
		}
		return part(a, limit, shares[client])
	}
}

// clientLimit returns the part of a policy's limit that one client grants, the
// smallest part if clients have different ones.
func clientLimit(a *scenarios.Algorithm, limit counting.Limit, clients int) counting.Limit {
	var least counting.Limit
	_ = eachShare(a, func(share engine.Sharing) error {
		if l := share(limit, clients); least.Count == 0 || l.Burst < least.Burst || l.Burst == least.Burst && slower(l, least) {
			least = l
		}
		return nil
	})
	return least
}

// slower reports whether a limit has a lower rate than another one.
func slower(a, b counting.Limit) bool {
	return float64(a.Count)*float64(b.Window) < float64(b.Count)*float64(a.Window)
}

// part returns a share of a limit, or the whole one with share: full. A counter that
// works at any rational rate gets its exact part, as share.Num times the limit in
// share.Den times the window. Other counters need a whole number of requests per
// window, which is rounded.
func part(a *scenarios.Algorithm, limit counting.Limit, share units.Fraction) counting.Limit {
	if a.Options.String("share") == "full" || share.Num == share.Den {
		return limit
	}
	whole := func(n int64) int64 {
		floor := integers.MulDiv(n, share.Num, share.Den, math.MaxInt64)
		if a.Options.String("rounding") == "up" && integers.Mul(floor, share.Den, math.MaxInt64) < integers.Mul(n, share.Num, math.MaxInt64) {
			floor++
		}
		return max(1, floor)
	}
	divided := counting.Limit{Count: whole(limit.Count), Window: limit.Window, Burst: whole(limit.Burst)}
	if counting.RationalRate(a.Counter) && limit.Window <= engine.Never/share.Den && limit.Count <= engine.Never/share.Num {
		divided.Count, divided.Window = limit.Count*share.Num, limit.Window*share.Den
	}
	return divided
}
