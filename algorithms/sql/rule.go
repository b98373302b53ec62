// Package sql is the token bucket that lives in one row of a database
// table: a whole number of tokens and a time stamp, changed by one UPDATE whose
// arithmetic is that of the database. It reads no clock and holds no locks; how
// calls that meet in the database disturb each other is package sql.
//
// With the options as published every call computes what the published function
// computes on PostgreSQL, rounding included; tests require so of a real server.
package sql

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// Rule is what all rows of a table share. It is a plain value.
type Rule struct {
	n, p    int64   // n/p tokens a nanosecond, in lowest terms
	depth   int64   // r*w, tokens
	unit    int64   // stored units of a token: 1, or p where fractions are kept
	refill  float64 // tokens a second, for arithmetic in double precision
	longest int64   // elapsed ns, beyond which the gain is cut
	o       Options
}

// Options are where the published function can be had otherwise. The zero value
// is the published one, on PostgreSQL 14 and later.
type Options struct {
	KeepFraction bool  // store fractions of a token instead of rounding
	TiesToEven   bool  // compute in double precision and round ties to even, as before PostgreSQL 14
	StampCall    bool  // store the instant of the call instead of its transaction's start
	NoRefusal    bool  // a refusal changes nothing
	CapBefore    bool  // cut the refilled level to r*w before the token is taken
	Clock        int64 // ns that time stamps are counted in; 0 is 1000, a microsecond
}

// Largest r*w: the integers of the published function have 32 bits.
const maxDepth = math.MaxInt32

// most bounds levels and gains, in units of 1/p of a token.
const most = int64(1) << 61

// NewRule makes the rule of a bucket of depth tokens (r*w) that earns count
// tokens every window ns.
func NewRule(count, window, depth int64, o Options) (Rule, error) {
	if o.Clock == 0 {
		o.Clock = 1000
	}
	switch {
	case count < 1 || window < 1:
		return Rule{}, fmt.Errorf("refill of %d tokens each %d ns: want at least 1 of both", count, window)
	case depth < 1:
		return Rule{}, fmt.Errorf("refill times window is %d tokens: want at least 1", depth)
	case depth > maxDepth:
		return Rule{}, fmt.Errorf("refill times window is %d tokens, above 2^31-1: out of range for the database's integers", depth)
	case o.Clock < 1:
		return Rule{}, fmt.Errorf("clock of %d ns: want at least 1", o.Clock)
	}
	g := integers.GCD(count, window)
	r := Rule{depth: depth, o: o}
	if !r.countIn(count/g, window/g) {
		return Rule{}, fmt.Errorf("%d tokens at %d per %d ns need more than 61 bits", depth, count, window)
	}
	perSecond := big.NewRat(count, window)
	r.refill, _ = perSecond.Mul(perSecond, big.NewRat(1e9, 1)).Float64()
	return r, nil
}

// countIn makes n/p the rate, and says whether that can be counted in.
func (r *Rule) countIn(n, p int64) bool {
	if n > most/4 || p > most/4 || r.depth > most/p {
		return false
	}
	r.n, r.p, r.unit, r.longest = n, p, 1, 2*most/n
	if r.o.KeepFraction {
		r.unit = p
	}
	return true
}

// Share makes rules count fractions of a token in one unit, so that each can go
// on with the rows of the others.
func Share(rules []Rule) error {
	unit := int64(1)
	for i := range rules {
		factor := rules[i].p / integers.GCD(unit, rules[i].p)
		if unit > most/factor {
			return errNoUnit
		}
		unit *= factor
	}
	for i := range rules {
		r := &rules[i]
		factor := unit / r.p
		if r.o.KeepFraction && (r.n > most/factor || !r.countIn(r.n*factor, unit)) {
			return errNoUnit
		}
	}
	return nil
}

var errNoUnit = errors.New("the refills it changes between have no unit in common that counts them all exactly")

// Row is the state of one key. The row of a key never called is Absent.
type Row struct {
	Level int64 // in units of 1/Unit of a token, from -Unit
	Stamp int64 // ns
}

