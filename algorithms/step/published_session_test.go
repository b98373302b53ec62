package step

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// TestPublishedSession steps the session of the page docs/systems/sql.md, call by
// call.
func TestPublishedSession(t *testing.T) {
	s, err := New("sql-token-bucket", counting.Limit{Count: 1, Window: 1e9, Burst: 10}, nil)
	if err != nil {
		t.Fatal(err)
	}
	calls, err := os.ReadFile("../../docs/examples/published-session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var tokens []int
	for line := range bytes.Lines(calls) {
		reply, err := s.Apply(line)
		if err != nil {
			t.Fatal(err)
		}
		var r struct {
			Op     string
			Tokens int
		}
		if err := json.Unmarshal(reply, &r); err != nil {
			t.Fatal(err)
		}
		if r.Op == "call" {
			tokens = append(tokens, r.Tokens)
		}
	}
	if want := []int{9, 8, 7, 6, 5, 4, 3, 2, 1, 0, -1, -1, -1, 3, 2}; !slices.Equal(tokens, want) {
		t.Errorf("the session returns %v, want %v", tokens, want)
	}
}
