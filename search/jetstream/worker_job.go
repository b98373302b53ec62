//go:build network

package jetstream

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/limitgauge/limitgauge/internal/tempfile"
	"github.com/limitgauge/limitgauge/search/jobs"
	"github.com/limitgauge/limitgauge/sim"
)

// mostTimes is how often a job is given out before it has failed. A worker that is killed
// has not finished its job, and neither has one that ran out of memory.
const mostTimes = 100

// smallTimes is how often a job is given out that needs more memory than workers have.
const smallTimes = 5

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
		_, there, err = s.answer(ctx, key)
		return err
	})
	if err == nil && !there {
		var a jobs.Answer
		a, err = w.answer(ctx, s, m)
		if err == nil && (a.Document != nil || a.Failure != nil) {
			if err = w.patient(ctx, func(ctx context.Context) error { return s.put(ctx, key, a) }); err == nil {
				w.ran.Add(1)
			}
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
	if times > mostTimes {
		a.Failure = w.Runner.Failure(j, w.name, fmt.Errorf("it was given to a worker %d times, and none has finished it; their standard error may say why", times-1))
		return a, nil
	}
	logs, done, err := w.library.Open(ctx, j)
	opened := err == nil
	if opened {
		a.Document, err = w.Runner.Do(ctx, j, logs)
		done()
	}
	switch {
	case err == nil:
		return a, nil
	case ctx.Err() != nil:
		return a, ctx.Err()
	case tempfile.Failed(err):
		w.cannotWrite(err)
		w.place.Note("%s: given back, because this machine cannot write; taking no job for a minute: %v", j.Name, err)
		return a, nil
	case !opened && times <= smallTimes && (passing(err) || isOneOf(err, jetstream.ErrObjectNotFound, jobs.ErrDamaged) || missing(err)):
		w.place.Note("%s: %v", j.Name, err) // the coordinator keeps the log again
		return a, nil
	case times < smallTimes && is[*sim.Invalid](err): // this machine may have too little memory
		return a, nil
	}
	w.place.Note("%s: %v", j.Name, err)
	return jobs.Answer{Failure: w.Runner.Failure(j, w.name, err)}, nil
}

// rest is how long a worker takes no job after its machine could not write. Tests shorten
// it. A job that always comes to such a worker is given out mostTimes in more than an hour.
var rest = time.Minute

// cannotWrite notes why a job could not write on this machine.
func (w *worker) cannotWrite(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.full, w.until = err.Error(), time.Now().Add(rest)
}

// resting returns how much longer the worker takes no job.
func (w *worker) resting() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Until(w.until)
}

// alive tells the server that a job runs, until stop is called.
func (w *worker) alive(ctx context.Context, m jetstream.Msg, silence time.Duration) (stop func()) {
	ctx, stop = context.WithCancel(ctx)
	go func() {
		ticker := time.NewTicker(max(silence/4, 50*time.Millisecond))
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				m.InProgress()
			}
		}
	}()
	return stop
}
