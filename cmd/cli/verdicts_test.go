package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/report/verdicts"
)

// The exit code of a gate is 0 only for the outcome passed, not for any other
// status, including future ones.
func TestOnlyPassedIsSuccess(t *testing.T) {
	for s := gate.Status(-1); s < 100; s++ {
		want := usage.ExitUnevaluated
		switch s {
		case gate.Passed:
			want = usage.ExitOK
		case gate.Failed:
			want = usage.ExitGateFailed
		}
		if got := usage.Explain(io.Discard, gateError(s)); got != want {
			t.Errorf("outcome %d (%s): exit code %d, want %d", s, s, got, want)
		}
		if joined := usage.Explain(io.Discard, errors.Join(errors.New("disk full"), gateError(s))); joined == usage.ExitOK {
			t.Errorf("outcome %d (%s): an output that was not written is a success", s, s)
		}
	}
}

// GitHub drops a job summary that exceeds its limit by one byte, with
// everything that other commands wrote. The verdicts therefore use only the
// remaining bytes.
func TestSummaryLeavesWhatIsThere(t *testing.T) {
	var v gate.Verdicts
	for range 2000 {
		v.List = append(v.List, gate.Verdict{Scenario: strings.Repeat("s", 1000), Algorithm: "a", Metric: "m", Op: "<=", Status: gate.Failed})
	}
	for _, before := range []int{0, 1000, verdicts.MaxSummary - 10_000, verdicts.MaxSummary - 5, verdicts.MaxSummary, verdicts.MaxSummary + 5} {
		path := filepath.Join(t.TempDir(), "summary.md")
		there := strings.Repeat("x", before)
		if err := os.WriteFile(path, []byte(there), 0o666); err != nil {
			t.Fatal(err)
		}
		var warned strings.Builder
		a := &app{&terminal.Host{Err: &warned}}
		if err := a.appendSummary(path, v); err != nil {
			t.Fatal(err)
		}
		after, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		added, kept := strings.CutPrefix(string(after), there)
		if !kept || len(after) > max(before, verdicts.MaxSummary) {
			t.Errorf("%d bytes became %d, those that were there kept: %t", before, len(after), kept)
		}
		if (added == "") != (warned.Len() > 0) || added != "" && !strings.Contains(added, "Cut here: ") {
			t.Errorf("%d bytes were there: %d added, warned of %q", before, len(added), warned.String())
		}
	}
}

func TestPathFrom(t *testing.T) {
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Dir(here)
	for _, c := range []struct{ root, file, want string }{
		{here, "a/b.yaml", "a/b.yaml"},
		{root, "b.yaml", filepath.Base(here) + "/b.yaml"},
		{root, filepath.Join(here, "b.yaml"), filepath.Base(here) + "/b.yaml"},
		{here, "../b.yaml", "../b.yaml"}, // outside the checkout: unchanged
		{here, "..b.yaml", "..b.yaml"},
		{root, "", ""},
	} {
		if got := pathFrom(c.root, c.file); got != c.want {
			t.Errorf("%q from %s is %q, want %q", c.file, c.root, got, c.want)
		}
	}
}
