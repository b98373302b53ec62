package baseline

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// TestBoundAgreesWithTest checks that the bound of a change excludes 0 exactly where the
// test finds one, for figures alone and together, without a change and with one, and that
// nothing calls it an interval or prints what rounding leaves of 0.
func TestBoundAgreesWithTest(t *testing.T) {
	changes := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		base, now := run(r, 1, 10), run(r, 1, 10)
		if seed%2 == 0 { // one figure alone, in steps, so that patterns tie
			sample := func(shift float64) map[string]results.Summary {
				values := make([]float64, 10)
				for i := range values {
					values[i] = 5 + float64(r.IntN(4))/10 + shift
				}
				return map[string]results.Summary{"over_limit_pct": resultstest.Sample(values...)}
			}
			base, now = document(sample(0)), document(sample(float64(r.IntN(3))/10))
		}
		c, err := Compare(base, now, Options{Registry: registry})
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.Cells {
			cell := &c.Cells[i]
			if cell.P == nil {
				continue
			}
			text := cell.how()
			found := *cell.P <= Alpha
			if found {
				changes++
			}
			if strings.Contains(text, "may be chance") == found || strings.Contains(text, "interval") || regexp.MustCompile(`\de-`).MatchString(text) {
				t.Errorf("seed %d, p %v: %s", seed, *cell.P, text)
			}
			if jointly := strings.Contains(text, "jointly"); jointly != (len(c.Cells) > 1) {
				t.Errorf("seed %d, %d figures: %s", seed, len(c.Cells), text)
			}
			if bound := regexp.MustCompile(`: ([-+0-9.]+)\)$`).FindStringSubmatch(text); !found && bound != nil && cell.worse() && bound[1][0] != '-' && bound[1] != "0" {
				t.Errorf("seed %d: may be chance, and the bound excludes 0: %s", seed, text)
			}
		}
	}
	if changes < 10 {
		t.Errorf("only %d changes were found", changes)
	}
}
