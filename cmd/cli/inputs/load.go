// Package inputs holds the files that commands read and write, and the flags that say how:
// scenario files, logs, documents, and what is written about each request.
//
// The package makes no promise: it can change at any time.
package inputs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/limitgauge/limitgauge/cmd/cli/describe"
	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// maxText limits the size of files that are read into memory as a whole, in
// bytes.
const maxText = 1 << 30

// ErrStdinTwice is the error of a command that names standard input twice.
var ErrStdinTwice = usage.Errorf("standard input can be read only once")

// defaultFile is the scenario file of commands without a file argument.
const defaultFile = "scenarios.yaml"

// Source holds the text of a scenario file and the directory that its paths are
// relative to.
type Source struct {
	Name, Dir string
	Text      []byte
}

// ReadSource reads a scenario file. "-" is standard input. Any other name is a
// file or, if there is no such file, a shipped suite.
func ReadSource(h *terminal.Host, name string) (Source, error) {
	if IsSuite(name) {
		suite, err := scenarios.FindSuite(name)
		return Source{Name: "suite:" + name, Dir: ".", Text: suite.Source}, err
	}
	text, err := ReadText(h, name)
	if errors.Is(err, fs.ErrNotExist) {
		err = usage.Errorf("%w%s", err, elsewhere(name))
	}
	return Source{Name: name, Dir: filepath.Dir(name), Text: text}, err
}

// IsSuite reports whether the name of a scenario file selects a shipped suite.
func IsSuite(name string) bool {
	if IsThere(name) {
		return false
	}
	_, err := scenarios.FindSuite(name)
	return err == nil
}

// elsewhere suggests what to do if a scenario file does not exist.
func elsewhere(name string) string {
	if name == defaultFile {
		return "; limitgauge init writes one, and limitgauge run basic needs none"
	}
	return scenarios.Suggest(name, describe.Names("scenarios"))
}

// IsThere reports whether a file of this name is there, or a link.
func IsThere(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// FileArgument returns the scenario file of a command.
func FileArgument(args []string) string {
	if len(args) == 0 {
		return defaultFile
	}
	return args[0]
}

// missingFile reports a file that does not exist.
type missingFile string

func (m missingFile) Error() string        { return string(m) + ": no such file" }
func (m missingFile) Is(target error) bool { return target == fs.ErrNotExist }

// OpenInput opens a file that the command line names. A missing file and a
// directory are wrong usage.
func OpenInput(name string) (*os.File, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usage.Wrong(missingFile(name))
	}
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, usage.Errorf("%s: is a directory, want a file", name)
	}
	return f, nil
}

// ReadFile reads a file that the command line names, of at most a gigabyte.
func ReadFile(name string) ([]byte, error) {
	f, err := OpenInput(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return text, nil
}

// ReadText reads a file that the command line names; "-" is standard input, which can be
// read once.
func ReadText(h *terminal.Host, name string) ([]byte, error) {
	switch {
	case name != "-":
		return ReadFile(name)
	case h.In == nil:
		return nil, ErrStdinTwice
	}
	in := h.In
	h.In = nil // a log cannot come from there any more
	return ReadAll(in)
}

// ReadAll reads a text of at most a gigabyte.
func ReadAll(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err == nil && len(text) > maxText {
		err = usage.Errorf("longer than %d bytes", maxText)
	}
	return text, err
}

// LoadScenarios reads and validates a scenario file.
func LoadScenarios(ctx context.Context, h *terminal.Host, name string, o scenarios.Overrides) (*scenarios.File, error) {
	src, err := ReadSource(h, name)
	if err != nil {
		return nil, err
	}
	return LoadSource(ctx, h, src, o)
}

// LoadSource validates a scenario file. If it has problems, the error also lists those
// that a run would find in its other scenarios.
func LoadSource(ctx context.Context, h *terminal.Host, src Source, o scenarios.Overrides) (*scenarios.File, error) {
	f, problems := scenarios.LoadSound(src.Name, src.Text, src.Dir, h.Catalog(), o)
	if len(problems) > 0 {
		problems, err := Further(ctx, h, f, problems)
		if err != nil {
			return nil, err
		}
		return nil, &sim.Invalid{Problems: problems}
	}
	if err := f.Override(o); err != nil {
		return nil, usage.Wrong(err)
	}
	return f, nil
}

// Further adds the problems that only the logs and the engine show to those of a
// file, in the order of the file. f holds the scenarios that have no problem so far.
func Further(ctx context.Context, h *terminal.Host, f *scenarios.File, found []scenarios.Problem) ([]scenarios.Problem, error) {
	if len(f.Scenarios) == 0 {
		return found, nil
	}
	more, err := sim.Check(ctx, f, h.In)
	if err != nil {
		return nil, err
	}
	found = append(found, more...)
	slices.SortStableFunc(found, func(x, y scenarios.Problem) int {
		return cmp.Or(cmp.Compare(x.Pos.Line, y.Pos.Line), cmp.Compare(x.Pos.Col, y.Pos.Col))
	})
	return found, nil
}

// LoadDocument reads a results document. "-" is standard input.
func LoadDocument(h *terminal.Host, name string) (*results.Document, error) {
	r := h.In
	if name != "-" {
		f, err := OpenInput(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r = f
	}
	return DecodeDocument(name, r)
}

// DecodeDocument reads a results document of this name.
func DecodeDocument(name string, r io.Reader) (*results.Document, error) {
	d, err := results.Decode(r)
	return d, DocumentError(name, err)
}

// DocumentError returns the error of reading a document: wrong usage unless the document
// has another schema.
func DocumentError(name string, err error) error {
	switch {
	case err == nil:
		return nil
	case usage.Is[*results.SchemaError](err):
		return fmt.Errorf("%s: %w", name, err)
	}
	return usage.Wrong(fmt.Errorf("%s: %w", name, err))
}
