package counting

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/sql"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// rowModel computes what a row's UPDATE computes, one token per call, in fractions
// or in binary floating point with 53 bits.
type rowModel struct {
	limit   Limit
	options catalog.Values
	clock   int64
	level   *big.Rat // nil: there is no row
	stamp   int64
}

func (w *rowModel) take(now, cost int64) bool {
	admitted := true
	if cost > w.limit.Burst+1 {
		// There are too many certain rejections to make all of these calls. The
		// last one leaves 0 or -1.
		if w.options.Bool("refusal_writes") {
			w.level, w.stamp = rat(-1), now-now%w.clock
		}
		return false
	}
	before, stamp := w.level, w.stamp
	for range cost {
		admitted = w.call(now - now%w.clock)
	}
	if !admitted && !w.options.Bool("refusal_writes") {
		w.level, w.stamp = before, stamp
	}
	return admitted
}

func (w *rowModel) call(now int64) bool {
	full := rat(w.limit.Burst)
	if w.level == nil {
		w.level, w.stamp = full.Sub(full, rat(1)), now
		return true
	}
	earned := tokens(w.limit, now-w.stamp)
	integer := w.options.String("rounding") != "kept"
	even := integer && w.options.String("ties") == "even"
	if even {
		earned = w.earnedInDouble(now - w.stamp)
	}
	level := new(big.Rat).Set(w.level)
	if w.options.String("cap") == "before-take" {
		level = w.add(least(w.add(level, earned, even), full), rat(-1), even)
	} else {
		level.Sub(level, rat(1))
		level = least(w.add(level, earned, even), full)
	}
	if level.Cmp(rat(-1)) < 0 {
		level = rat(-1)
	}
	if integer {
		level = nearest(level, even)
	}
	w.level, w.stamp = level, now
	return level.Sign() >= 0
}

// double rounds to the nearest number of 53 bits.
func double(r *big.Rat) *big.Rat {
	f, _ := new(big.Float).SetPrec(53).SetRat(r).Rat(nil)
	if f == nil {
		return new(big.Rat)
	}
	return f
}

func (w *rowModel) add(a, b *big.Rat, even bool) *big.Rat {
	sum := new(big.Rat).Add(a, b)
	if even {
		return double(sum)
	}
	return sum
}

func (w *rowModel) earnedInDouble(elapsed int64) *big.Rat {
	const day = 86400_000_000_000
	rest := double(big.NewRat(elapsed%day, 1e9))
	seconds := double(rest.Add(rest, rat(elapsed/day*86400)))
	perSecond := double(new(big.Rat).Mul(big.NewRat(w.limit.Count, w.limit.Window), rat(1e9)))
	return double(seconds.Mul(seconds, perSecond))
}

func least(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return a
	}
	return new(big.Rat).Set(b)
}

// nearest rounds to the nearest whole number.
func nearest(r *big.Rat, even bool) *big.Rat {
	down := new(big.Int).Div(new(big.Int).Sub(r.Num(), new(big.Int).Mod(r.Num(), r.Denom())), r.Denom())
	rest := new(big.Rat).Sub(r, new(big.Rat).SetInt(down))
	up := rest.Cmp(big.NewRat(1, 2)) > 0
	if rest.Cmp(big.NewRat(1, 2)) == 0 {
		up = r.Sign() > 0 // away from zero
		if even {
			up = down.Bit(0) == 1
		}
	}
	if up {
		down.Add(down, big.NewInt(1))
	}
	return new(big.Rat).SetInt(down)
}

// With all its options corrected, the row equals the exact token bucket.
func TestSQLFixedIsTokenBucket(t *testing.T) {
	fixed := options("rounding", "kept", "stamp", "call", "refusal_writes", false, "cap", "before-take", "clock", int64(1))
	rapid.Check(t, func(t *rapid.T) {
		limit := drawLimit(t)
		row, err := New("sql-token-bucket", limit, fixed, 1)
		if err != nil {
			t.Skip(err)
		}
		exact, err := New("token-bucket", limit, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		r := drawRequests(t, limit, 1)
		last := int64(0)
		for i := range r.key {
			last = max(last, r.at[i])
			got, want := row.Take(0, last, r.cost[i]), exact.Take(0, last, r.cost[i])
			if got != want || row.Level(0, last) != exact.Level(0, last) {
				t.Fatalf("%v: request %d (cost %d at %d): %v, level %d; the token bucket says %v, level %d",
					limit, i, r.cost[i], last, got, row.Level(0, last), want, exact.Level(0, last))
			}
		}
	})
}

// A table decides in a transaction as its rule does.
func TestSQLTransactions(t *testing.T) {
	limit := Limit{Count: 2, Window: 1e9, Burst: 120}
	table, err := New("sql-token-bucket", limit, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	rule, err := sql.NewRule(2, 1e9, 120, sql.Options{})
	if err != nil {
		t.Fatal(err)
	}
	row := sql.Absent
	for i := range int64(300) {
		now, start := i*i*7e6, i*i*7e6-i%5*2e8
		_, want := rule.Call(&row, start, now, 1)
		if got := table.(Transactional).TakeIn(0, start, now, 1).Admitted(); got != want {
			t.Fatalf("call %d: %v, want %v", i, got, want)
		}
	}
}
