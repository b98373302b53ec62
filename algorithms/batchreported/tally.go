package batchreported

import (
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// tally holds a server's counters of the keys under one policy.
type tally struct {
	limit   counting.Limit
	n, p    int64                  // the limit in lowest terms: n per p nanoseconds
	start   int64                  // of the window that enter found
	left    int64                  // ns from that call to the window's end
	covered int64                  // ns before a report's arrival that its hits are from
	windows *counting.FixedWindows // by slot; nil: buckets
	buckets *counting.TokenBuckets // by slot
	resumed []int64                // of buckets, by slot: when the latest report arrived that came after an idle time
}

func newTally(p Policy, covered int64) tally {
	k := tally{limit: p.Limit, covered: covered}
	k.n, k.p = p.Limit.Rate()
	if p.Bucket == nil {
		k.windows = counting.NewFixedWindows(p.Limit, counting.WindowOptions{}, 0)
	} else {
		k.buckets = counting.NewTokenBuckets(p.Limit, *p.Bucket, 0)
	}
	return k
}

// reset gives a slot the state of a new key at now.
func (k *tally) reset(slot int32, now int64) {
	if k.windows != nil {
		k.windows.Reach(slot)
		k.windows.Forget(slot)
		return
	}
	k.buckets.Reach(slot)
	k.resumed = lists.Reach(k.resumed, slot)
	k.resumed[slot] = none
	k.buckets.Forget(slot)
	k.buckets.Refill(slot, now)
}

// enter finds the window that contains now. Rows then need not look for it: many
// arrive with the same timestamp.
func (k *tally) enter(now int64) {
	w := k.limit.Window
	if uint64(now-k.start) >= uint64(w) {
		k.start = now - now%w
	}
	k.left = integers.Add(k.start, w) - now
}

// count adds hits, which were sent at sentAt, to the window that enter found. Negative
// hits were counted in the window in which they were sent.
func (k *tally) count(slot int32, sentAt, hits int64) {
	if hits < 0 {
		if sentAt >= k.start {
			k.windows.Correct(slot, k.start, k.start, hits, false)
		}
		return
	}
	k.windows.AddIn(slot, k.start, hits)
}

// debit takes hits that are reported at now from the key's bucket. What the bucket
// earned before the covered time is cut at its depth first. What it earned since pays for
// the hits, and for those that other clients will report, and is cut when it is older. If
// nothing has been reported for a covered time or two, it is cut at once, after the hits
// that are reported at now.
func (k *tally) debit(slot int32, now, hits int64) {
	if k.covered < forever && k.buckets.RefilledTo(slot) < now-2*k.covered {
		k.resumed[slot] = now
	}
	k.buckets.Refill(slot, now-k.covered)
	if hits < 0 {
		k.buckets.Correct(slot, now-k.covered, now, hits, false)
		return
	}
	k.buckets.Debit(slot, hits)
}

// waitInWindow returns how long the key stays over its limit, in ns from the last
// call of enter, or 0. It has no branch, because the result is unpredictable.
func (k *tally) waitInWindow(slot int32) int64 {
	over := (k.limit.Count - 1 - k.windows.CountIn(slot, k.start)) >> 63
	return k.left & over
}

// waitInDebt returns how long the key's bucket stays in debt after now, in ns, once all
// hits that are reported at now have been debited.
func (k *tally) waitInDebt(slot int32, now int64) int64 {
	if k.covered == forever || k.resumed[slot] == now {
		k.buckets.Refill(slot, now)
	}
	level := k.buckets.LevelUnits(slot, now)
	if level >= 0 {
		return 0
	}
	return integers.Add(now, integers.CeilDiv(-level, k.n)) - now
}

// rejectionRate returns max(0, (estimate-limit)/estimate), both per second, in
// units of 2^-32, rounded down. The estimate is in units of 2^-16.
func (k *tally) rejectionRate(estimate uint64) uint32 {
	// estimate/2^16 against n*10^9/p, multiplied by p*2^16.
	demandHi, demandLo := bits.Mul64(estimate, uint64(k.p))
	limitHi, limitLo := bits.Mul64(uint64(k.n), second<<estimateBits)
	overLo, borrow := bits.Sub64(demandLo, limitLo, 0)
	overHi, borrow := bits.Sub64(demandHi, limitHi, borrow)
	if borrow != 0 {
		return 0
	}
	// Long division, a bit at a time: over < demand < 2^123, so neither
	// doubling nor the quotient can overflow.
	var rate uint32
	for range 32 {
		rate <<= 1
		overHi, overLo = overHi<<1|overLo>>63, overLo<<1
		lo, borrow := bits.Sub64(overLo, demandLo, 0)
		if hi, borrow := bits.Sub64(overHi, demandHi, borrow); borrow == 0 {
			overHi, overLo = hi, lo
			rate |= 1
		}
	}
	return rate
}
