package scenarios

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// drawEnd draws an end of a range, as a kind of quantity is written.
func drawEnd(t *rapid.T, kind string) string {
	whole := rapid.Int64Range(0, 1_000_000).Draw(t, "end")
	switch kind {
	case "duration":
		return units.FormatDuration(whole * 1000)
	case "decimal":
		return strconv.FormatFloat(float64(whole)/1000, 'f', 3, 64)
	case "count":
		return strconv.FormatInt(whole, 10)
	default:
		return strconv.FormatInt(whole, 10) + kind
	}
}

// TestSpacedByDefinition checks the values of a range: as many as asked for, with both
// ends as they are written, and those between within 10 % of a step of their exact
// places, or rounded to nearest if the ends are whole. A range is refused exactly if it
// has no ends that differ, no logarithm, or the same value twice.
func TestSpacedByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]string{"duration", "decimal", "count", "%", "/s", "/min"}).Draw(t, "kind")
		from, to := drawEnd(t, kind), drawEnd(t, kind)
		if rapid.IntRange(0, 9).Draw(t, "same") == 0 {
			to = from
		}
		steps, log := rapid.IntRange(2, 40).Draw(t, "steps"), rapid.Bool().Draw(t, "log")
		first, _ := quantityOf(from)
		last, _ := quantityOf(to)
		list, err := spaced(from, to, steps, log)
		exact := func(i int) float64 {
			share := float64(i) / float64(steps-1)
			if log {
				return first.value * math.Pow(last.value/first.value, share)
			}
			return first.value + share*(last.value-first.value)
		}
		if err != nil {
			close := false // two neighbours may be one whole number
			for i := 1; first.whole && i < steps; i++ {
				close = close || math.Abs(exact(i)-exact(i-1)) < 1.2
			}
			if first.value != last.value && !(log && min(first.value, last.value) <= 0) && !close {
				t.Fatalf("%d steps from %s to %s: %v", steps, from, to, err)
			}
			return
		}
		if first.value == last.value || log && min(first.value, last.value) <= 0 || len(list) != steps || list[0] != from || list[steps-1] != to {
			t.Fatalf("%d steps from %s to %s, log %v: %v", steps, from, to, log, list)
		}
		seen := map[string]bool{}
		for i, text := range list {
			q, err := quantityOf(text)
			if err != nil || q.unit != first.unit || first.whole && last.whole && !q.whole || seen[text] {
				t.Fatalf("%s among %v: %v", text, list, err)
			}
			seen[text] = true
			allowed := 0.1
			if i > 0 {
				allowed *= math.Abs(exact(i) - exact(i-1))
			}
			if first.whole && last.whole {
				allowed = max(allowed, 0.55) + 1e-6 // rounded to three digits first: 24.47 is 24.5, then 25
			}
			if off := math.Abs(q.value - exact(i)); off > allowed+1e-9 {
				t.Fatalf("%s is value %d of %v, and %v off", text, i, list, off)
			}
		}
	})
}

// TestAxisValues checks how a command line writes the values of an axis.
func TestAxisValues(t *testing.T) {
	for text, want := range map[string]string{
		"1,2 , 5":                     "[1 2 5]",
		"7":                           "[7]",
		"1,,2":                        "a value is empty",
		"off,{a: [1, 2], b: 3},[4,5]": "[off {a: [1, 2], b: 3} [4,5]]",
		"1..5:5":                      "[1 2 3 4 5]",
		"1..5:2":                      "[1 5]",
		"5..1:3:linear":               "[5 3 1]",
		"1..100:3:log":                "[1 10 100]",
		"100ms..10s:3:log":            "[100ms 1s 10s]",
		"0%..50%:3":                   "[0% 25% 50%]",
		"1/s..3/s:3":                  "[1/s 2/s 3/s]",
		"0.1..0.2:3":                  "[0.1 0.15 0.2]",
		"1..5:1":                      "1 steps: want 2 to 1000",
		"1..5000:1001":                "1001 steps: want 2 to 1000",
		"1..5:x":                      "x steps: want 2 to 1000",
		"1..5":                        "want FROM..TO:STEPS, followed by :log or nothing",
		"1..5:3:lag":                  "want FROM..TO:STEPS, followed by :log or nothing",
		"1..5:3:log:log":              "want FROM..TO:STEPS, followed by :log or nothing",
		"0..5:3:log":                  "a logarithmic scale has no zero: begin above it, or list the values",
		"1/s..3/min:3":                "1/s and 3/min have different units: write both in one",
		"1..3:9":                      "9 steps from 1 to 3 give 1 twice: take fewer",
		"a..3:2":                      "a is no duration, rate, percentage or number: list the values",
		"1..b:2":                      "b is no duration, rate, percentage or number: list the values",
		"token-bucket..2:2":           "token-bucket is no duration, rate, percentage or number: list the values",
		"1..1:2":                      "1 and 1 are the same",
		"0.001..0.0020:2:log":         "[0.001 0.0020]",
	} {
		list, err := axisValues(text)
		got := fmt.Sprint(list)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if list, err := axisValues("1..1000:1000"); err != nil || len(list) != 1000 || list[998] != "999" {
		t.Errorf("1000 steps: %d values, %v", len(list), err)
	}
}
