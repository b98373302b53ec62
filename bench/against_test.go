package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/bench/process"
)

// The ranks are those of tables of the sign test.
func TestOfMedian(t *testing.T) {
	for n, rank := range map[int]int{6: 1, 8: 1, 9: 2, 11: 2, 12: 3, 15: 4, 20: 6, 25: 8} {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(n - i)
		}
		if lo, hi := ofMedian(values); lo != float64(rank) || hi != float64(n+1-rank) {
			t.Errorf("%d values: ranks %g to %g, want %d to %d", n, lo, hi, rank, n+1-rank)
		}
	}
}

func TestPairs(t *testing.T) {
	took := func(ms float64) func(row) (process.Used, error) {
		call := 0.0
		return func(r row) (process.Used, error) {
			if r.name == "unknown then" && ms == 100 {
				return process.Used{}, errors.New("no such option")
			}
			call++
			each := ms * (1 + call/1000) // as a machine that gets slower
			if r.name == "same" {
				each = call
			}
			return process.Used{Processor: time.Duration(each * 1e6), PeakMB: ms}, nil
		}
	}
	rows := []row{{"g", contestant{name: "same"}}, {"g", contestant{name: "slow"}}, {"g", contestant{name: "unknown then"}}}
	var out strings.Builder
	err := pairs(&out, rows, 11, "v1", took(100), took(106))
	if err == nil || err.Error() != "more than 5 % slower than v1: g: slow" {
		t.Errorf("error %v", err)
	}
	for _, want := range []string{"  1.000  [1.000, 1.000]       100       106  g: same\n", "  1.060  [1.060, 1.060]", "g: unknown then: v1 does not run it: no such option\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, &out)
		}
	}
}

// A revision that runs no row has not been compared with.
func TestPairsWithNone(t *testing.T) {
	never := func(row) (process.Used, error) { return process.Used{}, errors.New("no such file") }
	if err := pairs(new(strings.Builder), []row{{"g", contestant{name: "one"}}}, 11, "v1", never, never); err == nil || err.Error() != "v1 runs none of the rows" {
		t.Errorf("error %v", err)
	}
}
