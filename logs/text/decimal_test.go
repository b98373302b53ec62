package text

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

// Decimals and their differences agree with rational arithmetic.
func TestDecimalsAgainstRationals(t *testing.T) {
	number := rapid.StringMatching(`[0-9]{0,6}[0-9](\.[0-9]{0,25})?([eE][+-]?[0-3][0-9]?)?`)
	rapid.Check(t, func(t *rapid.T) {
		ta, tb := number.Draw(t, "a"), number.Draw(t, "b")
		shift := rapid.SampledFrom([]int{0, 3, 6, 9}).Draw(t, "shift")
		scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(shift)), nil))
		var xs [2]Exact
		var rs [2]*big.Rat
		for i, text := range []string{ta, tb} {
			r, ok := new(big.Rat).SetString(text)
			if !ok {
				t.Fatalf("no rational %q", text)
			}
			rs[i] = r.Mul(r, scale)
			floor := new(big.Int).Div(rs[i].Num(), rs[i].Denom())
			why := ParseDecimal([]byte(text), shift, &xs[i])
			if !floor.IsInt64() {
				if why != TooLarge {
					t.Fatalf("%q: %q, want %q", text, why, TooLarge)
				}
				return
			}
			if why != "" || xs[i].Ns != floor.Int64() {
				t.Fatalf("%q: %d %q, want %v", text, xs[i].Ns, why, floor)
			}
		}
		d := new(big.Rat).Sub(rs[0], rs[1])
		if want := new(big.Int).Div(d.Num(), d.Denom()).Int64(); xs[0].FloorMinus(&xs[1]) != want {
			t.Fatalf("%s - %s = %d, want %d", ta, tb, xs[0].FloorMinus(&xs[1]), want)
		}
	})
}
