package callers

import "github.com/limitgauge/limitgauge/algorithms/integers"

// Pace is a limit that callers set themselves: a bucket that is full at first and goes into
// debt. A call is charged at once and waits until the debt is paid, so calls pass in the
// order in which they ask; one may cost more than the burst. It is rate.reserveN of
// golang.org/x/time v0.16.0 and the flow control of k8s.io/client-go v0.32.0, without
// their floats. Time must not go back.
type Pace struct {
	count, per int64 // tokens per ns, in lowest terms
	full       int64 // depth in 1/per tokens
	level      int64 // of the bucket at time at; below 0 is debt
	at         int64
}

// mostUnits bounds level, so that sums fit in 63 bits.
const mostUnits = int64(1) << 61

// NewPace returns a full bucket of burst tokens, at least 1, that gains count tokens, at
// least 1, per this number of ns, at least 1.
func NewPace(count, per, burst int64) *Pace {
	common := integers.GCD(count, per)
	p := &Pace{count: count / common, per: per / common}
	p.full = integers.Mul(burst, p.per, mostUnits)
	p.level = p.full
	return p
}

// Reserve takes n tokens at now, 0 <= n, and returns the ns until the bucket has paid for
// them, 0 if it holds them, rounded up.
func (p *Pace) Reserve(now, n int64) int64 {
	if gained := now - p.at; gained > 0 {
		p.level = min(p.full, p.level+integers.Mul(gained, p.count, mostUnits))
		p.at = now
	}
	p.level = max(-mostUnits, p.level-integers.Mul(n, p.per, mostUnits))
	if p.level >= 0 {
		return 0
	}
	return integers.CeilDiv(-p.level, p.count)
}
