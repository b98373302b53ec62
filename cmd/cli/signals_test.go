package cli

import (
	"bytes"
	"errors"
	"image/png"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/testing/foreground"
	"github.com/limitgauge/limitgauge/internal/testing/wait"
	"github.com/limitgauge/limitgauge/sim/results"
)

// needSignals skips a test that takes a while or cannot send signals. Such tests run
// this test binary as the program; see TestMain.
func needSignals(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("only on Unix: sends signals")
	}
	if testing.Short() {
		t.Skip("runs the program often")
	}
}

// writing is a scenario file that runs for a fraction of a second and writes for
// most of that time.
const writing = `version: 1
replications: 2
scenarios:
  - name: one
    duration: 20s
    policy: {limit: 500/s}
    traffic: [{pattern: poisson, rate: 1500/s}]
    algorithms: [token-bucket]
    expect: {token-bucket: {burst_excess: "<= 0"}}
  - name: two
    duration: 20s
    policy: {limit: 500/s}
    traffic: [{pattern: poisson, rate: 1500/s}]
    algorithms: [fixed-window]
`

// outputs is a run that writes files of every kind.
var outputs = []string{"run", "s.yaml", "-q", "-o", "r.json", "--html", "r.html", "--plots", ".", "--decisions", "d.csv", "--windows", "w.jsonl"}

// TestSignalsAtRandomInstants ends runs and gates by signals. Every output must be
// whole or absent, and nothing else may stay. The reports of a gate that did not end
// with 0 are not green, and are absent only if the program had not begun. SIGNAL_RUNS
// sets the number of runs.
func TestSignalsAtRandomInstants(t *testing.T) {
	needSignals(t)
	t.Run("run", func(t *testing.T) { signalsAtRandom(t, outputs, 12, usage.ExitInterrupted) })
	t.Run("gate", func(t *testing.T) { signalsAtRandom(t, gates, 12, usage.ExitUnevaluated) })
}

// signalsAtRandom signals a command, by default so many times. interrupted is its
// exit code then.
func signalsAtRandom(t *testing.T, args []string, runs, interrupted int) {
	if n, err := strconv.Atoi(os.Getenv("SIGNAL_RUNS")); err == nil {
		runs = n
	}
	signalled(t, args, 0, time.Hour) // the first run takes longer
	start := time.Now()
	whole := signalled(t, args, 0, time.Hour)
	longest := time.Since(start)
	codes := map[int]int{}
	for i := range runs {
		signal := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}[i%3]
		after := rand.N(longest)
		got := signalled(t, args, signal, after)
		codes[got.code]++
		for name, text := range got.files {
			if err := got.judge(name, text, whole.files[name]); err != nil {
				t.Errorf("signal %d after %s: %s: %v", signal, after, name, err)
			}
		}
		if got.code != interrupted && got.code != 0 && got.code != -1 { // -1: the runtime did not run yet
			t.Errorf("signal %d after %s: exit code %d\n%s", signal, after, got.code, got.errs)
		}
		for name := range whole.files {
			if args[0] == "gate" && got.code == interrupted && got.files[name] == nil {
				t.Errorf("signal %d after %s: %s is not written", signal, after, name)
			}
		}
	}
	t.Logf("exit codes %v", codes)
}

// ended is what a run left.
type ended struct {
	code  int
	files map[string][]byte
	errs  string
}

// signalled runs the program in a folder of its own and sends it a signal.
func signalled(t *testing.T, args []string, signal syscall.Signal, after time.Duration) (e ended) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "s.yaml"), []byte(writing), 0o666); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("limitgauge", args...)
	c.Dir, c.Env = dir, append(os.Environ(), "GITHUB_STEP_SUMMARY=sum.md")
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { c.Process.Signal(signal) })
	c.Wait()
	timer.Stop()
	e = ended{c.ProcessState.ExitCode(), map[string][]byte{}, errs.String()}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		e.files[path], err = os.ReadFile(filepath.Join(dir, path))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if args[0] == "gate" && e.code >= 0 {
		e.files["stdout"] = out.Bytes()
	}
	return e
}

