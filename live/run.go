package live

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/live/trial"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// RowName is the name of the limiter's row in documents, and that under which a
// scenario expects something of it.
const RowName = "go"

// settings are what options change.
type settings struct {
	trial    trial.Trial
	scenario string
}

// Run sends the requests of a scenario to a limiter and returns the results document: JSON,
// as docs/results.md describes it, with a row called "go" beside the simulated ones. file is
// the path of a scenario file. Run judges nothing. If ctx ends, it returns what was sent
// until then, and the error of ctx. If a simulation fails, it returns the limiter's row and
// the error. It returns an error alone if the file, the target or an option is invalid,
// or if nothing was sent.
func Run(ctx context.Context, file string, target Target, options ...Option) ([]byte, error) {
	d, err := run(ctx, file, target, options)
	if d == nil {
		return nil, err
	}
	text, invalid := results.Text(d)
	if invalid != nil {
		return nil, invalid
	}
	return text, err
}

// run is Run with the document as a value.
func run(ctx context.Context, file string, target Target, options []Option) (*results.Document, error) {
	s := settings{trial: trial.Trial{Target: RowName}}
	for _, o := range options {
		o(&s)
	}
	if f, isFunc := target.(Func); target == nil || isFunc && f == nil {
		return nil, errors.New("the target is nil")
	}
	if err := s.load(file); err != nil {
		return nil, err
	}
	if err := s.trial.Check(); err != nil {
		return nil, err
	}
	planned, err := s.trial.Plan(ctx)
	if err != nil {
		return nil, err
	}
	return s.trial.Run(ctx, planned, adapter{target})
}

// load reads the scenario file.
func (s *settings) load(name string) error {
	source, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	f, problems := scenarios.Load(name, source, filepath.Dir(name), sim.Catalog())
	if len(problems) > 0 {
		return errors.New(strings.Join(lists.Map(problems, scenarios.Problem.String), "\n"))
	}
	if s.scenario != "" {
		if err := f.Override(scenarios.Overrides{Only: []string{s.scenario}}); err != nil {
			return err
		}
	}
	s.trial.File = f
	stamp := &s.trial.Simulation.Stamp
	*stamp = sim.StampOf(f)
	stamp.Version, stamp.Commit = sim.ModuleVersion(), "unknown"
	return nil
}
