package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/internal/testing/wait"
)

// endless is a scenario file whose second scenario takes hours.
const endless = `version: 1
replications: 1
scenarios:
  - name: quick
    duration: 2s
    policy: {limit: 10/s}
    traffic: [{pattern: constant, rate: 20/s}]
    algorithms: [token-bucket]
    expect: {token-bucket: {offered_requests: "== 40"}}
  - name: long
    duration: 10000h
    policy: {limit: 1000000/s}
    traffic: [{pattern: poisson, rate: 1000000/s}]
    algorithms: [token-bucket]
`

// partial checks that a document of endless is marked as partial and that its
// scenario quick is complete.
func partial(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Partial bool
		Results []struct{ Scenario, Algorithm string }
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	quick := 0
	for _, r := range d.Results {
		if r.Scenario != "quick" {
			t.Errorf("%s of %s is in the document, but cannot have been finished", r.Algorithm, r.Scenario)
		}
		quick++
	}
	if !d.Partial || quick != 2 {
		t.Errorf("partial is %t with %d rows of the finished scenario, want true and 2", d.Partial, quick)
	}
}

func writeEndless(t *testing.T) (dir, file string) {
	dir = t.TempDir()
	file = filepath.Join(dir, "endless.yaml")
	if err := os.WriteFile(file, []byte(endless), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir, file
}

// afterQuick interrupts a run of endless later and later, until the scenario quick is
// finished then, which takes longer on a busy machine. run returns standard output.
func afterQuick(run func(delay time.Duration) string) {
	for delay := 300 * time.Millisecond; strings.Contains(run(delay), "unevaluated: token-bucket offered_requests"); {
		delay *= 2
	}
}

// An interrupted run keeps the finished part and reports the interruption.
func TestInterruptedRun(t *testing.T) {
	dir, file := writeEndless(t)
	for _, c := range []struct {
		args []string
		want string // on stderr
	}{
		{[]string{"run", file, "--no-plots", "-o", filepath.Join(dir, "r.json")}, "interrupted: this is what was finished, marked partial"},
		{[]string{"run", file, "--no-plots", "--keys", filepath.Join(dir, "k.csv")}, "interrupted: this is what was finished"},
		{[]string{"run", file, "--no-plots", "--windows", filepath.Join(dir, "k.csv"), "--decisions", filepath.Join(dir, "d.jsonl")},
			"note: interrupted, so not written: " + filepath.Join(dir, "d.jsonl") + ", " + filepath.Join(dir, "k.csv") + "\n"},
		{[]string{"gate", file, "-o", filepath.Join(dir, "g.xml")}, "interrupted: these are the verdicts on what was finished\n"},
	} {
		var out, errs bytes.Buffer
		code := 0
		afterQuick(func(delay time.Duration) string {
			ctx, cancel := context.WithCancel(context.Background())
			timer := time.AfterFunc(delay, cancel)
			out.Reset()
			errs.Reset()
			code = Run(ctx, c.args, terminal.Host{In: strings.NewReader(""), Out: &out, Err: &errs, Lookup: os.LookupEnv})
			timer.Stop()
			cancel()
			return out.String()
		})
		want := 130
		if c.args[0] == "gate" {
			want = 4
		}
		if code != want || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%s: exit code %d, stderr %q, want %d and %q", c.args, code, errs.String(), want, c.want)
		}
		if told := strings.Contains(out.String(), "partial"); told != (c.args[0] == "run") {
			t.Errorf("%s: stdout says partial: %t\n%s", c.args, told, &out)
		}
	}
	partial(t, filepath.Join(dir, "r.json"))
	for _, want := range []string{`<testcase classname="quick" name="token-bucket offered_requests == 40" time="`, `name="interrupted"`, `errors="1"`} {
		if text, err := os.ReadFile(filepath.Join(dir, "g.xml")); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("the report of an interrupted gate lacks %s (%v):\n%s", want, err, text)
		}
	}
	var out, errs bytes.Buffer
	judged := Run(context.Background(), []string{"gate", filepath.Join(dir, "r.json")}, terminal.Host{In: strings.NewReader(""), Out: &out, Err: &errs, Lookup: os.LookupEnv})
	if judged != 4 {
		t.Errorf("gate on the partial document: exit code %d, want %d: its one threshold holds, but who knows of the rest\n%s", judged, 4, &out)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "k.csv*")); len(left) > 0 {
		t.Errorf("an interrupted run left %v: rows of a run that ended early look like those of a whole one", left)
	}
}

// A command that waits for input can be interrupted.
func TestInterruptedReading(t *testing.T) {
	for _, args := range [][]string{
		{"run", "-"}, {"validate", "-"}, {"gate", "-"}, {"report", "-"}, {"step", "gcra"}, {"replay", "-", "--limit", "1/s"},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		in, keep := io.Pipe()
		time.AfterFunc(50*time.Millisecond, cancel)
		var out, errs bytes.Buffer
		ended := make(chan int, 1)
		go func() { ended <- Run(ctx, args, terminal.Host{In: in, Out: &out, Err: &errs, Lookup: os.LookupEnv}) }()
		select {
		case code := <-ended:
			want, text := 130, "limitgauge: interrupted\n"
			if args[0] == "gate" {
				want, text = 4, "limitgauge: interrupted: these are the verdicts on what was finished\n"
			}
			if code != want || errs.String() != text {
				t.Errorf("%s: exit code %d, stderr %q", args, code, errs.String())
			}
		case <-wait.End(t):
			t.Fatalf("%s: still there after it was interrupted", args)
		}
		keep.Close()
		cancel()
	}
}

// The real program is built and receives a SIGINT.
func TestInterruptedProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("only on Unix: sends SIGINT")
	}
	if testing.Short() {
		t.Skip("builds the program")
	}
	dir, file := writeEndless(t)
	program := filepath.Join(dir, "limitgauge")
	if text, err := exec.Command("go", "build", "-o", program, "../../cmd/limitgauge").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, text)
	}
	var out, errs bytes.Buffer
	afterQuick(func(delay time.Duration) string {
		out.Reset()
		errs.Reset()
		c := exec.Command(program, "run", file, "--no-plots", "-o", "r.json", "--keys", "k.csv")
		c.Dir, c.Stdout, c.Stderr = dir, &out, &errs
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		defer c.Process.Kill()
		wait.Until(t, "the run has begun", func() bool { return len(temporaries(t, dir)) > 0 })
		time.Sleep(delay)
		if err := c.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := c.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
			t.Errorf("ended with %v, want exit code %d\n%s", err, 130, &errs)
		}
		return out.String()
	})
	if !strings.Contains(out.String(), "partial") || !strings.HasSuffix(errs.String(), "marked partial\n") {
		t.Errorf("stdout %q\nstderr %q", &out, &errs)
	}
	partial(t, filepath.Join(dir, "r.json"))
	if left, _ := filepath.Glob(filepath.Join(dir, ".limitgauge-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