// judge returns an error if a file is not whole. want is that of a complete run.
func (e *ended) judge(name string, got, want []byte) error {
	if want == nil {
		return errors.New("no run writes this file")
	}
	if bytes.Equal(times.ReplaceAll(got, nil), times.ReplaceAll(want, nil)) {
		return nil
	}
	if isReport(name) {
		return judgeReport(name, got)
	}
	switch filepath.Ext(name) { // an interrupted run writes what it has finished
	case ".json":
		d, err := results.Decode(bytes.NewReader(got))
		if err == nil && !d.Partial {
			err = errors.New("differs and is not marked as partial")
		}
		return err
	case ".png":
		_, err := png.Decode(bytes.NewReader(got))
		return err
	case ".pictures": // the names of those that are there
		missing := func(line string) bool { return !strings.Contains(string(want), line+"\n") }
		if !slices.ContainsFunc(strings.Split(strings.TrimSuffix(string(got), "\n"), "\n"), missing) {
			return nil
		}
	case ".html":
		if strings.HasSuffix(strings.TrimSpace(string(got)), "</html>") {
			return nil
		}
	}
	return errors.New("is not whole")
}

// waiting starts a run that waits for a log in a pipe without end, while it
// has the rows of a file in a temporary file. Such a run cannot end in order.
func waiting(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	if err := exec.Command("mkfifo", filepath.Join(dir, "log.csv")).Run(); err != nil {
		foreground.Missing(t, "mkfifo")
	}
	c := exec.Command("limitgauge", "replay", "log.csv", "--limit", "1/s", "--no-plots", "-q", "--keys", "k.csv")
	c.Dir = dir
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill() })
	wait.Until(t, "the run has begun", func() bool { return len(temporaries(t, dir)) > 0 })
	return c
}

func temporaries(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, ".limitgauge-*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A second signal ends a program that cannot end in order, and so does SIGQUIT.
func TestSignalsThatEndAtOnce(t *testing.T) {
	needSignals(t)
	first := syscall.SIGHUP
	if signal.Ignored(first) { // as nohup(1) asks for, of these tests and of what they start
		first = syscall.SIGINT
	}
	for _, signals := range [][]syscall.Signal{
		{syscall.SIGTERM, syscall.SIGTERM}, {first, syscall.SIGINT}, {syscall.SIGQUIT},
	} {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			c := waiting(t, dir)
			c.Process.Signal(signals[0])
			ended := make(chan struct{})
			go func() { c.Wait(); close(ended) }()
			// On a busy machine the program may handle the first signal so late that its
			// patience is not over at the next one.
			for stuck, last := wait.End(t), signals[len(signals)-1]; !over(ended, patience+100*time.Millisecond); c.Process.Signal(last) {
				if over(stuck, 0) {
					c.Process.Kill()
					t.Fatalf("%v: it goes on", signals)
				}
			}
			if left := temporaries(t, dir); len(left) > 0 {
				t.Errorf("%v: left behind: %v", signals, left)
			}
			if code := c.ProcessState.ExitCode(); len(signals) > 1 && code != usage.ExitInterrupted {
				t.Errorf("%v: exit code %d", signals, code)
			}
		})
	}
}

// over reports whether something has happened after a time.
func over[T any](happens <-chan T, d time.Duration) bool {
	select {
	case <-happens:
		return true
	case <-time.After(d):
		return false
	}
}

// What a killed run leaves is gone after the next run that writes into the folder.
func TestKilledRunIsCleanedUp(t *testing.T) {
	needSignals(t)
	dir := t.TempDir()
	c := waiting(t, dir)
	c.Process.Kill()
	c.Wait()
	if left := temporaries(t, dir); len(left) != 1 {
		t.Fatalf("a killed run left %v", left)
	}
	next := exec.Command("limitgauge", "run", "basic", "--no-plots", "-q", "-o", filepath.Join(dir, "r.txt"))
	if text, err := next.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if left := temporaries(t, dir); len(left) > 0 {
		t.Errorf("the next run left %v", left)
	}
}
