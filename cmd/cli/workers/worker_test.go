package workers

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/search/jobs"
)

// TestIdle checks that a worker is told the time of --idle, from 1 s to 365 days, and
// how many jobs it runs at a time.
func TestIdle(t *testing.T) {
	for _, c := range []struct {
		idle string
		want time.Duration
		ok   bool
	}{
		{"1s", time.Second, true},
		{"999ms", 0, false},
		{"8760h", 365 * 24 * time.Hour, true},
		{"8761h", 0, false},
		{"soon", 0, false},
	} {
		var told *jobs.Work
		h := &terminal.Host{In: &bytes.Buffer{}, Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, Lookup: func(string) (string, bool) { return "", false }}
		h.Own.Service = &jobs.Service{Check: func(jobs.Place) error { return nil }, Work: func(_ context.Context, _ jobs.Place, _ jobs.Program, w jobs.Work) error {
			told = &w
			return nil
		}}
		command := Command(h)
		command.SetArgs([]string{"--on", "nats://127.0.0.1:4222", "--workers", "3", "--idle", c.idle})
		command.SilenceErrors, command.SilenceUsage = true, true
		err := command.ExecuteContext(context.Background())
		if (err == nil) != c.ok || (told != nil) != c.ok {
			t.Errorf("--idle %s: %v", c.idle, err)
		} else if c.ok && (told.Idle != c.want || told.Slots != 3) {
			t.Errorf("--idle %s: %v and %d jobs at a time", c.idle, told.Idle, told.Slots)
		}
	}
}
