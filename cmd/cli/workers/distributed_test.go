package workers

import (
	"bytes"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/search/jobs"
)

// TestTimesOfDistribution checks the times that --away and --silence take: from 1 s to 365
// days, and from 500 ms to an hour.
func TestTimesOfDistribution(t *testing.T) {
	for _, c := range []struct {
		flag, text string
		want       time.Duration // 0 if it is refused
	}{
		{"--away", "999ms", 0},
		{"--away", "1s", time.Second},
		{"--away", "8760h", 365 * 24 * time.Hour},
		{"--away", "8760h1ns", 0},
		{"--away", "soon", 0},
		{"--silence", "499ms", 0},
		{"--silence", "500ms", 500 * time.Millisecond},
		{"--silence", "1h", time.Hour},
		{"--silence", "3600001ms", 0},
	} {
		h := &terminal.Host{Err: &bytes.Buffer{}}
		h.Own.Service = &jobs.Service{Check: func(jobs.Place) error { return nil }}
		var d Distribution
		command := &cobra.Command{}
		d.Flags(command, "jobs")
		if err := command.ParseFlags([]string{"--on", "nats://127.0.0.1:4222", c.flag, c.text}); err != nil {
			t.Fatal(err)
		}
		err := d.Check(h, command)
		got := map[string]time.Duration{"--away": d.Away, "--silence": d.Silence}[c.flag]
		if (err == nil) != (c.want > 0) || err == nil && got != c.want {
			t.Errorf("%s %s: %v, %v", c.flag, c.text, got, err)
		}
		if err == nil && c.flag == "--away" && d.Silence != 5*time.Second || err == nil && c.flag == "--silence" && d.Away != 10*time.Minute {
			t.Errorf("%s %s: the other time is %v or %v", c.flag, c.text, d.Away, d.Silence)
		}
	}
}
