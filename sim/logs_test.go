package sim

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
	if one != two || one == rebased || len(logs.own.read) != 2 {
		t.Errorf("%d logs read for two ways to read one", len(logs.own.read))
	}
}

// TestTracesTooFarApart checks that recordings which each are short, but
// together with their windows last too long for sums of times, are a problem of
// the file.
func TestTracesTooFarApart(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	early, late := write("early.csv", "time_s,ip\n0,a\n"), write("late.csv", "time,ip\n2150-01-01T00:00:00Z,b\n")
	for _, c := range []struct{ limit, traffic string }{
		{"1/s", fmt.Sprintf("{pattern: trace, file: %q}, {pattern: trace, file: %q}", early, late)},
		{"1/50000d", fmt.Sprintf("{pattern: trace, file: %q}", early)},
	} {
		f := load(t, "version: 1\nscenarios:\n  - {name: far, policy: {limit: "+c.limit+"}, traffic: ["+c.traffic+"], algorithms: [fixed-window]}\n")
		logs := &logReader{}
		_, problems, err := prepare(context.Background(), f, logs)
		logs.close()
		if err != nil || len(problems) != 1 || !strings.Contains(problems[0].Message, "last longer than 100 years") {
			t.Errorf("%s: %v %v", c.limit, problems, err)
		}
	}
}
