package explore

import (
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// TestNotchesOfShares checks that a share of at most one has notches near both ends, which
// rise.
func TestNotchesOfShares(t *testing.T) {
	spread := catalog.Find(scenarios.DescriptorFields(), "applies")
	got := notches(spread, nil)
	for _, want := range []string{"1%", "99%", "100%"} {
		if !slices.Contains(got, want) {
			t.Errorf("no notch at %s: %q", want, got)
		}
	}
	if !slices.IsSortedFunc(got, func(a, b string) int {
		x, _ := numberOf(spread, a)
		y, _ := numberOf(spread, b)
		if x < y {
			return -1
		}
		return 1
	}) {
		t.Errorf("notches do not rise: %q", got)
	}
}

// TestNotches checks the notches of each kind: round values where the file has 0, multiples of
// the file's value elsewhere, all whole numbers where there are few, and none that the field
// does not take.
func TestNotches(t *testing.T) {
	for _, c := range []struct {
		field catalog.Field
		file  any
		want  string
	}{
		{catalog.Field{Kind: catalog.Duration}, int64(0), "0s 1ms 2ms 5ms 10ms 20ms 50ms 100ms 200ms 500ms 1s 2s 5s 10s"},
		{catalog.Field{Kind: catalog.Duration, Min: "5ms", Max: "1s"}, int64(0), "5ms 10ms 20ms 50ms 100ms 200ms 500ms 1s"},
		{catalog.Field{Kind: catalog.Duration, Min: "0s"}, int64(1e9), "0s 10ms 20ms 50ms 100ms 150ms 200ms 250ms 300ms 400ms 500ms 600ms 750ms 900ms 1s " +
			"1.1s 1.25s 1.5s 1.75s 2s 2.5s 3s 4s 5s 6s 8s 10s 15s 20s 50s 100s"},
		{catalog.Field{Kind: catalog.Int}, int64(0), "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 50 100 200 500 1000"},
		{catalog.Field{Kind: catalog.Int, Min: "1"}, int64(20), "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 22 25 30 35 40 50 60 80 100 120 160 200 300 400 1000 2000"},
		{catalog.Field{Kind: catalog.Int, Min: "1"}, int64(21), "1 2 3 4 5 6 8 11 13 16 19 21 23 26 32 37 42 53 63 84 105 126 168 210 315 420 1050 2100"},
		{catalog.Field{Kind: catalog.Decimal, Min: "0"}, 0.0, "0 1 2 3 5 10 20 50 100 200 500 1000"},
		{catalog.Field{Kind: catalog.Rate}, units.Rate{Count: 100, Per: units.Second}, "5/s 10/s 15/s 20/s 25/s 30/s 40/s 50/s 60/s 75/s 90/s 100/s " +
			"110/s 125/s 150/s 175/s 200/s 250/s 300/s 400/s 500/s 600/s 800/s 1000/s"},
		{catalog.Field{Kind: catalog.Limit}, units.Rate{Count: 7, Per: units.Second}, "1/s 2/s 3/s 4/s 5/s 6/s 7/s 8/s 9/s 11/s 12/s 14/s 18/s 21/s 28/s 35/s 42/s 56/s 70/s"},
		{catalog.Field{Kind: catalog.Share, Max: "100%"}, units.Fraction{Num: 1, Den: 3}, "0% 1% 2% 3% 5% 7% 10% 15% 20% 25% 30% 1/3 40% 50% 60% 70% 80% 90% 95% 99% 100%"},
		{catalog.Field{Kind: catalog.Share, Max: "200%"}, units.Fraction{Num: 1, Den: 2}, "0.5% 1% 2.5% 5% 7.5% 10% 12.5% 15% 20% 25% 30% 37.5% 45% 50% 55% 62.5% 75% 87.5% 100% 125% 150% 200%"},
	} {
		if got := strings.Join(notches(&c.field, c.file), " "); got != c.want {
			t.Errorf("%+v with %v:\n%s, want\n%s", c.field, c.file, got, c.want)
		}
	}
}
