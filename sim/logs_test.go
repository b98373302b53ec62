package sim

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestLogIsReadOnce checks that a log that two scenarios replay in the same way is
// read once.
func TestLogIsReadOnce(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log.csv")
	if err := os.WriteFile(log, []byte("time_s,ip\n1,a\n2,b\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	scenario := func(name, options string) string {
		return fmt.Sprintf("  - {name: %s, policy: {limit: 1/min}, traffic: [{pattern: trace, file: %q%s}], algorithms: [gcra]}\n", name, log, options)
	}
	f := load(t, "version: 1\nscenarios:\n"+scenario("one", "")+scenario("two", "")+scenario("rebased", ", rebase: true"))
	logs := &logReader{}
	defer logs.close()
	plans, problems, err := prepare(context.Background(), f, logs)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	one, two, rebased := plans[0].recordings[0], plans[1].recordings[0], plans[2].recordings[0]
	if one != two || one == rebased || len(logs.read) != 2 {
		t.Errorf("%d logs read for two ways to read one", len(logs.read))
	}
}
