package described

import (
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/rover"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// TestConfigureScales checks that Configure refuses exactly what does not fit a bucket
// in whole tokens, and a resolution in which the rate or the burst does not. What it
// accepts, New accepts in the same units.
func TestConfigureScales(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(name string, lo, hi int64) int64 {
			if rapid.Bool().Draw(t, name+" small") {
				hi = min(hi, 5)
			}
			return rapid.Int64Range(lo, hi).Draw(t, name)
		}
		count, burst := number("count", -1, 1<<62), number("burst", 0, 1<<62)
		window := rapid.Int64Range(0, 2e9).Draw(t, "window")
		bits, threshold := number("bits", 0, 40), number("threshold", 0, 1<<62)
		options := catalog.Values{"token_resolution": {V: bits}, "threshold": {V: threshold}}
		if rapid.Bool().Draw(t, "burst of its own") {
			options["burst"] = catalog.Value{V: burst}
		}
		scaled := func(n int64) *big.Int { return new(big.Int).Lsh(big.NewInt(n), uint(bits)) }
		fits := count >= 0 && burst >= 1 && window >= 1
		most := rover.MaxRate(time.Duration(max(window, 1)))
		if fits && bits > 0 {
			fits = scaled(burst).Cmp(big.NewInt(rover.MaxLimit)) <= 0 && scaled(count).Cmp(new(big.Int).SetUint64(most)) <= 0
		}
		otherwise := burst
		if options.Set("burst") {
			otherwise = 0 // the option is in force
		}
		c, err := Configure(count, window, otherwise, options, 7)
		if (err == nil) != fits {
			t.Fatalf("%d per %d ns, burst %d, %d bits: %v", count, window, burst, bits, err)
		}
		if err != nil {
			return
		}
		want := rover.Config{Rate: min(scaled(count).Uint64(), most), Per: time.Duration(window), Limit: scaled(burst).Uint64(), Threshold: scaled(min(max(threshold, 1), burst)).Uint64(), Start: 7, Full: true}
		if c != want {
			t.Fatalf("%+v, want %+v", c, want)
		}
		if _, err := rover.New(c); err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
	})
}

// TestConfigureNoBurst checks that a burst of 0 is refused, from the policy and as an option.
func TestConfigureNoBurst(t *testing.T) {
	for burst, options := range map[int64]catalog.Values{0: {}, 5: {"burst": {V: int64(0)}}} {
		if _, err := Configure(10, 1e9, burst, options, 0); err == nil {
			t.Errorf("a policy's burst of %d with options %v is accepted", burst, options)
		}
	}
}
