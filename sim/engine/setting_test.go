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
