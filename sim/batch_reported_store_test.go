package sim

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/sim/engine"
)

// TestStoreAgainstMemory checks that servers with a store that takes no time decide
// as one server that counts in memory.
func TestStoreAgainstMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		memory, _, _ := strings.Cut(drawFleet(t), "faults:") // they affect a store in other ways
		memory = strings.Replace(memory, "server_time: 200us", "server_time: 0s", 1)
		servers := func(n int) string {
			at := strings.Index(memory, "servers: ") + len("servers: ")
			return memory[:at] + fmt.Sprint(n) + memory[at+1:]
		}
		write := rapid.SampledFrom([]string{"script", "batch"}).Draw(t, "write")
		redis := strings.Replace(servers(3), "enforcement: batch-reported,",
			"enforcement: batch-reported, store: {redis: {write: "+write+", network: 0s, service_time: 0s, row_time: 0s}},", 1)
		want, got := decisions(t, servers(1)), decisions(t, redis)
		if !slices.Equal(want.decided, got.decided) {
			t.Fatalf("other decisions than\n%s\nby\n%s", servers(1), redis)
		}
	})
}

// decisions runs the second row of a file's only scenario and returns what its
// executor received and decided.
func decisions(t *rapid.T, text string) *spyExecutor {
	plans, problems, err := prepare(context.Background(), load(t, text), &logReader{})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	j := &job{plan: plans[0], rows: plans[0].rows[1:2]}
	c, _, err := j.build(nil)
	if err != nil {
		t.Fatal(err)
	}
	spy := &spyExecutor{BlockExecutor: c.executors[0].(*engine.BlockExecutor)}
	c.executors[0] = spy
	if err := c.run(context.Background(), func(int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	return spy
}
