package text

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

// Decimals and their differences agree with rational arithmetic. A difference of two that
// both have a fraction may be 1 too small.
func TestDecimalsAgainstRationals(t *testing.T) {
	number := rapid.StringMatching(`[0-9]{0,6}[0-9](\.[0-9]{0,25})?([eE][+-]?[0-3][0-9]?)?`)
	rapid.Check(t, func(t *rapid.T) {
		ta, tb := number.Draw(t, "a"), number.Draw(t, "b")
		shift := rapid.SampledFrom([]int{0, 3, 6, 9}).Draw(t, "shift")
		scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(shift)), nil))
		var xs [2]Decimal
		var rs [2]*big.Rat
		for i, text := range []string{ta, tb} {
			r, ok := new(big.Rat).SetString(text)
			if !ok {
				t.Fatalf("no rational %q", text)
			}
			rs[i] = r.Mul(r, scale)
			floor := new(big.Int).Div(rs[i].Num(), rs[i].Denom())
			var why string
			xs[i], why = ParseDecimal([]byte(text), shift)
			if !floor.IsInt64() {
				if why != TooLarge {
					t.Fatalf("%q: %q, want %q", text, why, TooLarge)
				}
				return
			}
			if why != "" || xs[i].Floor != floor.Int64() || xs[i].More == r.IsInt() {
				t.Fatalf("%q: %v %q, want %v", text, xs[i], why, floor)
			}
		}
		d := new(big.Rat).Sub(rs[0], rs[1])
		got := xs[1].Before(xs[0].Floor)
		if want := new(big.Int).Div(d.Num(), d.Denom()).Int64(); got != want && !(xs[0].More && xs[1].More && got == want-1) {
			t.Fatalf("%s - %s = %d, want %d", ta, tb, got, want)
		}
	})
}
