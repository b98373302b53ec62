package cli

import (
	"context"
	"io"
	"os"

	"golang.org/x/term"
)

// terminal reports whether w is a terminal that can redraw lines.
func (a *app) terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return false
	}
	kind, _ := a.Lookup("TERM")
	return kind != "dumb"
}

// checkedWriter stores the first error of a writer, so that no command succeeds
// if its output could not be written. Commands need not check each write.
type checkedWriter struct {
	w   io.Writer
	err error
}

func (c *checkedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
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
