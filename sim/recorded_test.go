package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

// writeRecorded writes a log with one request per line at a random ms, and what a
// bucket of 10/s and 5 with debt-free tokens decides. It returns the file and the
// admitted and rejected requests by key.
func writeRecorded(t *testing.T, dir, name string, seed uint64) (file string, admitted, rejected map[string]int64) {
	t.Helper()
	draw := rand.New(rand.NewPCG(seed, 1))
	admitted, rejected = map[string]int64{}, map[string]int64{}
	level, last := map[string]int64{}, map[string]int64{} // in 1/100 of a token: 1 per ms
	var s strings.Builder
	s.WriteString("time_ms,ip,verdict\n")
	for ms := int64(1_700_000_000_000); ms < 1_700_000_020_000; ms += draw.Int64N(50) {
		key := name + string(rune('a'+draw.IntN(3)))
		if _, seen := last[key]; !seen {
			level[key], last[key] = 500, ms
		}
		level[key], last[key] = min(500, level[key]+ms-last[key]), ms
		verdict := "deny"
		if level[key] >= 100 {
			level[key] -= 100
			verdict = "ok"
			admitted[key]++
		} else {
			rejected[key]++
		}
		fmt.Fprintf(&s, "%d,%s,%s\n", ms, key, verdict)
	}
	file = filepath.Join(dir, name+".csv")
	if err := os.WriteFile(file, []byte(s.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return file, admitted, rejected
}

func runText(t *testing.T, text string, details Details) *results.Document {
	t.Helper()
	d, err := Run(context.Background(), load(t, text), Options{Workers: 1, Details: details})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestRecorded checks that the limiter that wrote a log is judged by what the log
// says: a log of an exact bucket agrees with the reference in every figure, and by
// key with what was written, from one entry with two files and from two entries.
func TestRecorded(t *testing.T) {
	dir := t.TempDir()
	one, admitted, rejected := writeRecorded(t, dir, "one-", 1)
	two, more, rest := writeRecorded(t, dir, "two-", 2)
	for key := range more {
		admitted[key], rejected[key] = more[key], rest[key]
	}
	const verdicts = "verdict_field: verdict, rejected: [deny]"
	for name, entries := range map[string]string{
		"two files":   fmt.Sprintf("{pattern: trace, files: [%q, %q], %s}", one, two, verdicts),
		"two entries": fmt.Sprintf("{pattern: trace, file: %q, %s}, {pattern: trace, file: %q, %s}", one, verdicts, two, verdicts),
	} {
		got := map[string][2]int64{}
		d := runText(t, `
version: 1
metrics: full
scenarios:
  - name: judged
    policy: {limit: 10/s, burst: 5}
    traffic: [`+entries+`]
    algorithms: [token-bucket, fixed-window]
    expect: {recorded: {over_admission_pct: "<= 0"}}
`, Details{Keys: func(k *Key) error {
			if k.Algorithm == "recorded" {
				got[k.Key] = [2]int64{k.Admitted, k.Rejected}
			}
			return nil
		}})
		for key := range admitted {
			if got[key] != [2]int64{admitted[key], rejected[key]} {
				t.Errorf("%s: %s has %v admitted and rejected, the log %d and %d", name, key, got[key], admitted[key], rejected[key])
			}
		}
		rows := map[string]results.Result{}
		for _, r := range d.Results {
			rows[r.Algorithm] = r
		}
		for metric, want := range rows["reference"].Metrics {
			have := rows["recorded"].Metrics[metric]
			unknown := slices.ContainsFunc(unseen, func(name string) bool { return strings.HasPrefix(metric, name) })
			switch {
			case unknown && have.Mean != nil:
				t.Errorf("%s: %s is %v, which no log holds", name, metric, *have.Mean)
			case !unknown && (want.Mean == nil) != (have.Mean == nil), !unknown && want.Mean != nil && *want.Mean != *have.Mean:
				t.Errorf("%s: %s differs from the reference's: %+v, want %+v", name, metric, have, want)
			}
		}
		if x := rows["fixed-window"].Metrics["over_admission_pct"].Mean; x == nil || *x == 0 {
			t.Errorf("%s: the fixed window agrees with the reference, so nothing was tried", name)
		}
	}
}

// TestRecordedCoarse checks that stamps that are too coarse for a figure give the
// reason in its place, and only in the recorded row.
func TestRecordedCoarse(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log.csv")
	if err := os.WriteFile(log, []byte("time_s,ip,verdict\n"+strings.Repeat("1700000000,a,200\n", 14)+strings.Repeat("1700000001,a,200\n", 14)), 0o666); err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[string]string{
		"10/s, burst: 5":     "stamps resolve to 1 s",
		"10/s, burst: 10":    "stamps resolve to 1 s, in which the limit refills 10",
		"60/min, burst: 100": "stamps resolve to 1 s, in which the limit refills 1",
		"60/min, burst: 10":  "",
		"300/min, burst: 10": "", // 13 above it, which is more than 5, and as a time 2.6 s
	} {
		d := runText(t, fmt.Sprintf("version: 1\nscenarios:\n  - {name: coarse, policy: {limit: %s}, traffic: [{pattern: trace, file: %q, verdict_field: verdict}], algorithms: [token-bucket]}\n", limit, log), Details{})
		for _, r := range d.Results {
			for _, metric := range []string{"burst_excess", "burst_excess_s"} {
				if s := r.Summary(metric); r.Algorithm == "recorded" && s.Reason != want {
					t.Errorf("%s: %s %+v, want %q", limit, metric, s, want)
				}
			}
		}
		if warnings := strings.Join(d.Scenarios[0].Warnings, "\n"); !strings.Contains(warnings, "recorded is the limiter that wrote the log") {
			t.Errorf("%s: warnings %s", limit, warnings)
		}
	}
}

// TestRecordedRefused checks what excludes the recorded row.
func TestRecordedRefused(t *testing.T) {
	log, _, _ := writeRecorded(t, t.TempDir(), "log", 1)
	judged := fmt.Sprintf("{pattern: trace, file: %q, verdict_field: verdict}", log)
	for rest, want := range map[string]string{
		"duration: 30s, traffic: [" + strings.Replace(judged, "}", ", rebase: true}", 1) + ", {pattern: constant, rate: 1/s}], algorithms: [gcra]": ".traffic[1]: has no verdict_field",
		"traffic: [" + judged + "], algorithms: [gcra], retries: {attempts: 3}":                                                                    ".retries: a log holds the retries",
		"traffic: [" + judged + "], algorithms: [recorded]":                                                                                        ".algorithms: recorded is the name",
		"traffic: [{pattern: constant, rate: 1/s}], duration: 1s, algorithms: [recorded]":                                                          "",
		"traffic: [" + strings.Replace(judged, "}", ", copies: 2}", 1) + "], algorithms: [gcra]":                                                   "excludes speed, repeat, copies and keep",
	} {
		text := "version: 1\nalgorithms: {recorded: {preset: gcra}}\nscenarios:\n  - {name: s, policy: {limit: 10/s}, " + rest + "}\n"
		_, problems, err := prepare(context.Background(), load(t, text), &logReader{})
		if err != nil || (len(problems) > 0) != (want != "") || want != "" && !strings.Contains(fmt.Sprint(problems), want) {
			t.Errorf("%s: %v %v, want %q", rest, problems, err, want)
		}
	}
}
