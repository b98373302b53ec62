package gossip

import (
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// bucket is the part of the limit that a limiter grants by itself: a token bucket
// that refills at a share of the limit's rate and holds that share of its burst,
// but at least one request.
type bucket struct {
	share uint64 // of the limit, in units of 2^-shareBits
	level int64  // in units of 1/p of a request
	last  int64
	carry uint64 // earned fraction of a unit, in 2^-shareBits
}

// rate is shared by the buckets of all limiters: together they earn n units per
// nanosecond, and a request costs p units.
type rate struct {
	n, p, burst int64
}

func (r *rate) depth(share uint64) int64 {
	hi, lo := bits.Mul64(uint64(r.burst*r.p), share)
	return max(int64(hi<<(64-shareBits)|lo>>shareBits), r.p)
}

// fill refills the bucket up to now.
func (b *bucket) fill(r *rate, now int64) {
	elapsed := now - b.last
	if elapsed <= 0 {
		return
	}
	b.last = now
	depth := r.depth(b.share)
	if elapsed > (1<<62)/r.n {
		b.level, b.carry = depth, 0
		return
	}
	hi, lo := bits.Mul64(uint64(elapsed*r.n), b.share)
	lo, carry := bits.Add64(lo, b.carry, 0)
	hi += carry
	earned := int64(hi<<(64-shareBits) | lo>>shareBits) // below 2^62, as the share is at most 1
	b.carry = lo & (1<<shareBits - 1)
	if earned >= depth-b.level {
		b.level, b.carry = depth, 0
		return
	}
	b.level += earned
}

// grant changes the share from now on.
func (b *bucket) grant(r *rate, now int64, share uint64) {
	b.fill(r, now)
	b.share = share
	b.level = min(b.level, r.depth(share))
}

// take takes the cost of a request and reports whether the bucket held it.
func (b *bucket) take(r *rate, now, cost int64) bool {
	b.fill(r, now)
	if cost > b.level/r.p {
		return false
	}
	b.level -= cost * r.p
	return true
}

// retryAt returns when the bucket will hold the cost at its present share, or
// counting.Never.
func (b bucket) retryAt(r *rate, now, cost int64) int64 {
	const never = counting.Never
	b.fill(r, now)
	if cost <= b.level/r.p {
		return now
	}
	if cost > r.depth(b.share)/r.p || b.share == 0 {
		return never
	}
	// The first elapsed time with floor((elapsed*n*share + carry)/2^32) >= short.
	short := uint64(cost*r.p - b.level)
	hi, lo := short>>(64-shareBits), short<<shareBits
	lo, borrow := bits.Sub64(lo, b.carry, 0)
	hi -= borrow
	perHi, per := bits.Mul64(uint64(r.n), b.share)
	if perHi != 0 {
		return b.last + 1
	}
	if hi >= per {
		return never
	}
	wait, rest := bits.Div64(hi, lo, per)
	if rest != 0 {
		wait++
	}
	if wait > uint64(never-b.last) {
		return never
	}
	return b.last + int64(wait)
}
