//go:build network

package jetstream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/jobs"
)

// worker takes jobs out of the queue.
type worker struct {
	*connection
	jobs.Work
	program jobs.Program
	name    string
	library jobs.Library
	acks    func(jetstream.Msg) error // acknowledges a job

	busy atomic.Int64 // jobs that run
	ran  atomic.Int64 // jobs whose answers were written
	last atomic.Int64 // when a job ended, in ns since 1970

	mu    sync.Mutex
	full  string    // why this machine could not write for a job
	until time.Time // the worker takes no job before, because of that
}

// Work takes jobs from a queue until ctx ends. It is the Work of jobs.Service.
func Work(ctx context.Context, at jobs.Place, program jobs.Program, work jobs.Work) error {
	if isEmbedded(at.On) {
		return fmt.Errorf("%s: that server is inside of the command; a worker needs its address, such as nats://127.0.0.1:%d", at.On, defaultPort)
	}
	c, err := connect(ctx, at, "worker")
	if err != nil {
		return err
	}
	defer c.leave()
	w := newWorker(c, program, work)
	defer w.library.Close()
	at.Note("%s takes jobs from %s, %d at a time", w.name, c.name, w.Slots)
	defer func() { at.Note("%s ran %s", w.name, format.Count(w.ran.Load(), "job")) }()
	return w.run(ctx)
}

func newWorker(c *connection, program jobs.Program, work jobs.Work) *worker {
	w := &worker{connection: c, Work: work, program: program, name: processName(), acks: jetstream.Msg.Ack}
	w.last.Store(time.Now().UnixNano())
	w.library.Get = func(ctx context.Context, sum string, to io.Writer) error {
		s, err := open(ctx, c, false)
		if err == nil {
			err = s.log(ctx, sum, to)
		}
		return err
	}
	return w
}

// run takes jobs with all slots until ctx ends.
func (w *worker) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	all.Go(func() { cancel(w.present(ctx)) })
	for range w.Slots {
		all.Go(func() {
			if err := w.work(ctx); err != nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	if err := context.Cause(ctx); !errors.Is(err, errIdle) {
		return err
	}
	return nil
}

// errIdle ends a worker that had no job for as long as it should wait for one.
var errIdle = errors.New("no job")

// work takes one job after the other.
func (w *worker) work(ctx context.Context) error {
	kinds := []string{kind(false)}
	if w.Runner.Run.AllowExec {
		kinds = append(kinds, kind(true))
	}
	var s *source
	var since time.Time // when errors began
	for tries := 0; ctx.Err() == nil; {
		if err := cmp.Or(pause(ctx, w.resting()), w.gone(ctx)); err != nil {
			return err
		}
		var err error
		if s == nil {
			s, err = w.find(ctx)
		}
		took := false
		for _, k := range kinds {
			if err == nil {
				var one bool
				one, err = w.take(ctx, s, k, 2*time.Second/time.Duration(len(kinds)))
				took = took || one
			}
		}
		if err == nil || took {
			tries = 0
			continue
		}
		// Whatever it is, the server may be about to end, or may just have begun.
		if tries == 0 {
			since = time.Now()
		}
		if tries++; tries == 20 && !missing(err) && ctx.Err() == nil {
			w.place.Note("%v; trying again for up to %s", w.named(err), units.FormatDuration(int64(w.place.Away)))
		}
		if time.Since(since) > w.place.Away && !missing(err) {
			return &jobs.Away{Time: w.place.Away, Err: w.named(err)}
		}
		s = nil
		pause(ctx, backoff(tries))
	}
	return ctx.Err()
}

// find finds what the server keeps, without waiting for it.
func (w *worker) find(ctx context.Context) (*source, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	s, err := open(ctx, w.connection, false)
	return &source{store: s, consumers: map[string]consumer{}}, err
}

// source is where a slot of a worker takes jobs.
type source struct {
	*store
	consumers map[string]consumer // by kind
}

// consumer is a consumer and when it was looked up.
type consumer struct {
	jetstream.Consumer
	at time.Time
}

// take returns the consumer of a kind of jobs. It looks it up again after a time, because
// a command may have changed how long a job may be silent.
func (s *source) take(ctx context.Context, kind string, p jobs.Program) (jetstream.Consumer, error) {
	if c := s.consumers[kind]; c.Consumer != nil && time.Since(c.at) < time.Second {
		return c, nil
	}
	c, err := s.consumer(ctx, kind, p, 0, false)
	if err == nil {
		s.consumers[kind] = consumer{c, time.Now()}
	}
	return c, err
}
