// Package sql implements the token bucket in one row of a SQL table: a whole number
// of tokens and a timestamp, changed by one UPDATE with the arithmetic of the
// database. Call a [Rule] with the [Row] of each key; [Locks] determine how
// concurrent transactions affect each other. The package connects to no database and
// reads no clock.
//
// With the published options every call computes what the published function
// computes on PostgreSQL, including its rounding; a test compares it with a real
// server.
//
// The package makes no promise: it can change at any time.
package sql

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Rule holds what all rows of a table share. It is a plain value.
type Rule struct {
	n, p    int64   // n/p tokens per nanosecond, in lowest terms
	depth   int64   // r*w, tokens
	unit    int64   // stored units per token: 1, or p if fractions are kept
	refill  float64 // tokens per second, for arithmetic in double precision
	longest int64   // elapsed ns beyond which the gain is cut
	o       Options
}

// Options are the variations of the published function. The zero value is the
// published function on PostgreSQL 14 and later.
type Options struct {
	KeepFraction bool  `option:"rounding=kept"` // store fractions of a token instead of rounding
	TiesToEven   bool  `option:"ties=even"`     // compute in double precision and round ties to even, as before PostgreSQL 14
	StampCall    bool  `option:"stamp=call"`    // store the time of the call instead of its transaction's start
	NoRefusal    bool  // a rejection changes nothing
	CapBefore    bool  `option:"cap=before-take"` // cut the refilled level to r*w before the token is taken
	Clock        int64 `option:"clock"`           // resolution of timestamps in ns; 0 means 1000, one microsecond
}

// maxDepth is the largest r*w: the integers of the published function have 32 bits.
const maxDepth = math.MaxInt32

// most limits levels and gains, in units of 1/p of a token.
const most = int64(1) << 61

// NewRule returns the rule of a bucket with a depth of depth tokens (r*w) that earns
// count tokens every window ns. It returns an error if a value is out of range.
func NewRule(count, window, depth int64, o Options) (Rule, error) {
	o.Clock = cmp.Or(o.Clock, 1000)
	err := cmp.Or(
		catalog.ErrorIf(count < 1 || window < 1, "refill of %d tokens each %d ns: want at least 1 of both", count, window),
		catalog.ErrorIf(depth < 1, "refill times window is %d tokens: want at least 1", depth),
		catalog.ErrorIf(depth > maxDepth, "refill times window is %d tokens, above 2^31-1: out of range for the database's integers", depth),
		catalog.ErrorIf(o.Clock < 1, "clock of %d ns: want at least 1", o.Clock),
	)
	if err != nil {
		return Rule{}, err
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

// countIn sets the rate to n/p. It returns false if that exceeds the range.
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

// Share makes rules count fractions of a token in one unit, so that each can
// continue with the rows of the others. It returns an error if there is no such unit.
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

var errNoUnit = errors.New("the refills have no common unit that counts all of them exactly")

// Row is the state of one key. The row of a key without calls is Absent.
type Row struct {
	Level int64 // in units of 1/Unit of a token, from -Unit
	Stamp int64 // ns
}

// Absent is the row of a key that has no row.
var Absent = Row{Stamp: math.MinInt64}

// Exists reports whether there is a row.
func (w Row) Exists() bool { return w.Stamp != math.MinInt64 }

// Unit returns how many units of Row.Level make a token: 1 unless fractions are kept.
func (r *Rule) Unit() int64 { return r.unit }

// Depth returns r*w, in tokens.
func (r *Rule) Depth() int64 { return r.depth }

// Options returns the rule's options.
func (r *Rule) Options() Options { return r.o }

// Row returns a row with this level and the timestamp of the time at.
func (r *Rule) Row(level, at int64) Row { return Row{Level: level, Stamp: r.clock(at)} }

// RefusalWrites reports whether a rejection is stored.
func (r *Rule) RefusalWrites() bool { return !r.o.NoRefusal }

// Call makes one call at now, in a transaction that began at start. It returns the
// level after the call, in units; the call is admitted if that is not negative.
//
// The call that creates the row stores its own time, every later one the start of
// its transaction, unless Options say otherwise.
//
// A cost of c means c calls at one time, each in a transaction of its own that
// begins then; they are admitted if the last of them is. A cost of 0 is admitted and
// changes nothing. The published function has cost 1 only.
func (r *Rule) Call(w *Row, start, now, cost int64) (level int64, admitted bool) {
	if cost <= 0 {
		return w.Level, true
	}
	level = r.less(r.first(*w, now), cost-1)
	admitted = level >= 0
	if admitted || !r.o.NoRefusal {
		stamp := start
		if r.o.StampCall || !w.Exists() {
			stamp = now
		}
		*w = r.Row(level, stamp)
	}
	return level, admitted
}

// first returns the stored level after the first call for one token.
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

// inDouble computes first in double precision, like PostgreSQL before version 14,
// whose extract returns double precision. Seconds are a sum of days and the rest.
// Products are rounded before they are added: the conversions prevent a fused
// multiplication. The cast to an integer rounds ties to even.
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

// less takes more whole tokens from a level, down to -1.
func (r *Rule) less(level, tokens int64) int64 {
	if tokens > r.depth {
		return -r.unit
	}
	return max(level-tokens*r.unit, -r.unit)
}

// gain returns what elapsed ns earn, in 1/p of a token. It is negative if the clock
// went back, and is cut where larger values make no difference.
func (r *Rule) gain(elapsed int64) int64 {
	return min(max(elapsed, -r.longest), r.longest) * r.n
}

// clock returns a time as the database's clock shows it.
func (r *Rule) clock(t int64) int64 {
	past := t % r.o.Clock
	if past < 0 {
		past += r.o.Clock
	}
	return t - past
}

// roundAway returns a/b rounded to the nearest whole number, ties away from zero, for b > 0.
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
