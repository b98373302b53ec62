package terminal

import (
	"context"
	"errors"
	"io"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/term"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/report/table"
)

// IsTerminal reports whether w is a terminal that can redraw lines.
func (h *Host) IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return false
	}
	kind, _ := h.Lookup("TERM")
	return kind != "dumb"
}

// widest limits the width that a terminal can ask for.
const widest = 1000

// Width returns how many columns text may take on w: on standard output those
// that COLUMNS names, else those of the terminal, and table.TextWidth in files and
// pipes.
func (h *Host) Width(w io.Writer) int {
	if w != h.Out {
		return table.TextWidth
	}
	if text, ok := h.Lookup("COLUMNS"); ok {
		if n, err := strconv.Atoi(text); err == nil && n > 0 {
			return min(max(n, table.LeastWidth), widest)
		}
	}
	_, w, _ = h.Streams()
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return min(max(n, table.LeastWidth), widest)
		}
	}
	return table.TextWidth
}

// Guard makes reading end with ctx. It returns a function that returns the first error
// of standard output.
func (h *Host) Guard(ctx context.Context) (written func() error) {
	out := &checkedWriter{w: h.Out}
	h.In, h.Out = newInterruptible(ctx, h.In), out
	return func() error { return out.err }
}

// Streams returns the standard streams below those that guard put in their place.
func (h *Host) Streams() (in io.Reader, out, errs io.Writer) {
	in, out = h.In, h.Out
	if guarded, ok := in.(*interruptible); ok {
		in = guarded.in
	}
	if guarded, ok := out.(*checkedWriter); ok {
		out = guarded.w
	}
	return in, out, h.Err
}

// checkedWriter stores the first error of a writer, so that no command succeeds
// if its output could not be written. Commands need not check each write. That the
// reader has closed the output is an exit code without a message.
type checkedWriter struct {
	w   io.Writer
	err error
}

func (c *checkedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		err = usage.Code(usage.ExitReaderGone)
	}
	if c.err == nil {
		c.err = err
	}
	return n, err
}

// interruptible is a reader that stops when a context ends. Without it, a
// terminal or pipe without input would keep the program from being interrupted.
type interruptible struct {
	ctx  context.Context
	in   io.Reader
	buf  []byte
	left []byte // of buf, read and not returned yet
	err  error  // after left
	done chan int
}

func newInterruptible(ctx context.Context, in io.Reader) *interruptible {
	return &interruptible{ctx: ctx, in: in, done: make(chan int, 1)}
}

func (r *interruptible) Read(p []byte) (int, error) {
	if len(r.left) == 0 && r.err == nil {
		if r.ctx.Err() != nil {
			return 0, r.ctx.Err()
		}
		if r.buf == nil {
			r.buf = make([]byte, 64<<10)
		}
		var err error
		go func() {
			var n int
			n, err = r.in.Read(r.buf)
			r.done <- n
		}()
		select {
		case <-r.ctx.Done():
			r.err = r.ctx.Err() // the reading goroutine still uses buf
		case n := <-r.done:
			r.left, r.err = r.buf[:n], err
		}
	}
	n := copy(p, r.left)
	r.left = r.left[n:]
	if len(r.left) > 0 {
		return n, nil
	}
	return n, r.err
}
