// Package callers holds what clients of somebody else's limit do: how long they wait
// before a retry, how they pace their calls, and how many retries they allow themselves.
// Times are arguments, in whole ns, and the package reads no clock. Random draws come
// from a function of the caller, such as the Uint64N of math/rand/v2. A Backoff and a
// RetryAfter never change, so goroutines can share them; a Pace and a Budget need a mutex.
//
// The package makes no promise: it can change at any time.
package callers

import (
	"math"
	"math/big"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// Never is a time that does not come.
const Never = int64(math.MaxInt64)

// Below returns a random number of 0..n-1, each with the same probability.
type Below func(n uint64) uint64

// Jitter says how a wait is drawn from the computed wait v. Bounds are included, and
// every whole ns between them has the same probability.
type Jitter uint8

// Kinds of jitter. Their names but the last are those of the AWS Architecture Blog,
// "Exponential Backoff and Jitter" (2015). gRPC (around 20 %) and cenkalti/backoff v5
// (around 50 %) have the last.
const (
	NoJitter     Jitter = iota // v
	Full                       // from 0 to v
	Equal                      // from v/2 to v
	Decorrelated               // from Base to three times the last wait, and then cut at Max
	Around                     // from v(1-s) to v(1+s)
)

// Backoff is the wait before a retry: v = min(Max, Base * Factor^k) before retry k+1, with
// the exact product rounded down to whole ns, and then its jitter. Max applies before the
// jitter. go-retryablehttp v0.7.8 has 1 s, 30 s and 2; cenkalti/backoff v5.0.3 has 500 ms,
// 60 s and 1.5. Make it with New.
type Backoff struct {
	Base, Max int64    // ns, 0 <= Base <= Max
	Factor    [2]int64 // numerator and denominator: 1, or at least 1.01
	Jitter    Jitter
	Around    [2]int64 // numerator and denominator of s, from 0 to 1; only for that jitter

	spans []int64 // v, until it no longer grows
}

// New returns the backoff, ready for use. It panics if a field is outside its range.
func New(b Backoff) *Backoff {
	num, den := b.Factor[0], b.Factor[1]
	if b.Base < 0 || b.Max < b.Base || den < 1 || num < den || num > den && num-den < den/100 ||
		b.Jitter == Around && (b.Around[0] < 0 || b.Around[1] < max(1, b.Around[0])) {
		panic("callers: a field of a backoff is outside its range")
	}
	b.spans = []int64{b.Base}
	if b.Base == 0 || num == den {
		return &b
	}
	most, v := big.NewInt(b.Max), new(big.Int)
	up, down := big.NewInt(b.Base), big.NewInt(1) // v is up/down
	for {
		up.Mul(up, big.NewInt(num))
		down.Mul(down, big.NewInt(den))
		if v.Quo(up, down).Cmp(most) >= 0 {
			b.spans = append(b.spans, b.Max)
			return &b
		}
		b.spans = append(b.spans, v.Int64())
	}
}

// Span returns v in ns before retry k+1, for k >= 0.
func (b *Backoff) Span(k int) int64 { return b.spans[min(k, len(b.spans)-1)] }

// Random reports whether waits are drawn.
func (b *Backoff) Random() bool { return b.Jitter != NoJitter && b.Max > 0 }

// Wait returns the wait in ns before retry k+1, for k >= 0. last is the wait before retry
// k, and 0 before the first; only decorrelated jitter reads it. below is called at most
// once.
func (b *Backoff) Wait(k int, last int64, below Below) int64 {
	v := b.Span(k)
	switch b.Jitter {
	case Full:
		return between(0, v, below)
	case Equal:
		return between(v/2, v, below)
	case Decorrelated:
		return min(b.Max, between(b.Base, integers.Mul(3, max(last, b.Base), Never), below))
	case Around:
		part := integers.MulDiv(v, b.Around[0], b.Around[1], v)
		return between(v-part, integers.Add(v, part), below)
	}
	return v
}

// between returns a uniform draw between two numbers from 0 on, both included.
func between(least, most int64, below Below) int64 {
	if least == most {
		return least
	}
	return least + int64(below(uint64(most-least)+1))
}