// Absent is the row that is not there.
var Absent = Row{Stamp: math.MinInt64}

// Exists reports whether there is a row.
func (w Row) Exists() bool { return w.Stamp != math.MinInt64 }

// Unit is how many units of Row.Level make a token: 1 unless fractions are kept.
func (r *Rule) Unit() int64 { return r.unit }

// Depth is r*w, in tokens.
func (r *Rule) Depth() int64 { return r.depth }

// Options are the rule's.
func (r *Rule) Options() Options { return r.o }

// Row is a row of that level whose stamp is that of the instant at.
func (r *Rule) Row(level, at int64) Row { return Row{Level: level, Stamp: r.clock(at)} }

// RefusalWrites reports whether a refusal is stored.
func (r *Rule) RefusalWrites() bool { return !r.o.NoRefusal }

// Call is one call at the instant now, in a transaction that began at start. It
// returns the level after it, in units; the call is admitted when that is not
// negative.
//
// A cost of c is that of c calls at one instant, each in a transaction of its
// own that begins there, admitted if the last of them is; a cost of 0 is
// admitted and changes nothing. The published function knows cost 1 alone.
func (r *Rule) Call(w *Row, start, now, cost int64) (level int64, admitted bool) {
	if cost <= 0 {
		return w.Level, true
	}
	level = r.less(r.first(*w, now), cost-1)
	admitted = level >= 0
	if admitted || !r.o.NoRefusal {
		stamp := start
		if r.o.StampCall {
			stamp = now
		}
		*w = r.Row(level, stamp)
	}
	return level, admitted
}

// first is what the first token's call leaves, as it is stored.
func (r *Rule) first(w Row, now int64) int64 {
	if !w.Exists() {
		return (r.depth - 1) * r.unit
	}
	elapsed := r.clock(now) - w.Stamp
	if r.o.TiesToEven && !r.o.KeepFraction {
		return r.inDouble(w.Level, elapsed)
	}
	gain := r.gain(elapsed)
	level := w.Level * (r.p / r.unit)
	if r.o.CapBefore {
		level = min(level+gain, r.depth*r.p) - r.p
	} else {
		level = min(level-r.p+gain, r.depth*r.p)
	}
	level = max(level, -r.p)
	if r.o.KeepFraction {
		return level
	}
	return roundAway(level, r.p)
}

// inDouble is first in the double precision of PostgreSQL before version 14,
// where extract gives one. Its seconds are summed from days and the rest, its
// products are rounded before they are added (the conversions forbid a fused
// multiplication), and its cast to an integer rounds ties to even.
func (r *Rule) inDouble(tokens, elapsed int64) int64 {
	const day = 86400e9
	seconds := float64(elapsed/day*86400) + float64(float64(elapsed%day)/1e9)
	gain := float64(r.refill * seconds)
	depth := float64(r.depth)
	var level float64
	if r.o.CapBefore {
		level = min(float64(tokens)+gain, depth) - 1
	} else {
		level = min(float64(tokens-1)+gain, depth)
	}
	return int64(math.RoundToEven(max(level, -1)))
}

// less takes further whole tokens from a level, down to -1.
func (r *Rule) less(level, tokens int64) int64 {
	if tokens > r.depth {
		return -r.unit
	}
	return max(level-tokens*r.unit, -r.unit)
}

// gain is what elapsed ns earn, in 1/p of a token. A clock that went back takes
// away. It is cut where nothing greater matters.
func (r *Rule) gain(elapsed int64) int64 {
	return min(max(elapsed, -r.longest), r.longest) * r.n
}

// clock is an instant as the database's clock shows it.
func (r *Rule) clock(t int64) int64 {
	past := t % r.o.Clock
	if past < 0 {
		past += r.o.Clock
	}
	return t - past
}

// roundAway is a/b to the nearest whole number, ties away from zero, for b > 0.
func roundAway(a, b int64) int64 {
	if a < 0 {
		return -roundAway(-a, b)
	}
	whole, rest := a/b, a%b
	if rest >= b-rest {
		whole++
	}
	return whole
}
