package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/sim/results"
)

// sweepFile is the document of a sweep, which is read cell by cell, more than once.
type sweepFile struct {
	name string
	text []byte // of standard input, which is read only once
}

// openSweep opens the document. Close it at the end.
func (f sweepFile) open() (io.ReadCloser, error) {
	if f.text != nil {
		return io.NopCloser(bytes.NewReader(f.text)), nil
	}
	return inputs.OpenInput(f.name)
}

// each calls visit with each cell, in order.
func (f sweepFile) each(visit func(cell int, document []byte) error) error {
	in, err := f.open()
	if err != nil {
		return err
	}
	defer in.Close()
	r, err := sweepReader(f.name, in)
	for err == nil {
		var cell int
		var document []byte
		if cell, document, err = r.Next(); err == nil {
			err = visit(cell, document)
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// reportSweep shows the document of a sweep. known is false if it is no such document.
func (a *app) reportSweep(ctx context.Context, name string, out *output, keys []string) (known bool, err error) {
	f := sweepFile{name: name}
	if name == "-" {
		if f.text, err = inputs.ReadAll(a.In); err != nil {
			return true, err
		}
		a.In = bytes.NewReader(f.text)
	}
	in, err := f.open()
	if err != nil {
		return true, err
	}
	defer in.Close()
	r, err := results.NewSweepReader(in)
	if errors.Is(err, results.ErrNoSweep) {
		return false, nil
	}
	if err != nil {
		return true, usage.Wrong(fmt.Errorf("%s: %w", name, err))
	}
	if len(keys) > 0 {
		return true, usage.Errorf("--key: %s is the document of a sweep, whose figures have no timelines", name)
	}
	shown := newShownSweep(out)
	if err := f.each(func(number int, document []byte) error {
		c, err := r.Head.Cell(number, document)
		if err == nil {
			shown.keep(number, c.Document)
		}
		return err
	}); err != nil {
		return true, usage.Wrong(fmt.Errorf("%s: %w", name, err))
	}
	shown.set(r.Head, f.each, func(w io.Writer, _ results.SweepHead) error {
		in, err := f.open()
		if err != nil {
			return err
		}
		defer in.Close()
		_, err = io.Copy(w, in)
		return err
	})
	return true, shown.show(ctx, a)
}
