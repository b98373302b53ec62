package table

import (
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/results/resultstest"
)

// TestAnswer checks what is said of rows that refuse, that delay, and that do neither.
func TestAnswer(t *testing.T) {
	row := func(name string, offered, rejected, delayed, waitMs float64) results.Result {
		return results.Result{Scenario: "s", Algorithm: name, Metrics: map[string]results.Summary{
			"offered_requests": resultstest.Point(offered), "rejected_requests": resultstest.Point(rejected),
			"delayed_requests": resultstest.Point(delayed), "wait_max_ms": resultstest.Point(waitMs),
		}}
	}
	part := &results.Document{Scenarios: []results.Scenario{{Name: "s"}}, Results: []results.Result{
		row("bucket", 4000, 3, 0, 0), row("queue", 4000, 3, 693, 10_000), row("open", 4000, 0, 0, 0), row("shut", 4000, 4000, 0, 0), row("off", 4000, 0, 0, 0), row("idle", 0, 0, 0, 0),
	}, Rejections: []results.Rejections{{Scenario: "s", Algorithm: "bucket", Refused: 1, Seen: 185}, {Scenario: "s", Algorithm: "queue", Refused: 1, Seen: 1}}}
	want := []string{
		"bucket refuses 3 of 4000 requests, of 1 of 185 keys",
		"queue refuses 3 of 4000 requests; delays 693, up to 10s",
		"open and off refuse nothing",
		"shut refuses 4000 of 4000 requests",
	}
	if got := Answer(part).Notes; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	choice := results.InputChoice{Key: "client_ip", Others: []results.Candidate{{Of: "time", Field: "ts"}, {Of: "key", Field: "user", Flag: "--per user"}, {Of: "key", Field: "xff", Flag: "--per xff"}}}
	part.Input = []results.Input{{Choices: []results.InputChoice{choice, choice}}}
	want = slices.Insert(want, 0, "key: client_ip; it could also be user (--per user), xff (--per xff)")
	if got := Answer(part).Notes; !slices.Equal(got, want) {
		t.Errorf("with other keys: got %q, want %q", got, want)
	}
}
