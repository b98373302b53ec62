package process

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"time"
)

// defaultGrace is the time that a process has to end by itself, after its standard input
// was closed or after it closed one of its own streams.
const defaultGrace = time.Second

// Process is a running limiter. Its methods must not be called concurrently.
type Process struct {
	ctx     context.Context
	command string
	timeout time.Duration

	*child
	blocks  chan []byte // blocks to write
	written chan error  // the result of each write
	full    chan []byte // output of the process; closed at its end
	free    chan []byte // buffers to read into
	timer   *time.Timer

	block []byte // the encoded requests of one Decide
	line  []byte // the beginning of an answer whose end has not been read; between blocks, what answers nothing
	next  int64  // number of the next request
	err   error  // result of all further calls
}

// Start starts a process and sends it what it must know first. The process ends
// with Close, with the first error of Decide, or as soon as ctx is cancelled.
func Start(ctx context.Context, c Command, f First) (*Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := &Process{
		ctx:     ctx,
		command: commandLine(c.Args),
		timeout: c.Timeout,
		blocks:  make(chan []byte),
		written: make(chan error, 1),
		full:    make(chan []byte, 2),
		free:    make(chan []byte, 2),
		timer:   time.NewTimer(0),
	}
	if p.timeout <= 0 {
		p.timeout = DefaultTimeout
	}
	p.timer.Stop()
	var err error
	if p.child, err = c.start(ctx); err != nil {
		return nil, err
	}
	for range cap(p.free) {
		p.free <- make([]byte, 64<<10)
	}
	go p.write()
	go p.read()
	// A new pipe has room for this line, so the write does not wait. If the
	// process has ended already, the first call of Decide or Close says so.
	p.in.Write(appendFirst(nil, f))
	return p, nil
}

// start starts the process of a command. The error is an *Error.
func (c Command) start(ctx context.Context) (*child, error) {
	if len(c.Args) == 0 {
		return nil, &Error{Command: "exec", What: "names no program", Request: -1}
	}
	cmd := exec.Command(c.Args[0], c.Args[1:]...)
	cmd.Dir = c.Dir
	if len(c.Env) > 0 {
		cmd.Env = append(os.Environ(), c.Env...)
	}
	started, err := startChild(ctx, cmd, cmp.Or(c.grace, defaultGrace))
	if err != nil {
		return nil, &Error{Command: commandLine(c.Args), What: "did not start: " + err.Error(), Request: -1, Err: err}
	}
	return started, nil
}

// write writes blocks to the process.
func (p *Process) write() {
	for b := range p.blocks {
		_, err := p.in.Write(b)
		p.written <- err
	}
}

// read reads the output of the process until it ends.
func (p *Process) read() {
	defer close(p.full)
	for b := range p.free {
		n, err := p.out.Read(b[:cap(b)])
		if n > 0 {
			p.full <- b[:n]
		}
		if err != nil {
			return
		}
	}
}

// Decide sends a block of requests and sets as, which must be as long as rs, to
// the answers. It writes and reads at the same time, so neither side waits for a
// full pipe. The error is that of ctx if it was cancelled, otherwise an *Error;
// the process has ended then, and further calls return the same error.
func (p *Process) Decide(rs []Request, as []Answer) error {
	if len(rs) != len(as) {
		panic("program: as many answers as requests are needed")
	}
	if p.err != nil || len(rs) == 0 {
		return p.err
	}
	b := block{first: p.next, requests: rs, answers: as}
	p.block = p.block[:0]
	for i := range rs {
		var ok bool
		if p.block, ok = appendRequest(p.block, b.first+int64(i), &rs[i]); !ok {
			b.decided = i
			return p.fail(&b, "cannot be sent a key that is not valid UTF-8")
		}
	}
	select {
	case c, open := <-p.full:
		if !open && len(p.line) == 0 {
			return p.ended(&b)
		}
		p.line = append(p.line, c...)
	default:
	}
	if len(p.line) > 0 {
		return p.fail(&b, p.surplus(p.line, "before it was sent the next request"))
	}
	p.next += int64(len(rs))
	p.blocks <- p.block
	p.timer.Reset(p.timeout)
	defer p.timer.Stop()
	for writing, closed := true, false; writing || b.decided < len(rs); {
		select {
		case c, open := <-p.full:
			if !open {
				return p.ended(&b)
			}
			if what := p.take(c, &b); what != "" {
				return p.fail(&b, what)
			}
			p.free <- c
			if !closed {
				p.timer.Reset(p.timeout)
			}
		case err := <-p.written:
			writing = false
			if closed = err != nil; closed {
				p.timer.Reset(min(p.grace, p.timeout)) // it is ending, or it reads no more
			}
		case <-p.timer.C:
			if closed {
				return p.fail(&b, "closed its standard input")
			}
			return p.fail(&b, b.late(p.timeout))
		case <-p.ctx.Done():
			return p.fail(&b, "")
		}
	}
	return nil
}

// errClosed is the error of calls after Close.
var errClosed = errors.New("the process of a limiter is closed")

// Close closes the standard input of the process and waits a second for its end;
// then it kills it. If the process wrote anything after its last answer, or ended
// by itself with an exit code other than 0, the error is an *Error. After an error
// of Decide, Close returns nil.
func (p *Process) Close() error {
	if p.err != nil {
		return nil
	}
	defer func() { p.err = errClosed }()
	const last = "after its last answer"
	if len(p.line) > 0 {
		return p.fail(nil, p.surplus(p.line, last))
	}
	p.in.Close()
	p.timer.Reset(p.grace)
	select {
	case c, open := <-p.full:
		if open {
			return p.fail(nil, p.surplus(c, last))
		}
		select {
		case <-p.exited:
			if !p.state.Success() && p.ctx.Err() == nil {
				return p.fail(nil, "ended after its last answer")
			}
		case <-p.timer.C:
		case <-p.ctx.Done():
		}
	case <-p.timer.C:
	case <-p.ctx.Done():
	}
	p.end()
	return nil
}

// ended fails because the standard output of the process has ended.
func (p *Process) ended(b *block) error {
	p.timer.Reset(p.grace)
	select {
	case <-p.exited:
		return p.fail(b, "ended")
	case <-p.timer.C:
		return p.fail(b, "closed its standard output")
	case <-p.ctx.Done():
		return p.fail(b, "")
	}
}

// fail ends the process and returns the error of this and all further calls. b is
// the block that is being decided, if any.
func (p *Process) fail(b *block, what string) error {
	exit := ""
	select {
	case <-p.exited:
		exit = p.state.String()
	default:
	}
	p.end()
	if err := p.ctx.Err(); err != nil {
		p.err = err
		return err
	}
	e := &Error{Command: p.command, What: what, Request: -1, Exit: exit, Stderr: p.stderr.lines()}
	if b != nil && b.decided < len(b.requests) {
		r := b.requests[b.decided]
		e.Request, e.AtNs, e.Key = b.first+int64(b.decided), r.AtNs, r.Key
	}
	p.err = e
	return e
}

// end ends the process and the goroutines of this package.
func (p *Process) end() {
	p.timer.Stop()
	p.child.end()
	close(p.blocks)
	close(p.free)
}
