package table

import (
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

func TestRolloutNotes(t *testing.T) {
	rows := []results.Result{{Algorithm: "reference"}, {Algorithm: "a", Rollout: "1 of 2 clients to b"}, {Algorithm: "b"}, {Algorithm: "c", Rollout: "2 of 2 clients to b"}, {Algorithm: "d", Rollout: "1 of 2 clients to b"}}
	want := []string{"in a rollout: a, d (1 of 2 clients to b); c (2 of 2 clients to b)"}
	if got := rolloutNotes(rows, results.Labels(rows)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := rolloutNotes(rows[:1], []string{"reference"}); got != nil {
		t.Errorf("got %q without a rollout", got)
	}
}
