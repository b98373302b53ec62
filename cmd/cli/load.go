package cli

import (
	"bytes"
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
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// maxText limits the size of files that are read into memory as a whole, in
// bytes.
const maxText = 1 << 30

var errStdinTwice = usage.Errorf("standard input can be read only once")

// defaultFile is the scenario file of commands without a file argument.
const defaultFile = "scenarios.yaml"

// source holds the text of a scenario file and the directory that its paths are
// relative to.
type source struct {
	name, dir string
	text      []byte
}

// readSource reads a scenario file. "-" is standard input. Any other name is a
// file or, if there is no such file, a shipped suite.
func (a *app) readSource(name string) (source, error) {
	if name == "-" {
		if a.In == nil {
			return source{}, errStdinTwice
		}
		text, err := readAll(a.In)
		a.In = nil // a log cannot come from there any more
		return source{name: "-", dir: ".", text: text}, err
	}
	if isSuite(name) {
		suite, err := scenarios.FindSuite(name)
		return source{name: "suite:" + name, dir: ".", text: suite.Source}, err
	}
	f, err := openInput(name)
	if errors.Is(err, fs.ErrNotExist) {
		return source{}, usage.Errorf("%w%s", err, elsewhere(name))
	}
	if err != nil {
		return source{}, err
	}
	defer f.Close()
	text, err := readAll(f)
	if err != nil {
		return source{}, fmt.Errorf("%s: %w", name, err)
	}
	return source{name: name, dir: filepath.Dir(name), text: text}, nil
}

// isSuite reports whether the name of a scenario file selects a shipped suite.
func isSuite(name string) bool {
	_, err := scenarios.FindSuite(name)
	return err == nil && !isThere(name)
}

// elsewhere suggests what to do if a scenario file does not exist.
func elsewhere(name string) string {
	if name == defaultFile {
		return "; limitgauge init writes one, and limitgauge run basic needs none"
	}
	return scenarios.Suggest(name, describe.Names("scenarios"))
}

// isThere reports whether a file of this name is there, or a link.
func isThere(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// fileArgument returns the scenario file of a command.
func fileArgument(args []string) string {
	if len(args) == 0 {
		return defaultFile
	}
	return args[0]
}

// missingFile reports a file that does not exist.
type missingFile string

func (m missingFile) Error() string        { return string(m) + ": no such file" }
func (m missingFile) Is(target error) bool { return target == fs.ErrNotExist }

// openInput opens a file that the command line names. A missing file and a
// directory are wrong usage.
func openInput(name string) (*os.File, error) {
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

func readAll(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err == nil && len(text) > maxText {
		err = usage.Errorf("longer than %d bytes", maxText)
	}
	return text, err
}

// loadScenarios reads and validates a scenario file.
func (a *app) loadScenarios(ctx context.Context, name string, o scenarios.Overrides) (*scenarios.File, error) {
	src, err := a.readSource(name)
	if err != nil {
		return nil, err
	}
	return a.loadSource(ctx, src, o)
}

// loadSource validates a scenario file. If it has problems, the error also lists those
// that a run would find in its other scenarios.
func (a *app) loadSource(ctx context.Context, src source, o scenarios.Overrides) (*scenarios.File, error) {
	f, problems := scenarios.LoadSound(src.name, src.text, src.dir, a.Catalog())
	if len(problems) > 0 {
		problems, err := a.further(ctx, f, problems)
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

// further adds the problems that only the logs and the engine show to those of a
// file, in the order of the file. f holds the scenarios that have no problem so far.
func (a *app) further(ctx context.Context, f *scenarios.File, found []scenarios.Problem) ([]scenarios.Problem, error) {
	if len(f.Scenarios) == 0 {
		return found, nil
	}
	more, err := sim.Check(ctx, f, a.In)
	if err != nil {
		return nil, err
	}
	found = append(found, more...)
	slices.SortStableFunc(found, func(x, y scenarios.Problem) int {
		return cmp.Or(cmp.Compare(x.Pos.Line, y.Pos.Line), cmp.Compare(x.Pos.Col, y.Pos.Col))
	})
	return found, nil
}

// loadDocument reads a results document. "-" is standard input.
func (a *app) loadDocument(name string) (*results.Document, error) {
	r := a.In
	if name != "-" {
		f, err := openInput(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r = f
	}
	return decodeDocument(name, r)
}

func decodeDocument(name string, r io.Reader) (*results.Document, error) {
	d, err := results.Decode(r)
	return d, documentError(name, err)
}

// documentError returns the error of reading a document: wrong usage unless the document
// has another schema.
func documentError(name string, err error) error {
	switch {
	case err == nil:
		return nil
	case usage.Is[*results.SchemaError](err):
		return fmt.Errorf("%s: %w", name, err)
	}
	return usage.Wrong(fmt.Errorf("%s: %w", name, err))
}

// looksLikeDocument reports whether a text is a results document rather than a
// scenario file.
func looksLikeDocument(text []byte) bool {
	head := bytes.TrimLeft(text[:min(len(text), 4096)], " \t\r\n")
	return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"schema_version"`))
}
