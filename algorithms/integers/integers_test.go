package integers

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

// Every function returns the exact result, cut at its bound.
func TestAgainstBigIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := func(name string, least int64) int64 {
			return rapid.OneOf(rapid.Int64Range(least, 20), rapid.Int64Range(math.MaxInt64-20, math.MaxInt64), rapid.Int64Range(least, math.MaxInt64)).Draw(t, name)
		}
		a, b, c, ceiling := from("a", 0), from("b", 0), from("c", 1), from("ceiling", 0)
		signed := from("signed", math.MinInt64)
		same := func(what string, got int64, want *big.Int, most int64) {
			if limit := big.NewInt(most); want.Cmp(limit) > 0 {
				want = limit
			}
			if want.Cmp(big.NewInt(got)) != 0 {
				t.Fatalf("%s is %d, want %v", what, got, want)
			}
		}
		n := func(x int64) *big.Int { return big.NewInt(x) }
		same("gcd", GCD(a, c), new(big.Int).GCD(nil, nil, n(a), n(c)), math.MaxInt64)
		same("sum", Add(a, b), new(big.Int).Add(n(a), n(b)), math.MaxInt64)
		product := new(big.Int).Mul(n(a), n(b))
		same("product", Mul(a, b, ceiling), product, ceiling)
		same("product over c", MulDiv(a, b, c, ceiling), new(big.Int).Div(product, n(c)), ceiling)
		same("product over c, up", MulDivUp(a, b, c, ceiling), new(big.Int).Neg(new(big.Int).Div(new(big.Int).Neg(product), n(c))), ceiling)
		if got, want := Fits(a, b, c, signed), product.Cmp(new(big.Int).Mul(n(signed), n(c))) <= 0; got != want {
			t.Fatalf("Fits(%d, %d, %d, %d) is %v", a, b, c, signed, got)
		}
		same("a over c, up", CeilDiv(a, c), new(big.Int).Neg(new(big.Int).Div(n(-a), n(c))), math.MaxInt64)
		same("signed over c, down", FloorDiv(signed, c), new(big.Int).Div(n(signed), n(c)), math.MaxInt64)
	})
}
