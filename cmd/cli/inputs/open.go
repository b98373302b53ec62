package inputs

import (
	"context"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// Claim returns the files of a command before it does anything: those of its flags, and
// the secret. It returns an error if one that it writes is another of them.
func Claim(h *terminal.Host, r *Running, adds ...func(*FileSet) error) (*FileSet, error) {
	files := NewFileSet(h)
	for _, add := range adds {
		if err := add(files); err != nil {
			return nil, err
		}
	}
	files.Reads("the secret", r.Hidden.Secret)
	return files, files.Check()
}

// Names returns what adds inputs to the files of a command. what describes each of them,
// such as "the log".
func Names(what string, names ...string) func(*FileSet) error {
	return func(s *FileSet) error {
		for _, name := range names {
			s.Reads(what, name)
		}
		return nil
	}
}

// Output returns what adds an output to the files of a command. flag is what names it.
func Output(flag, name string) func(*FileSet) error {
	return func(s *FileSet) error {
		s.Writes(flag, name)
		return nil
	}
}

// Open reads the scenario file of a command, once for everything that needs it: it may be
// standard input.
func (s *FileSet) Open(name string) (err error) {
	s.Source, err = ReadSource(s.host, name)
	return err
}

// Scenarios returns the scenarios of the file that Open has read, unless the command would
// write a log that it names.
func (s *FileSet) Scenarios(ctx context.Context, o scenarios.Overrides) (*scenarios.File, error) {
	if err := s.CheckLogs(); err != nil {
		return nil, err
	}
	return LoadSource(ctx, s.host, s.Source, o)
}

// Grid returns the cells of the file that Open has read, with further axes.
func (s *FileSet) Grid(vary []string, o scenarios.Overrides) (*scenarios.Grid, error) {
	if err := s.CheckLogs(); err != nil {
		return nil, err
	}
	grid, problems, err := scenarios.LoadGrid(s.Source.Name, s.Source.Text, s.Source.Dir, s.host.Catalog(), vary, o)
	if err != nil {
		return nil, usage.Wrong(err)
	}
	if len(problems) > 0 {
		return nil, &sim.Invalid{Problems: problems}
	}
	return grid, nil
}

// Options returns what every simulation of a command has.
func (r *Running) Options(h *terminal.Host) (sim.Options, error) {
	memory, err := r.Sorting()
	return sim.Options{SortMemory: memory, Memory: terminal.FreeMemory(), Programs: h.MakeFleet, AllowExec: r.AllowExec}, err
}
