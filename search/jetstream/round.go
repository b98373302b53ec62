//go:build network

package jetstream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/limitgauge/limitgauge/search/jobs"
)

// mostQueued is how many jobs of a round are in the stream at a time, at most.
const mostQueued = 4096

// running is a round that runs.
type running struct {
	*Queue
	jobs.Round
	number map[jobs.Key][]int // of each job; equal jobs share an answer
	order  []jobs.Key         // of the jobs
	next   int                // of the order, which is put into the stream next
	logs   map[string]string  // paths by SHA-256
	all    chan struct{}      // is closed when all jobs have answers
	stuck  int                // how often the server has seemed to give no job out

	mu     sync.Mutex
	left   map[jobs.Key]bool // jobs without an answer
	queued map[jobs.Key]bool // jobs of these that were put into the stream
	taken  map[jobs.Key]bool // jobs whose answers are being read
	moved  time.Time         // when a job was answered last
}

// begin names all jobs, keeps their logs on the server, and finds those with answers.
func (r *running) begin(ctx context.Context) error {
	for i := range r.N {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		j, err := r.Job(i)
		if err != nil {
			return err
		}
		key := j.Key(r.program)
		r.number[key], r.left[key] = append(r.number[key], i), true
		if len(r.number[key]) == 1 {
			r.order = append(r.order, key)
		}
		for _, l := range j.Logs {
			for n, sum := range l.Sums {
				r.logs[sum] = l.Files[n]
			}
		}
	}
	r.taken, r.moved = map[jobs.Key]bool{}, time.Now()
	return nil
}

// ended reports whether all jobs have answers.
func (r *running) ended() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.left) == 0
}

// loop puts jobs into the stream and has answers collected until all are there.
func (r *running) loop(ctx context.Context, collect chan<- jobs.Key) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for !r.ended() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-r.all:
			return nil
		case m := <-r.done:
			if key, err := jobs.ParseKey(string(m.Data)); err == nil {
				r.found(key, collect)
			}
			if err := r.fill(ctx); err != nil {
				return err
			}
			continue
		case <-r.back:
		case <-timer.C:
		}
		began := time.Now()
		if err := r.reconcile(ctx, collect); err != nil {
			return err
		}
		timer.Reset(max(r.often(), 10*time.Since(began)))
	}
	return nil
}

// often returns the time between two comparisons with the server: longer while workers
// tell of their answers.
func (r *running) often() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.moved) < 2*time.Second {
		return 5 * time.Second
	}
	return time.Second
}

// found has an answer collected, if the job has none yet.
func (r *running) found(key jobs.Key, collect chan<- jobs.Key) {
	r.mu.Lock()
	new := r.left[key] && !r.taken[key]
	if new {
		r.taken[key] = true
	}
	r.mu.Unlock()
	if new {
		collect <- key // it has room for all that are queued
	}
}

// collect reads the answer to a job.
func (r *running) collect(ctx context.Context, key jobs.Key) error {
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.taken, key)
	}()
	if ctx.Err() != nil {
		return nil
	}
	name := r.key + "." + key.String()
	var a jobs.Answer
	var there bool
	if err := r.patient(ctx, func(ctx context.Context) (err error) {
		a, there, err = r.answer(ctx, name)
		return err
	}); err != nil || !there {
		if missing(err) || err == nil {
			return nil // the job is put into the stream again
		}
		return err
	}
	if a.Failure != nil {
		// The next run tries again.
		if err := r.forget(ctx, name); err != nil {
			r.place.Note("%v", r.named(err))
		}
		return a.Failure
	}
	for _, i := range r.number[key] {
		switch err := r.Done(i, a.Document); {
		case errors.Is(err, jobs.ErrDamaged):
			return r.forget(ctx, name)
		case err != nil:
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.left, key)
	delete(r.queued, key)
	r.moved = time.Now()
	if len(r.left) == 0 {
		close(r.all)
	}
	return nil
}

// fill puts further jobs into the stream while there are not too many.
func (r *running) fill(ctx context.Context) error {
	for ctx.Err() == nil {
		var batch []jobs.Key
		r.mu.Lock()
		for r.next < len(r.order) && len(r.queued) < mostQueued && len(batch) < 64 {
			if key := r.order[r.next]; r.left[key] {
				r.queued[key] = true
				if !r.taken[key] {
					batch = append(batch, key)
				}
			}
			r.next++
		}
		r.mu.Unlock()
		if len(batch) == 0 {
			return nil
		}
		if err := r.send(ctx, batch); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// send puts jobs into the stream. It leaves what the server does not take to reconcile.
func (r *running) send(ctx context.Context, keys []jobs.Key) error {
	errs := make([]error, len(keys))
	var senders sync.WaitGroup
	for i, key := range keys {
		senders.Go(func() {
			j, err := r.Job(r.number[key][0])
			if err == nil {
				err = r.publish(ctx, r.subject+"."+key.String(), j)
			}
			errs[i] = err
		})
	}
	senders.Wait()
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil && !passing(err) && !missing(err) }); i >= 0 {
		return fmt.Errorf("put a job into the queue: %w", r.named(errs[i]))
	}
	return nil
}

// keepLogs keeps the logs of the jobs on the server.
func (r *running) keepLogs(ctx context.Context) error {
	for sum, path := range r.logs {
		if err := r.putLog(ctx, path, sum); err != nil {
			return err
		}
	}
	return nil
}

// sorted returns keys in the order of the round.
func (r *running) sorted(keys []jobs.Key) []jobs.Key {
	slices.SortFunc(keys, func(a, b jobs.Key) int { return r.number[a][0] - r.number[b][0] })
	return keys
}
