package engine

import (
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
)

// TestCommonStreamsOfRollouts checks that the two algorithms of a rollout never draw
// the same numbers, not even in common streams.
func TestCommonStreamsOfRollouts(t *testing.T) {
	draw := func(name string, number int) uint64 {
		row := &scenarios.Algorithm{Name: name, Rollout: &scenarios.Rollout{To: &scenarios.Algorithm{Name: "to"}}}
		trial := &Trial{Setting: &Setting{Scenario: &scenarios.Scenario{CommonStreams: true}}, Algorithm: row}
		s := trial.Part(number, row.Stages()[number]).Stream("phase")
		return s.Uint64()
	}
	if draw("a", 0) != draw("b", 0) || draw("a", 1) != draw("b", 1) {
		t.Error("rows with different names draw different numbers")
	}
	if draw("a", 0) == draw("a", 1) {
		t.Error("both algorithms of a rollout draw the same numbers")
	}
}

// TestCheckPairs checks the bound on counters of a trial, also of one without keys.
func TestCheckPairs(t *testing.T) {
	for _, c := range []struct {
		n, keys int
		fits    bool
	}{{maxPairs, 0, true}, {maxPairs, 1, true}, {maxPairs + 1, 1, false}, {maxPairs / 3, 3, true}, {maxPairs/3 + 1, 3, false}, {1, maxPairs + 1, false}} {
		if err := (&Setting{Keys: c.keys}).CheckPairs(c.n, "clients"); (err == nil) != c.fits {
			t.Errorf("%d clients with %d keys: %v", c.n, c.keys, err)
		}
	}
}
