package capacity

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// TestScale compares scales, capacities and depths with fractions, over all magnitudes.
func TestScale(t *testing.T) {
	number := func(t *rapid.T, name string, bits int) int64 {
		return rapid.Int64Range(0, 1).Draw(t, name+" odd") + 1<<rapid.IntRange(0, bits).Draw(t, name)
	}
	whole := func(n ...int64) *big.Int { // their product
		x := big.NewInt(1)
		for _, f := range n {
			x.Mul(x, big.NewInt(f))
		}
		return x
	}
	rapid.Check(t, func(t *rapid.T) {
		limit := counting.Limit{Count: number(t, "count", 42) - 1, Window: number(t, "window", 44) - 1}
		s := ScaleOf(limit)
		unit := int64(1_000_000)
		for unit > 1 && whole(limit.Count, unit).Cmp(whole(1<<40)) > 0 {
			unit /= 10
		}
		if s != (Scale{limit.Window, unit}) {
			t.Fatalf("the scale of %+v is %+v, want the unit %d", limit, s, unit)
		}
		if got, want := s.Check(limit) == nil, limit.Count > 0 && limit.Count <= 1<<40 && limit.Window > 0; got != want {
			t.Fatalf("%+v fits: %v, want %v", limit, got, want)
		}
		amount, span := number(t, "amount", 50), number(t, "span", 44)
		rounded := func(up bool, over *big.Int, most int64, under int64) int64 {
			if up {
				over.Add(over, big.NewInt(under-1))
			}
			if over.Div(over, big.NewInt(under)); over.Cmp(big.NewInt(most)) > 0 {
				return most
			}
			return over.Int64()
		}
		if got, want := s.Of(units.Rate{Count: amount, Per: span}), rounded(false, whole(amount, unit, s.Window), 1<<42, span); got != want {
			t.Fatalf("%d requests in %d ns are %d of %+v, want %d", amount, span, got, s, want)
		}
		if got, want := s.Rate(amount, span), rounded(false, whole(amount, s.Window), 1<<42, span); got != want {
			t.Fatalf("%d units in %d ns are %d of %+v, want %d", amount, span, got, s, want)
		}
		burst, own := number(t, "burst", 20), number(t, "own", 20)-1
		depth := own * unit
		if own == 0 {
			depth = rounded(true, whole(burst, amount), never/unit, span) * unit
		}
		d := Divided{Scale: s, Limit: span, Burst: burst, ClientBurst: own}
		if got := d.Depth(amount); got != depth {
			t.Fatalf("a bucket is %d deep, want %d", got, depth)
		}
		for cost := depth/unit - 1; cost <= depth/unit+1 && cost <= never/unit; cost++ {
			if fits := d.Holds(cost, amount) == nil; fits != (cost*unit <= depth) {
				t.Fatalf("a bucket of %d units admits a cost of %d: %v", depth, cost, fits)
			}
		}
	})
}
