package gauge_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/gauge"
	"github.com/limitgauge/limitgauge/internal/testing/golden"
)

// sliding is a sliding window counter written by hand. It weights the previous window
// by the share of the current one that has passed, but it should use the share that
// has not.
type sliding struct {
	policy                    gauge.Policy
	window, current, previous int64
}

func (s *sliding) Take(now time.Time, _ string, cost int64) bool {
	length := int64(s.policy.Window)
	switch window := now.UnixNano() / length; window {
	case s.window:
	case s.window + 1:
		s.window, s.previous, s.current = window, s.current, 0
	default:
		s.window, s.previous, s.current = window, 0, 0
	}
	passed := now.UnixNano() % length
	if s.previous*passed/length+s.current+cost > s.policy.Limit { // the bug
		return false
	}
	s.current += cost
	return true
}

// TestSlidingWindow fails, which TestSlidingWindowFails expects.
func TestSlidingWindow(t *testing.T) {
	if os.Getenv("GAUGE_TEST_BUG") == "" {
		t.Skip("only with GAUGE_TEST_BUG=1: TestSlidingWindowFails expects its failure")
	}
	gauge.Test(t, "testdata/sliding.yaml", gauge.Use("mine", func(p gauge.Policy) *sliding { return &sliding{policy: p} },
		gauge.As("sliding-window-counter")))
}

// TestSlidingWindowFails checks the text of a test that fails, which docs/gauge.md
// quotes, and that its last line runs the replication with the same outcome.
func TestSlidingWindowFails(t *testing.T) {
	out := inProcess(t, "^TestSlidingWindow$", "GAUGE_TEST_BUG=1")
	out = regexp.MustCompile(` \(\d+\.\d+s\)`).ReplaceAllString(out, "")
	golden.Compare(t, "testdata/sliding.txt", []byte(out))
	page, err := os.ReadFile("../docs/gauge.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), out) {
		t.Error("docs/gauge.md does not quote testdata/sliding.txt")
	}
	line := regexp.MustCompile(`GAUGE_SCENARIO=(\S+) GAUGE_REPLICATION=(\d+) go test -run '(\S+)'`).FindStringSubmatch(out)
	if line == nil {
		t.Fatalf("no command in\n%s", out)
	}
	alone := inProcess(t, line[3], "GAUGE_TEST_BUG=1", "GAUGE_SCENARIO="+line[1], "GAUGE_REPLICATION="+line[2])
	instant := regexp.MustCompile(`worst instant: .*`)
	if want := instant.FindString(out); want == "" || instant.FindString(alone) != want {
		t.Errorf("want %q alone too:\n%s", want, alone)
	}
	misspelt := inProcess(t, line[3], "GAUGE_TEST_BUG=1", "GAUGE_SCENARIO=wave")
	if want := `GAUGE_SCENARIO=wave: `; !strings.Contains(misspelt, want) || strings.Contains(misspelt, "worst instant") {
		t.Errorf("want %q:\n%s", want, misspelt)
	}
}
