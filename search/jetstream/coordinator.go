//go:build network

package jetstream

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/limitgauge/limitgauge/search/jobs"
)

// Queue is a queue of jobs on a server. It is a jobs.Queue.
type Queue struct {
	*store
	server  *embedded // nil if the server is another program
	program jobs.Program
	exec    bool
	subject string // begins the subjects of the jobs
	key     string // begins the keys of the answers
	crew    *crew
	done    chan *nats.Msg // the names of jobs that workers have answered
}

// Open opens a queue. It is the Open of jobs.Service.
func Open(ctx context.Context, at jobs.Place, program jobs.Program, group jobs.Key, exec bool, seen func(workers int)) (jobs.Queue, error) {
	q := &Queue{program: program, exec: exec, done: make(chan *nats.Msg, 1<<16)}
	name := program.Short() + "." + group.String()[:16]
	q.subject, q.key = prefix+kind(exec)+"."+name, name
	var more []nats.Option
	if isEmbedded(at.On) {
		server, err := startEmbedded(at)
		if err != nil {
			return nil, err
		}
		q.server, more = server, server.options()
		at.Note("a server listens on %s; start workers with\n  limitgauge worker --on %s", server.address, server.url)
		at.On = server.url
	}
	c, err := connect(ctx, at, "sweep", more...)
	if err == nil {
		q.store = &store{connection: c}
		err = q.open(ctx)
	}
	if err == nil {
		q.crew, err = assemble(ctx, c, program, exec, seen)
	}
	if err == nil {
		_, err = c.ChanSubscribe(doneOn+name, q.done)
	}
	if err != nil {
		q.Close()
		return nil, err
	}
	return q, nil
}

// open finds or makes what the server keeps, and the consumer.
func (q *Queue) open(ctx context.Context) error {
	s, err := open(ctx, q.connection, true)
	if err != nil {
		return err
	}
	if q.stream == nil { // later, what was made again has the same names
		q.store = s
	}
	return q.patient(ctx, func(ctx context.Context) error {
		_, err := q.consumer(ctx, kind(q.exec), q.program, q.place.Silence, true)
		return err
	})
}

// Finish implements jobs.Queue. What it cannot remove, the server removes later.
func (q *Queue) Finish() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	q.purge(ctx, q.backing, answersOn+q.key+".>")
}

// Close implements jobs.Queue.
func (q *Queue) Close() {
	if q.store != nil && q.connection != nil {
		if q.stream != nil && q.IsConnected() {
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
			q.purge(ctx, q.stream, q.subject+".>")
			cancel()
		}
		q.crew.dismiss()
		q.leave()
	}
	if q.server != nil {
		q.server.close()
	}
}

// Run implements jobs.Queue.
func (q *Queue) Run(ctx context.Context, round jobs.Round) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &running{Queue: q, Round: round, number: map[jobs.Key][]int{}, left: map[jobs.Key]bool{}, queued: map[jobs.Key]bool{}, logs: map[string]string{}, all: make(chan struct{})}
	if err := r.begin(ctx); err != nil {
		return err
	}
	collect := make(chan jobs.Key, 4*mostQueued)
	var collectors sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		collectors.Go(func() {
			for key := range collect {
				if err := r.collect(ctx, key); err != nil {
					cancel(err)
				}
			}
		})
	}
	err := r.loop(ctx, collect)
	cancel(err)
	close(collect)
	collectors.Wait()
	if cause := context.Cause(ctx); err == nil || errors.Is(err, context.Canceled) {
		if err = cause; errors.Is(cause, context.Canceled) && r.ended() {
			err = nil
		}
	}
	return err
}
