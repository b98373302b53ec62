// Package explore serves a page on which a reader changes the settings of a scenario and
// sees its figures at once. It answers with the figures and tables of package report/html,
// made from documents that limitgauge run gives for the same settings.
//
// The package makes no promise: it can change at any time.
package explore

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Options states what an Explorer explores and what it may use.
type Options struct {
	Name    string   // of the file, as commands name it
	Sets    []string // settings of a command line that the file was loaded with
	Catalog catalog.Catalog
	Metrics []catalog.Metric
	Memory  int64  // bytes that a run may use; 0 means no limit
	Again   string // the command that starts the page again
	Stamp   func(f *scenarios.File, rerun string) results.Stamp
}

// The bounds of what a page can ask for.
const (
	mostWork    = 500_000_000      // decisions of a run
	mostMemory  = 512 << 20        // bytes of the state of a run
	longestRun  = 30 * time.Second // of all replications, and of a curve
	mostCurve   = 12               // values of a curve
	mostKept    = 24               // answers that are kept
	previewTime = 20 * time.Millisecond
)

// rerun is the command that makes the document of an answer from its scenario file.
const rerun = "limitgauge run -"

// Explorer answers questions about the scenarios of a file. It is safe for concurrent
// use; it runs one simulation at a time.
type Explorer struct {
	o       Options
	source  []byte // of the file
	base    *scenarios.Base
	files   map[string]*scenarios.File // by scenario, with the values of the file
	values  map[string]map[string]any  // by scenario: of all knobs
	logs    []string                   // that the file names
	opened  sim.Logs                   // logs that were read
	running chan struct{}              // holds a token while a simulation runs

	mu    sync.Mutex
	kept  []kept
	speed map[string]time.Duration // by scenario: time of one simulated second, of one replication
}

// kept is a document with all replications.
type kept struct {
	text string // of the scenario file
	doc  *results.Document
}

// New returns an Explorer of a file. The problems are those of running its scenarios.
func New(ctx context.Context, f *scenarios.File, o Options) (*Explorer, []scenarios.Problem, error) {
	e := &Explorer{
		o: o, source: f.Source, base: f.Base(furtherColumns()), files: map[string]*scenarios.File{}, values: map[string]map[string]any{},
		logs: scenarios.LogFiles(f.Source), running: make(chan struct{}, 1), speed: map[string]time.Duration{},
	}
	if slices.Contains(e.logs, "-") {
		return nil, []scenarios.Problem{{Path: f.Path, Pos: f.Scenarios[0].Pos, Field: "scenarios",
			Message: "a log on standard input can be read once, and a page runs many times: give the log as a file"}}, nil
	}
	if problems, err := sim.Check(ctx, f, nil); err != nil || len(problems) > 0 {
		return nil, problems, err
	}
	for _, name := range e.base.Names() {
		one, problems := e.base.With(name, nil)
		if len(problems) > 0 {
			return nil, problems, nil
		}
		e.files[name] = one
		e.values[name] = knobsOf(&one.Scenarios[0], o.Catalog, nil).values
	}
	return e, nil, nil
}

// Close releases the logs that were read.
func (e *Explorer) Close() { e.opened.Close() }

// furtherColumns returns the default columns of a table after the headline metrics.
func furtherColumns() []string {
	return slices.DeleteFunc(table.DefaultColumns(), func(name string) bool { return slices.Contains(catalog.Headline(), name) })
}

// Refused reports that the settings of a view cannot run, and why.
type Refused struct{ Problems []Problem }

// Problem is a mistake in a setting.
type Problem struct {
	Path    string `json:"path"` // of the setting, "" for the whole
	Message string `json:"message"`
}

func (r *Refused) Error() string {
	if r.Problems[0].Path == "" {
		return r.Problems[0].Message
	}
	return r.Problems[0].Path + ": " + r.Problems[0].Message
}

// bind returns the file of a view with its text. It starts no program and names no log
// that the file does not name.
func (e *Explorer) bind(v View) (f *scenarios.File, text []byte, err error) {
	if err := v.check(); err != nil {
		return nil, nil, refuse("", err.Error())
	}
	f, problems := e.base.With(v.Scenario, v.sets())
	if len(problems) > 0 {
		return nil, nil, refusal(problems)
	}
	text = f.Effective()
	logs := scenarios.LogFiles(text)
	if i := slices.IndexFunc(logs, func(name string) bool { return !slices.Contains(e.logs, name) }); i >= 0 {
		return nil, nil, refuse("traffic", fmt.Sprintf("%s is not a log of the file that explore was started with", scenarios.Clip(logs[i])))
	}
	for i := range f.Scenarios[0].Algorithms {
		for _, a := range f.Scenarios[0].Algorithms[i].Stages() {
			if a.Options.Set("exec") {
				return nil, nil, refuse("algorithms", fmt.Sprintf("%s starts a program, which explore never does: leave the row out, or use limitgauge run --allow-exec", scenarios.Clip(a.Name)))
			}
		}
	}
	return f, text, nil
}

// load returns the scenario file of a view, as limitgauge run - loads its text.
func (e *Explorer) load(v View) (*scenarios.File, error) {
	_, text, err := e.bind(v)
	if err != nil {
		return nil, err
	}
	return e.read(v.Scenario, text)
}

// read reads the text of a view.
func (e *Explorer) read(scenario string, text []byte) (*scenarios.File, error) {
	f, problems := scenarios.Load("-", text, e.files[scenario].Dir, e.o.Catalog)
	if len(problems) > 0 {
		return nil, refusal(problems)
	}
	return f, nil
}

func refuse(path, message string) error {
	return &Refused{[]Problem{{path, message}}}
}

// refusal returns the problems of a file of one scenario.
func refusal(list []scenarios.Problem) error {
	return &Refused{lists.Map(list, func(p scenarios.Problem) Problem { return Problem{settingOf(p.Field), p.Message} })}
}
