//go:build network && unix

// Package measured runs `limitgauge live` against real systems on loopback and holds the
// verdicts that must hold however busy the machine is. It holds tests alone.
package measured

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/cmd/cli"
	"github.com/limitgauge/limitgauge/internal/testing/wait"
	"github.com/limitgauge/limitgauge/live/bounds"
	"github.com/limitgauge/limitgauge/live/send"
	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/live/targets/postgres"
	"github.com/limitgauge/limitgauge/live/targets/redis"
	"github.com/limitgauge/limitgauge/live/targets/rls"
	"github.com/limitgauge/limitgauge/sim/results"
)

var update = flag.Bool("update", false, "write what was measured to "+page)

// scenarioFile has the scenario of each measurement, by name.
const scenarioFile = "internal/testing/measured/testdata/scenarios.yaml"

const asProgram = "LIMITGAUGE_AS_PROGRAM"

// TestMain lets tests run this test binary as the program, and runs them in the
// module's root.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(cli.Process("", cli.Own{Targets: []targets.Kind{rls.Kind(), redis.Kind(), postgres.Kind()}}))
	}
	if err := os.Chdir("../../.."); err != nil {
		panic(err)
	}
	code := m.Run()
	if code == 0 && *update {
		if err := writePage(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// measurement is one run of `limitgauge live`.
type measurement struct {
	scenario string   // its name in the file
	target   string   // the kind
	address  []string // as the page shows them
	options  []string
	flags    []string

	// want are the outcomes that are right, and never those that are wrong however busy
	// the machine is. Any other one shows that the machine was too busy, and the
	// measurement is repeated.
	want, never []bounds.Outcome
	starves     bool // it certainly admits too little

	figure string // the metric that the page compares with the prediction
	why    string // they differ
}

// keeps returns a measurement of a limiter that keeps its limit.
func (m measurement) keeps() measurement {
	m.want, m.never = []bounds.Outcome{bounds.Kept}, []bounds.Outcome{bounds.Broken}
	return m
}

// keepsTooWell returns a measurement of a limiter that keeps its limit and certainly
// admits too little.
func (m measurement) keepsTooWell() measurement {
	m = m.keeps()
	m.starves = true
	return m
}

// over returns a measurement of a limiter that exceeds its limit so far that no
// lateness hides it.
func (m measurement) over() measurement {
	m.want, m.never = []bounds.Outcome{bounds.Broken}, []bounds.Outcome{bounds.Kept}
	return m
}

// unknown returns a measurement of a limiter that stands still.
func (m measurement) unknown() measurement {
	m.want, m.never = []bounds.Outcome{bounds.Unknown, bounds.NotJudged}, []bounds.Outcome{bounds.Kept, bounds.Broken}
	return m
}

// because returns a measurement whose difference to the prediction has a known reason.
func because(m measurement, why string) measurement {
	m.why = why
	return m
}

// attempts is how often a measurement is made in time that does not have its verdict, and
// also how often on a machine that is too busy to send in time.
const attempts = 4

// run measures a system at these addresses, in place of those that the page shows, and
// holds the verdict. progress, if not nil, is called when the program reports progress
// for the first time.
func (m measurement) run(t *testing.T, progress func(), addresses ...string) {
	t.Helper()
	for inTime, late := 0, 0; ; {
		text, rows := live(t, progress, m.arguments(scenarioFile, addresses)...)
		measured := rows[slices.IndexFunc(rows, func(r results.Result) bool { return r.Live != nil })]
		l := measured.Live
		is := func(o bounds.Outcome) bool { return o.String() == l.Over.Outcome }
		switch {
		case slices.ContainsFunc(m.never, is) && (is(bounds.Broken) || l.Sender.Late == ""): // other traffic than planned may keep the limit
			t.Fatalf("wrong verdict:\n%s", text)
		case slices.ContainsFunc(m.want, is) && (!m.starves || l.Under.Outcome == bounds.Broken.String()) && (!*update || l.Sender.LatenessP99Ns <= int64(send.LatenessBound)):
			keep(m, rows)
			return
		case l.Sender.LatenessP99Ns <= int64(send.LatenessBound):
			inTime++
		default:
			late++
		}
		t.Logf("%d in time, %d late, want %v: %s", inTime, late, m.want, text)
		switch {
		case inTime == attempts || late == attempts && *update:
			t.Fatal("the verdict is another one each time")
		case late == attempts:
			t.Log("the machine is too busy to measure the system")
			return
		}
	}
}

// arguments returns the arguments of the program for a scenario file and the
// addresses of the system.
func (m measurement) arguments(file string, addresses []string) []string {
	args := []string{"live", file, "--scenario", m.scenario, "--target", m.target}
	for _, a := range addresses {
		args = append(args, "--address", a)
	}
	for _, o := range m.options {
		args = append(args, "--option", o)
	}
	return append(args, m.flags...)
}

// live runs the program and returns what it prints, and the rows of its document. The
// exit code is 0, or 4 if the run cannot be judged.
func live(t *testing.T, progress func(), args ...string) (text string, rows []results.Result) {
	t.Helper()
	document := filepath.Join(t.TempDir(), "live.json")
	c := exec.CommandContext(wait.Context(t), os.Args[0], append(args, "--no-plots", "-o", document)...)
	c.Env = append(os.Environ(), asProgram+"=1")
	var out bytes.Buffer
	c.Stdout = &out
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for lines := bufio.NewScanner(stderr); lines.Scan(); said.WriteString(lines.Text() + "\n") {
		if progress != nil && strings.Contains(lines.Text(), ": sent ") {
			progress()
			progress = nil
		}
	}
	err = c.Wait()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 4) {
		t.Fatalf("%q: %v\n%s%s", args, err, &said, &out)
	}
	f, err := os.Open(document)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d, err := results.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), d.Results
}

// starting skips a test unless it is asked for: systems are measured for minutes.
func starting(t *testing.T) {
	t.Helper()
	if os.Getenv("LIVE_SYSTEMS") == "" && !*update {
		t.Skip("only with LIVE_SYSTEMS=1: measures real systems")
	}
}
