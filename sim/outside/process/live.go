package process

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// Live is a running limiter that is asked in real time. It may answer requests in any
// order. Its methods may be called concurrently.
type Live struct {
	*child
	command string
	turn    chan struct{} // held while a request is written
	rest    []byte        // of a line whose beginning was written; guarded by turn
	read    chan struct{} // closed when standard output has ended or was not understood

	mu      sync.Mutex
	asked   map[int64]chan Answer // by number; nil if nobody waits any more
	closing bool
	err     error // why it cannot be asked any more; set before read is closed
}

// StartLive starts a process and sends it what it must know first. The process ends
// with Close, or as soon as ctx is cancelled. Timeout of c has no meaning. The error is
// that of ctx if it was cancelled, otherwise an *Error.
func StartLive(ctx context.Context, c Command, f First) (*Live, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	started, err := c.start(ctx)
	if err != nil {
		return nil, err
	}
	p := &Live{
		child: started, command: commandLine(c.Args), asked: map[int64]chan Answer{},
		turn: make(chan struct{}, 1), read: make(chan struct{}),
	}
	p.in.Write(appendFirst(nil, f)) // a new pipe has room for it
	go p.readAnswers()
	return p, nil
}

// ErrKey is the error of a request whose key is not valid UTF-8. JSON cannot express it.
var ErrKey = errors.New("key not valid in JSON")

// Ask sends request i and waits for its answer. No two requests may have the same
// number. The error is that of ctx if it has ended, ErrKey, or an *Error if the
// process can no longer be asked.
func (p *Live) Ask(ctx context.Context, i int64, r Request) (Answer, error) {
	line, ok := appendRequest(nil, i, &r)
	if !ok {
		return Answer{}, ErrKey
	}
	select {
	case p.turn <- struct{}{}:
	case <-p.read:
		return Answer{}, p.failure()
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
	answer := make(chan Answer, 1)
	p.mu.Lock()
	p.asked[i] = answer
	p.mu.Unlock()
	begun := p.write(ctx, line)
	<-p.turn
	if !begun {
		p.mu.Lock()
		delete(p.asked, i)
		p.mu.Unlock()
		answer = nil
	}
	select {
	case a := <-answer:
		return a, nil
	case <-p.read:
		return Answer{}, p.failure()
	case <-ctx.Done():
		p.mu.Lock()
		defer p.mu.Unlock()
		if _, waits := p.asked[i]; waits {
			p.asked[i] = nil
		}
		return Answer{}, ctx.Err()
	}
}

// write writes a line before the deadline of ctx. It returns false if nothing of it was
// written. The next call writes what is left of it.
func (p *Live) write(ctx context.Context, line []byte) (begun bool) {
	deadline, _ := ctx.Deadline()
	p.in.SetWriteDeadline(deadline)
	before := len(p.rest)
	p.rest = append(p.rest, line...)
	n, err := p.in.Write(p.rest)
	if n <= before && err != nil {
		p.rest = p.rest[n:before]
	} else {
		p.rest = p.rest[n:]
	}
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		select {
		case <-p.exited: // readAnswers says so
		case <-p.read:
		case <-time.After(p.grace):
			p.gone("closed its standard input")
		}
	}
	return n > before
}

// readAnswers reads the answers until standard output ends.
func (p *Live) readAnswers() {
	defer close(p.read)
	lines := bufio.NewScanner(p.out)
	lines.Buffer(make([]byte, 0, maxAnswer+2), maxAnswer+2) // with its end
	for lines.Scan() {
		if what := p.take(lines.Bytes()); what != "" {
			p.fail(what)
			return
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		p.fail(fmt.Sprintf("wrote a line of more than %d bytes", maxAnswer))
		return
	}
	select {
	case <-p.exited:
		p.gone("ended")
	case <-time.After(p.grace):
		p.gone("closed its standard output")
	}
}

// take delivers an answer. It returns what is wrong, or "".
func (p *Live) take(line []byte) (what string) {
	i, a, err := parseAnswer(line)
	if err != nil {
		return "wrote " + quote(line) + ", which is not an answer: " + err.Error()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	waiting, asked := p.asked[i]
	if !asked {
		return fmt.Sprintf("answered request %d, which it was not sent or has answered before", i)
	}
	delete(p.asked, i)
	if waiting != nil {
		waiting <- a
	}
	return ""
}

// gone fails because the process has ended, or part of it, unless Close was called.
func (p *Live) gone(what string) {
	p.mu.Lock()
	closing := p.closing
	p.mu.Unlock()
	if !closing {
		p.fail(what)
	}
}

// fail ends the process. Only the first reason counts.
func (p *Live) fail(what string) {
	e := &Error{Command: p.command, What: what, Request: -1}
	select {
	case <-p.exited:
		e.Exit = p.state.String()
	default:
	}
	p.kill()
	select {
	case <-p.heard:
	case <-time.After(p.grace / 10):
	}
	e.Stderr = p.stderr.lines()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = e
	}
}

// failure returns why the process cannot be asked any more.
func (p *Live) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return cmp.Or(p.err, errClosed)
}

// Close closes the standard input of the process and waits a second for its end; then
// it kills it. It returns an *Error if the process failed before, or ended by itself
// with an exit code other than 0. It is called once, when no call of Ask is left that
// matters.
func (p *Live) Close() error {
	p.mu.Lock()
	p.closing = true
	p.mu.Unlock()
	p.in.Close()
	var ended error
	select {
	case <-p.exited:
		if !p.state.Success() {
			ended = &Error{Command: p.command, What: "ended after its last answer", Request: -1, Exit: p.state.String(), Stderr: p.stderr.lines()}
		}
	case <-time.After(p.grace):
	}
	p.end()
	<-p.read
	p.mu.Lock()
	defer p.mu.Unlock()
	return cmp.Or(p.err, ended)
}
