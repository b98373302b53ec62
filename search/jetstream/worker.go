//go:build network

package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/search/jobs"
	"github.com/limitgauge/limitgauge/sim"
)

// mostTimes is how often a job is given out before it has failed. A worker that is killed
// has not finished its job, and neither has one that ran out of memory.
const mostTimes = 100

// smallTimes is how often a job is given out that needs more memory than workers have.
const smallTimes = 5

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

	mu   sync.Mutex
	runs map[string]uint64 // how often each job that runs was given out, by name
}

// Work takes jobs from a queue until ctx ends. It is the Work of jobs.Service.
func Work(ctx context.Context, at jobs.Place, program jobs.Program, work jobs.Work) error {
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
	w := &worker{connection: c, Work: work, program: program, name: processName(), runs: map[string]uint64{}, acks: jetstream.Msg.Ack}
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
		if err := w.gone(ctx); err != nil {
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
			w.place.Note("%v; trying again for up to %s", w.named(err), w.place.Away)
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

// take runs the next job, if there is one within a time.
func (w *worker) take(ctx context.Context, s *source, kind string, wait time.Duration) (took bool, err error) {
	c, err := s.take(ctx, kind, w.program)
	if errors.Is(err, jetstream.ErrConsumerNotFound) && len(kind) > 0 {
		return false, pause(ctx, wait/4) // no command has put jobs of this kind there
	}
	if err != nil {
		return false, err
	}
	batch, err := c.Fetch(1, jetstream.FetchMaxWait(wait))
	if err != nil {
		return false, err
	}
	for {
		select {
		case m, open := <-batch.Messages():
			if !open {
				return took, batch.Error()
			}
			took = true
			if err := w.handle(ctx, s.store, m, c.CachedInfo().Config.AckWait); err != nil {
				return took, err
			}
		case <-ctx.Done():
			return took, ctx.Err()
		}
	}
}

// handle runs a job, writes its answer, and acknowledges it, in this order. A job that
// has an answer does not run.
func (w *worker) handle(ctx context.Context, s *store, m jetstream.Msg, silence time.Duration) error {
	w.busy.Add(1)
	defer func() { w.last.Store(time.Now().UnixNano()); w.busy.Add(-1) }()
	stop := w.alive(ctx, m, silence)
	defer stop()
	parts := strings.Split(strings.TrimPrefix(m.Subject(), prefix), ".") // kind, program, group, job
	if len(parts) != 4 {
		return m.Term()
	}
	key := strings.Join(parts[1:], ".")
	var there bool
	err := w.patient(ctx, func(ctx context.Context) (err error) {
		there, err = s.has(ctx, key)
		return err
	})
	if err == nil && !there {
		var a jobs.Answer
		a, err = w.answer(ctx, s, m)
		if err == nil && (a.Document != nil || a.Failure != nil) {
			err = w.patient(ctx, func(ctx context.Context) error { return s.put(ctx, key, a) })
			w.ran.Add(1)
		} else if err == nil {
			return m.NakWithDelay(time.Second)
		}
	}
	if err != nil {
		m.Nak() // another worker takes it at once
		return err
	}
	w.acks(m) // if it is lost, the job comes again and has an answer
	w.Publish(doneOn+parts[1]+"."+parts[2], []byte(parts[3]))
	return nil
}

// answer runs a job. It returns neither a document nor a failure if another worker should
// try.
func (w *worker) answer(ctx context.Context, s *store, m jetstream.Msg) (a jobs.Answer, err error) {
	var times uint64 = 1
	if d, err := m.Metadata(); err == nil {
		times = d.NumDelivered
	}
	var j *jobs.Job
	if err := w.patient(ctx, func(ctx context.Context) (err error) { j, err = s.job(ctx, m); return err }); err != nil {
		if passing(err) || ctx.Err() != nil {
			return a, err
		}
		w.place.Note("%v", w.named(err))
		return a, m.Term() // the coordinator puts it into the stream again
	}
	w.began(j.Name, times)
	defer w.ended(j.Name)
	if times > mostTimes {
		a.Failure = w.Runner.Failure(j, w.name, fmt.Errorf("it was given to a worker %d times, and none has finished it; their standard error may say why", times-1))
		return a, nil
	}
	logs, done, err := w.library.Open(ctx, j)
	if err == nil {
		a.Document, err = w.Runner.Do(ctx, j, logs)
		done()
	} else if passing(err) || missing(err) || errors.Is(err, jetstream.ErrObjectNotFound) || errors.Is(err, jobs.ErrDamaged) {
		if times <= smallTimes { // the coordinator keeps the log again
			w.place.Note("%s: %v", j.Name, err)
			return jobs.Answer{}, ctx.Err()
		}
	}
	switch {
	case err == nil:
		return a, nil
	case ctx.Err() != nil:
		return a, ctx.Err()
	case times < smallTimes && isInvalid(err): // this machine may have too little memory
		return a, nil
	}
	w.place.Note("%s: %v", j.Name, err)
	return jobs.Answer{Failure: w.Runner.Failure(j, w.name, err)}, nil
}

// alive tells the server that a job runs, until stop is called.
func (w *worker) alive(ctx context.Context, m jetstream.Msg, silence time.Duration) (stop func()) {
	done := make(chan struct{})
	go func() {
		ticker := time.NewTicker(max(silence/4, 50*time.Millisecond))
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ctx.Done():
				return
			case <-ticker.C:
				m.InProgress()
			}
		}
	}()
	return sync.OnceFunc(func() { close(done) })
}

func (w *worker) began(name string, times uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.runs[name] = times
}

func (w *worker) ended(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.runs, name)
}

// present presents the worker until ctx ends, and returns *jobs.Other if only commands of
// another program reply. It returns errIdle if there was no job for Work.Idle.
func (w *worker) present(ctx context.Context) error {
	replies := make(chan *nats.Msg, 256)
	inbox := w.NewInbox()
	if _, err := w.ChanSubscribe(inbox, replies); err != nil {
		return w.named(err)
	}
	var other jobs.Program
	var served, refused time.Time // when a command of this program, and of another one, replied last
	told := false
	for {
		own := hello{Program: w.program, Name: w.name, Exec: w.Runner.Run.AllowExec}
		w.mu.Lock()
		for name, times := range w.runs {
			if times > own.Times {
				own.Again, own.Times = name, times
			}
		}
		w.mu.Unlock()
		text, err := json.Marshal(own)
		if err != nil {
			return err
		}
		w.PublishRequest(helloOn, inbox, text)
		for wait := time.After(helloEvery); wait != nil; {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-wait:
				wait = nil
			case m := <-replies:
				var from hello
				if json.Unmarshal(m.Data, &from) != nil {
					continue // no command listens
				}
				if from.Program.Hash == w.program.Hash {
					served = time.Now()
				} else {
					refused, other = time.Now(), from.Program
				}
			}
		}
		idle := w.busy.Load() == 0
		switch recent := func(at time.Time) bool { return time.Since(at) < 2*helloEvery }; {
		case idle && recent(refused) && time.Since(served) > 5*helloEvery:
			return &jobs.Other{Worker: w.program, Wanted: other}
		case idle && !recent(served) && !told && w.IsConnected():
			w.place.Note("%s: no command waits for answers; waiting for one", w.name)
			told = true
		case recent(served):
			told = false
		}
		if idle && w.Idle > 0 && time.Since(time.Unix(0, w.last.Load())) > w.Idle {
			return errIdle
		}
	}
}

func isInvalid(err error) bool { return errors.As(err, new(*sim.Invalid)) }
