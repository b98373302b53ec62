package gauge

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Environment variables that reduce Test to one scenario and one replication of it. The
// text of a failed test states them.
const (
	scenarioVariable    = "GAUGE_SCENARIO"
	replicationVariable = "GAUGE_REPLICATION"
)

// Test runs the scenarios of a file with rows beside those that the file lists. It
// fails the test if an expectation of the file does not hold or cannot be evaluated,
// if a row differs from the counter that its As names, or if there is neither an
// expectation nor an As. The message shows the table
// of the scenario, the worst instant with the calls around it, and the command that
// runs the worst replication alone.
//
// file is a path relative to the test's directory. Its scenarios can list rows by name
// under algorithms; a row is added to the scenarios that do not list it. Both can expect
// something of it.
func Test(t *testing.T, file string, rows ...Row) {
	t.Helper()
	r := load(t, file, rows)
	if name := os.Getenv(scenarioVariable); name != "" {
		r.only = replication(t)
		if err := r.file.Override(scenarios.Overrides{Only: []string{name}}); err != nil {
			t.Errorf("%s=%s: %v", scenarioVariable, name, err)
			return
		}
	}
	d, err := r.run(r.file, sim.Options{Only: r.only})
	if err != nil {
		t.Fatal(failure(err))
	}
	for _, text := range r.judge(d) {
		t.Error(text)
	}
}

// Run runs the scenarios of a file with rows beside those that the file lists, and
// returns the results document: JSON, as `limitgauge run --format json` prints it and
// docs/results.md describes it. It judges nothing, and ends the test if the file or a row
// cannot run.
func Run(t *testing.T, file string, rows ...Row) []byte {
	t.Helper()
	r := load(t, file, rows)
	d, err := r.run(r.file, sim.Options{})
	if err != nil {
		t.Fatal(failure(err))
	}
	text, err := results.Text(d)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// runner runs the scenarios of one file in one test.
type runner struct {
	t    *testing.T
	file *scenarios.File
	host *host
	only int // the only replication, from 1; 0 for all
}

// load reads a scenario file and adds the rows. It ends the test if either is invalid.
func load(t *testing.T, name string, rows []Row) *runner {
	t.Helper()
	h, err := newHost(t, rows)
	if err != nil {
		t.Fatal(err)
	}
	all := sim.Catalog()
	all.Presets, all.Added = append(all.Presets, h.presets...), catalog.Names(h.presets)
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f, problems := scenarios.Load(name, source, filepath.Dir(name), all)
	if len(problems) > 0 {
		t.Fatal(failure(&sim.Invalid{Problems: problems}))
	}
	return &runner{t: t, file: f, host: h}
}

// replication returns the number of the replication that the environment selects.
func replication(t *testing.T) int {
	text := os.Getenv(replicationVariable)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s: want a number from 1, not %q", replicationVariable, text)
	}
	return n
}

// run runs a file with some options of sim.Run. If calls took virtual time which did not
// when the limiter was probed, it runs all again, with calls of this limiter that overlap.
func (r *runner) run(f *scenarios.File, o sim.Options) (*results.Document, error) {
	o.Programs = r.host.make
	o.Stamp = sim.StampOf(f)
	o.Stamp.Version, o.Stamp.Commit, o.Stamp.Rerun = sim.ModuleVersion(), "unknown", r.command()
	for {
		d, err := sim.Run(r.t.Context(), f, o)
		slow, ok := errors.AsType[*tookTime](err)
		if !ok || o.Details.Decisions != nil {
			return d, err
		}
		r.host.probes[slow.key].nature.takesTime = true
		maps.DeleteFunc(r.host.probes, func(_ probeKey, p *probe) bool { return p.err != nil }) // the run has ended them
	}
}

// command returns the command that runs the test alone.
func (r *runner) command() string {
	parts := lists.Map(strings.Split(r.t.Name(), "/"), func(part string) string { return "^" + regexp.QuoteMeta(part) + "$" })
	return "go test -run " + format.ShellQuote(strings.Join(parts, "/")) + " ."
}

// failure returns the text of an error of a run: every problem of an invalid file.
func failure(err error) string {
	if invalid, ok := errors.AsType[*sim.Invalid](err); ok {
		return strings.Join(lists.Map(invalid.Problems, scenarios.Problem.String), "\n")
	}
	if errors.Is(err, context.Canceled) {
		return "the test was cancelled: nothing was measured"
	}
	return fmt.Sprint(err)
}
