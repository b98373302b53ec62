//go:build network

package jetstream

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/limitgauge/limitgauge/search/jobs"
)

// reconcile compares the round with what the server has: it has all answers collected,
// and puts the jobs into the stream that are neither there nor answered. While the server
// is away it does nothing.
func (r *running) reconcile(ctx context.Context, collect chan<- jobs.Key) error {
	if err := r.gone(ctx); err != nil {
		return err
	}
	if !r.IsConnected() {
		return nil
	}
	err := r.compare(ctx, collect)
	switch {
	case err == nil:
		return r.fill(ctx)
	case missing(err): // the server has lost its files, or somebody has removed what it keeps
		err = r.open(ctx)
	case passing(err) && ctx.Err() == nil:
		return nil // the next one tries again
	}
	return err
}

func (r *running) compare(ctx context.Context, collect chan<- jobs.Key) error {
	// A job leaves the stream after it has an answer. So what is not in the stream now has
	// one, if it was ever there.
	queued, err := r.store.queued(ctx, r.subject)
	if err != nil {
		return err
	}
	answered, err := r.answered(ctx, r.key)
	if err != nil {
		return err
	}
	if err := r.keepLogs(ctx); err != nil {
		return err
	}
	var absent []jobs.Key
	r.mu.Lock()
	for key := range r.left {
		switch {
		case answered[key] || r.taken[key]:
		case queued[key]:
			r.queued[key] = true
		case r.queued[key]:
			absent = append(absent, key)
		}
	}
	still := time.Since(r.moved) > 2*r.place.Silence
	r.mu.Unlock()
	for key := range answered {
		r.found(key, collect)
	}
	if len(absent) > 0 {
		if err := r.send(ctx, r.sorted(absent)); err != nil {
			return err
		}
	}
	if still && len(queued) > 0 {
		return r.unstick(ctx)
	}
	r.stuck = 0
	return nil
}

// unstick makes the consumer again if it has nothing to give out although there are jobs
// in the stream: a server that was killed may forget which jobs it has not given out.
func (r *running) unstick(ctx context.Context) error {
	c, err := r.consumer(ctx, kind(r.exec), r.program, r.place.Silence, true)
	if err != nil {
		return err
	}
	info, err := c.Info(ctx)
	if err != nil {
		return err
	}
	if info.NumPending > 0 || info.NumAckPending > 0 {
		r.stuck = 0
		return nil
	}
	if r.stuck++; r.stuck < 3 {
		return nil
	}
	r.stuck = 0
	if err := r.js.DeleteConsumer(ctx, streamName, info.Name); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return err
	}
	_, err = r.consumer(ctx, kind(r.exec), r.program, r.place.Silence, true)
	return err
}

// purge removes the messages of a stream with some subjects. The server removes what it
// leaves after some days.
func (s *store) purge(ctx context.Context, from jetstream.Stream, subjects string) {
	if from != nil {
		from.Purge(ctx, jetstream.WithPurgeSubject(subjects))
	}
}
