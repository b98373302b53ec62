package table

import (
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

// Each shaper has a note with its bound on waiting and its rows.
func TestReferenceNotes(t *testing.T) {
	rows := []results.Result{
		{Algorithm: "reference", Reference: true}, {Algorithm: "reference-shaper", Reference: true, Waiting: "a queue of 100 requests"},
		{Algorithm: "reference-shaper-2", Reference: true, Waiting: "waits of at most 1s"},
		{Algorithm: "queue", ComparedWith: "reference-shaper"}, {Algorithm: "bucket"}, {Algorithm: "rover", ComparedWith: "reference-shaper-2"},
	}
	want := []string{
		"reference-shaper (exact, first in first out, a queue of 100 requests) is the reference of queue",
		"reference-shaper-2 (exact, first in first out, waits of at most 1s) is the reference of rover",
	}
	if got := referenceNotes(rows, results.Labels(rows)); !slices.Equal(got, want) {
		t.Errorf("notes %q, want %q", got, want)
	}
}

// Algorithms that leave out the same tenants share a note.
func TestUnsharedNotes(t *testing.T) {
	part := &results.Document{Shares: []results.Shares{
		{Algorithm: "a", Unshared: 3, UnsharedTenants: []string{"x", "y"}}, {Algorithm: "b"},
		{Algorithm: "c", Unshared: 3, UnsharedTenants: []string{"x", "y"}}, {Algorithm: "d", Unshared: 1, UnsharedTenants: []string{"x"}},
	}}
	want := []string{
		"fairness of a, c leaves out tenants whose fair share is 0: x, y and 1 more",
		"fairness of d leaves out tenants whose fair share is 0: x",
	}
	if got := unsharedNotes(part); !slices.Equal(got, want) {
		t.Errorf("notes %q, want %q", got, want)
	}
}
