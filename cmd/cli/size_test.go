package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/search/size"
	"github.com/limitgauge/limitgauge/search/size/least"
	"github.com/limitgauge/limitgauge/sim/results"
)

// ran runs the program and returns its output on stdout. The exit code must be 0.
func ran(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Run(context.Background(), args, terminal.Host{In: strings.NewReader(""), Out: &out, Err: &errs, Lookup: os.LookupEnv}); code != 0 {
		t.Fatalf("%s: exit code %d\n%s", strings.Join(args, " "), code, &errs)
	}
	return out.Bytes()
}

// weightedLog writes a log of three keys with costs, in bursts, and returns its name.
func weightedLog(t *testing.T) string {
	t.Helper()
	draw := rand.New(rand.NewPCG(3, 9))
	var text bytes.Buffer
	text.WriteString("time,who,tokens\n")
	now := int64(1_700_000_000_000)
	for range 600 {
		if draw.IntN(4) == 0 {
			now += draw.Int64N(20_000)
		}
		fmt.Fprintf(&text, "%d,key%d,%d\n", now, draw.IntN(3), 1+draw.Int64N(draw.Int64N(90)+10))
	}
	name := filepath.Join(t.TempDir(), "tokens.csv")
	if err := os.WriteFile(name, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestReplayShowsWhatSizeCounts runs the replay command that size prints, with each of
// its settings, and compares the counts.
func TestReplayShowsWhatSizeCounts(t *testing.T) {
	abusers := filepath.Join(t.TempDir(), "abusers.txt")
	if err := os.WriteFile(abusers, []byte("198.51.100.7\r\n\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	logs := [][]string{
		{"../../docs/examples/access.log", "--abusers", abusers},
		{"../../docs/examples/access.log", "--shared", "--refuse-at-most", "2%"},
		{weightedLog(t), "--cost-field", "tokens", "--per", "who", "--time-format", "epoch-ms", "--refuse-at-most", "5%"},
	}
	traces, _ := filepath.Glob("../../../shared/traces/*.log")
	if len(traces) == 0 {
		t.Log("without the recorded traces")
	}
	for _, name := range traces {
		logs = append(logs, []string{name, "--of", "keys", "--refuse-at-most", "1%"})
	}
	shown := 0
	for i, log := range logs {
		for _, algorithm := range least.Algorithms() {
			var d size.Document
			args := append([]string{"size", "-q", "--format", "json", "--algorithm", algorithm}, log...)
			if err := json.Unmarshal(ran(t, args...), &d); err != nil {
				t.Fatal(err)
			}
			for k, s := range d.Settings {
				if i > 0 && k != *d.Recommended {
					continue
				}
				command := strings.Replace(d.Replay, "--limit "+d.Best().Limit, "--limit "+s.Limit, 1)
				if s.Burst != nil {
					command = strings.Replace(command, fmt.Sprintf("--burst %d", *d.Best().Burst), fmt.Sprintf("--burst %d", *s.Burst), 1)
				}
				replayed, err := results.Decode(bytes.NewReader(ran(t, append(strings.Fields(command)[1:], "-q", "--format", "json")...)))
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range replayed.Results {
					if r.Algorithm != algorithm {
						continue
					}
					shown++
					if got, want := *r.Metrics["rejected_requests"].Mean, float64(s.RefusedRequests+s.AbuserRefused); got != want {
						t.Errorf("%s: replay rejects %v requests, size counts %v", command, got, want)
					}
					if got, want := *r.Metrics["rejected_cost"].Mean, float64(s.RefusedCost); got != want && s.AbuserRefused == 0 {
						t.Errorf("%s: replay rejects a cost of %v, size counts %v", command, got, want)
					}
				}
			}
		}
	}
	if shown < 20 {
		t.Errorf("%d settings were compared", shown)
	}
}

// TestSizeInLittleMemory checks that a log that does not fit into memory gives the same
// document.
func TestSizeInLittleMemory(t *testing.T) {
	var text bytes.Buffer
	text.WriteString("time,who\n")
	const rows = 200_000
	for i := range rows {
		fmt.Fprintf(&text, "%d,%d\n", i*7919%rows, i*104_729%1000)
	}
	name := filepath.Join(t.TempDir(), "log.csv")
	if err := os.WriteFile(name, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"size", name, "--per", "who", "--time-format", "relative-ms", "-q", "--format", "json", "--sort-memory"}
	if little, plenty := ran(t, append(args, "1MiB")...), ran(t, append(args, "1GiB")...); !bytes.Equal(little, plenty) {
		t.Errorf("with little memory\n%s\nwith plenty\n%s", little, plenty)
	}
}
