package process

import (
	"context"
	"os"
	"os/exec"
	"sync"
	"time"
)

// child is a process with its streams.
type child struct {
	grace   time.Duration // to end by itself
	in, out *os.File
	errors  *os.File
	stderr  tail
	heard   chan struct{} // closed when stderr has ended

	process *os.Process
	unwatch func() bool

	mu     sync.Mutex
	gone   bool             // the process and its group have ended
	state  *os.ProcessState // once exited is closed
	exited chan struct{}
}

// running holds the processes that KillAll ends.
var running struct {
	sync.Mutex
	children map[*child]bool
	ending   bool
}

// KillAll kills all processes. Call it before this process ends at once. No process
// starts afterwards.
func KillAll() {
	running.Lock()
	defer running.Unlock()
	running.ending = true
	for c := range running.children {
		c.kill()
	}
}

// startChild starts a process in a group of its own. It is killed when ctx ends.
func startChild(ctx context.Context, cmd *exec.Cmd, grace time.Duration) (*child, error) {
	running.Lock()
	defer running.Unlock()
	if running.ending {
		return nil, context.Canceled
	}
	var ends [3]*os.File // those of the process
	var own [3]*os.File
	for i := range ends {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(ends[:i])
			closeAll(own[:i])
			return nil, err
		}
		if ends[i], own[i] = w, r; i == 0 {
			ends[i], own[i] = r, w
		}
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = ends[0], ends[1], ends[2]
	ownGroup(cmd)
	err := cmd.Start()
	closeAll(ends[:])
	if err != nil {
		closeAll(own[:])
		return nil, err
	}
	c := &child{
		grace: grace,
		in:    own[0], out: own[1], errors: own[2],
		heard:   make(chan struct{}),
		process: cmd.Process,
		exited:  make(chan struct{}),
	}
	if running.children == nil {
		running.children = map[*child]bool{}
	}
	running.children[c] = true
	go func() {
		c.stderr.readFrom(c.errors)
		close(c.heard)
	}()
	go c.wait()
	c.unwatch = context.AfterFunc(ctx, c.kill)
	return c, nil
}

// wait waits for the end of the process, and ends what it has left in its group.
func (c *child) wait() {
	state, _ := c.process.Wait()
	c.mu.Lock()
	killGroup(c.process)
	c.gone, c.state = true, state
	c.mu.Unlock()
	close(c.exited)
	running.Lock()
	delete(running.children, c)
	running.Unlock()
}

// kill kills the process and its group, if it has not ended. The number of a
// process that has ended may belong to another one.
func (c *child) kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.gone {
		killGroup(c.process)
		c.process.Kill()
	}
}

// end kills the process, reads the rest of its standard error and closes the
// streams. It waits a bounded time, whatever the process has started elsewhere.
func (c *child) end() {
	c.unwatch()
	c.kill()
	select {
	case <-c.exited:
	case <-time.After(c.grace):
	}
	c.in.Close()
	c.out.Close()
	select {
	case <-c.heard:
	case <-time.After(c.grace / 10):
	}
	c.errors.Close()
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}
