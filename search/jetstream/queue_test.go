//go:build network

package jetstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/limitgauge/limitgauge/internal/testing/foreground"
	"github.com/limitgauge/limitgauge/internal/testing/wait"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/search/jobs"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

var program = jobs.Program{Version: "v1", System: "test", Hash: strings.Repeat("0123456789abcdef", 4)}

// embeddedPlace returns the place of an embedded server with a folder of its own.
func embeddedPlace(t *testing.T) jobs.Place {
	_, port, _ := net.SplitHostPort(foreground.FreePort(t))
	return jobs.Place{On: "embedded:" + port, Store: t.TempDir(), Away: 20 * time.Second, Silence: time.Second, Note: t.Logf}
}

func (w *worker) stopAfter(t *testing.T, ctx context.Context) {
	var done sync.WaitGroup
	done.Go(func() {
		if err := w.run(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("the worker has ended: %v", err)
		}
	})
	t.Cleanup(done.Wait)
}

// startWorker starts a worker of a place and returns how many runs it has made.
func startWorker(t *testing.T, at jobs.Place, acks func(jetstream.Msg) error) (runs *atomic.Int64, stop func()) {
	t.Helper()
	runs = &atomic.Int64{}
	at.On = strings.Replace(at.On, "embedded:", "nats://127.0.0.1:", 1)
	ctx, cancel := context.WithCancel(context.Background())
	c, err := connect(ctx, at, "worker")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorker(c, program, jobs.Work{Slots: 2, Runner: &jobs.Runner{Catalog: sim.Catalog(), Slots: 2, Code: func(error) int { return 1 }, Stamp: func(f *scenarios.File, _ string) results.Stamp {
		runs.Add(1)
		return sim.StampOf(f)
	}}})
	if acks != nil {
		w.acks = acks
	}
	t.Cleanup(c.leave)
	w.stopAfter(t, ctx)
	t.Cleanup(cancel)
	return runs, cancel
}

// round returns a round of n short jobs, whose answers it compares and counts.
func round(t *testing.T, n int) (r jobs.Round, answered *[]int) {
	job := func(i int) *jobs.Job {
		return &jobs.Job{Name: fmt.Sprint("job ", i), Dir: ".", Scenario: fmt.Appendf(nil, `version: 1
seed: %d
replications: 1
scenarios:
  - name: one
    duration: 2s
    policy: {limit: 10/s}
    traffic: [{pattern: poisson, rate: 20/s}]
    algorithms: [token-bucket]
`, i+1)}
	}
	here := &jobs.Runner{Catalog: sim.Catalog(), Slots: 1, Stamp: func(f *scenarios.File, _ string) results.Stamp { return sim.StampOf(f) }}
	answered = &[]int{}
	*answered = make([]int, n)
	var mu sync.Mutex
	return jobs.Round{
		N: n, Job: func(i int) (*jobs.Job, error) { return job(i), nil },
		Done: func(i int, document []byte) error {
			want, err := here.Do(context.Background(), job(i), nil)
			if err != nil || !bytes.Equal(document, want) {
				t.Errorf("job %d: the document differs (%v)", i, err)
			}
			mu.Lock()
			defer mu.Unlock()
			(*answered)[i]++
			return nil
		},
	}, answered
}

// holds reports whether so many jobs are in the stream.
func (q *Queue) holds(n int) bool {
	queued, err := q.queued(context.Background(), q.subject)
	return err == nil && len(queued) == n
}

func openQueue(t *testing.T, at jobs.Place) *Queue {
	t.Helper()
	q, err := Open(context.Background(), at, program, jobs.Key{1}, false, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	return q.(*Queue)
}

func once(t *testing.T, answered []int) {
	t.Helper()
	for i, n := range answered {
		if n != 1 {
			t.Errorf("job %d was answered %d times", i, n)
		}
	}
}

// If the acknowledgement of a job is lost after its answer is written, the job is given
// out again, and does not run again.
func TestLostAcknowledgements(t *testing.T) {
	at := embeddedPlace(t)
	q := openQueue(t, at)
	defer q.Close()
	var lost atomic.Int64
	runs, _ := startWorker(t, at, func(m jetstream.Msg) error {
		if d, err := m.Metadata(); err == nil && d.NumDelivered <= 2 {
			lost.Add(1)
			return nil
		}
		return m.Ack()
	})
	r, answered := round(t, 20)
	if err := q.Run(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	once(t, *answered)
	wait.Until(t, "no job is left in the stream", func() bool { return q.holds(0) })
	if runs.Load() != 20 || lost.Load() < 40 {
		t.Errorf("%d runs of 20 jobs, of which %d acknowledgements were lost", runs.Load(), lost.Load())
	}
}

// A server that starts again does not know the jobs that were acknowledged. Those with an
// answer are not put into the stream again, and need no worker.
func TestRestartFillsNothing(t *testing.T) {
	at := embeddedPlace(t)
	q := openQueue(t, at)
	_, stop := startWorker(t, at, nil)
	r, _ := round(t, 20)
	if err := q.Run(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	stop()
	q.Close()
	q = openQueue(t, at)
	defer q.Close()
	before, err := q.stream.Info(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	r, answered := round(t, 20)
	if err := q.Run(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	once(t, *answered)
	after, err := q.stream.Info(context.Background())
	if err != nil || after.State.LastSeq != before.State.LastSeq {
		t.Errorf("%d jobs were put into the stream again (%v)", after.State.LastSeq-before.State.LastSeq, err)
	}
	q.Finish()
	if left, err := q.answered(context.Background(), q.key); err != nil || len(left) > 0 {
		t.Errorf("%d answers are left, %v", len(left), err)
	}
}

// What somebody removes from the server is made again: answers that are damaged, jobs,
// the consumer, and all.
func TestRepairs(t *testing.T) {
	at := embeddedPlace(t)
	q := openQueue(t, at)
	defer q.Close()
	ctx := context.Background()
	r, answered := round(t, 10)
	for i := range 3 {
		j, _ := r.Job(i)
		if _, err := q.answers.Put(ctx, q.key+"."+j.Key(program).String(), []byte("{\"sha256\":\"00\"}\ndamaged")); err != nil {
			t.Fatal(err)
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- q.Run(ctx, r) }()
	full := func() bool { return q.holds(10) }
	wait.Until(t, "all jobs are in the stream", full)
	q.purge(ctx, q.stream, prefix+">")
	q.js.DeleteConsumer(ctx, streamName, "plain-"+program.Short())
	wait.Until(t, "all jobs are in the stream again", full)
	q.js.DeleteStream(ctx, streamName)
	q.js.DeleteKeyValue(ctx, answers)
	wait.Until(t, "all jobs are in a new stream", full)
	startWorker(t, at, nil)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	once(t, *answered)
}

// A consumer is made again each third time in a row that it has nothing to give out, and
// not while a job waits for a worker or for its answer.
func TestUnstick(t *testing.T) {
	at := embeddedPlace(t)
	at.Silence = time.Hour // no job is given out again
	q := openQueue(t, at)
	defer q.Close()
	ctx := t.Context()
	r := &running{Queue: q}
	if err := q.js.DeleteConsumer(ctx, streamName, kind(q.exec)+"-"+program.Short()); err != nil {
		t.Fatal(err)
	}
	if err := r.unstick(ctx); err != nil { // there is none
		t.Fatal(err)
	}
	r.stuck = 0
	c, err := q.consumer(ctx, kind(q.exec), program, 0, false)
	if err != nil {
		t.Fatal(err)
	}
	try := func(what string, remade func(call int) bool) {
		t.Helper()
		for i := range 7 {
			before, err := c.Info(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.unstick(ctx); err != nil {
				t.Fatal(err)
			}
			after, err := c.Info(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if got := after.Created != before.Created; got != remade(i) {
				t.Errorf("%s, call %d: made again: %t", what, i, got)
			}
		}
	}
	try("nothing to give out", func(call int) bool { return call%3 == 2 }) // the count is now 1
	made, _ := round(t, 1)
	j, _ := made.Job(0)
	if err := q.publish(ctx, q.subject+"."+j.Key(program).String(), j); err != nil {
		t.Fatal(err)
	}
	never := func(int) bool { return false }
	try("a job to give out", never)
	if _, err := c.Next(); err != nil {
		t.Fatal(err)
	}
	try("a job that runs", never)
	if r.stuck != 0 {
		t.Errorf("while a job runs, the server seems to have given none out %d times", r.stuck)
	}
	if c, err = q.consumer(ctx, kind(q.exec), program, 0, false); err == nil {
		err = q.js.DeleteConsumer(ctx, streamName, c.CachedInfo().Name) // with the job that runs
	}
	if err != nil {
		t.Fatal(err)
	}
	q.purge(ctx, q.stream, prefix+">")
	real := q.js
	defer func() { q.js = real }()
	for _, broken := range []string{"create", "info", "delete", "create again"} {
		r.stuck, q.js = 2, &brokenServer{real, broken}
		if err := r.unstick(ctx); !errors.Is(err, errBroken) {
			t.Errorf("%s: %v", broken, err)
		}
	}
}

var errBroken = errors.New("broken")

// brokenServer fails at one of the calls of unstick.
type brokenServer struct {
	jetstream.JetStream
	at string
}

func (s *brokenServer) CreateOrUpdateConsumer(ctx context.Context, stream string, config jetstream.ConsumerConfig) (jetstream.Consumer, error) {
	switch s.at {
	case "create":
		return nil, errBroken
	case "create again":
		s.at = "create"
	}
	c, err := s.JetStream.CreateOrUpdateConsumer(ctx, stream, config)
	return &brokenConsumer{c, s.at == "info"}, err
}

func (s *brokenServer) DeleteConsumer(ctx context.Context, stream, name string) error {
	if s.at == "delete" {
		return errBroken
	}
	return s.JetStream.DeleteConsumer(ctx, stream, name)
}

type brokenConsumer struct {
	jetstream.Consumer
	broken bool
}

func (c *brokenConsumer) Info(ctx context.Context) (*jetstream.ConsumerInfo, error) {
	if c.broken {
		return &jetstream.ConsumerInfo{}, errBroken
	}
	return c.Consumer.Info(ctx)
}

// The first answer to a job stays. An answer that does not fit into a message is whole or
// absent, too.
func TestFirstAnswerStays(t *testing.T) {
	q := openQueue(t, embeddedPlace(t))
	defer q.Close()
	ctx := context.Background()
	large := make([]byte, 3<<20)
	for i, x := 0, uint32(1); i < len(large); i++ { // does not shrink
		x = x*1664525 + 1013904223
		large[i] = byte(x >> 24)
	}
	for i, first := range [][]byte{[]byte("first"), large} {
		key := q.key + "." + jobs.Key{byte(i)}.String()
		for _, document := range [][]byte{first, []byte("second"), large[1:]} {
			if err := q.put(ctx, key, jobs.Answer{Document: document}); err != nil {
				t.Fatal(err)
			}
		}
		if a, there, err := q.answer(ctx, key); err != nil || !there || !bytes.Equal(a.Document, first) {
			t.Errorf("%d bytes, %t, %v, want the first %d", len(a.Document), there, err, len(first))
		}
	}
	list, err := q.objects.List(ctx)
	if err != nil || len(list) != 1 {
		t.Errorf("%d objects, want that of one answer (%v)", len(list), err)
	}
	if err := q.objects.Delete(ctx, list[0].Name); err != nil {
		t.Fatal(err)
	}
	if _, there, err := q.answer(ctx, q.key+"."+jobs.Key{1}.String()); there || err != nil {
		t.Errorf("an answer without its object: %t, %v", there, err)
	}
}

// A server with the same files cannot start twice.
func TestFilesOfAnotherServer(t *testing.T) {
	at := embeddedPlace(t)
	q := openQueue(t, at)
	defer q.Close()
	_, port, _ := net.SplitHostPort(foreground.FreePort(t))
	other := at
	other.On = "embedded:" + port
	if _, err := Open(context.Background(), other, program, jobs.Key{1}, false, func(int) {}); err == nil || !strings.Contains(err.Error(), "in use by another one") {
		t.Errorf("%v", err)
	}
	other = at
	other.Store = t.TempDir()
	if _, err := Open(context.Background(), other, program, jobs.Key{1}, false, func(int) {}); err == nil || !strings.Contains(err.Error(), "choose another port") {
		t.Errorf("%v", err)
	}
}

// An address is judged without a connection.
func TestCheck(t *testing.T) {
	for on, want := range map[string]string{
		"embedded": "", "embedded:4223": "", "embedded:x": "want embedded:PORT", "embedded:65536": "want embedded:PORT",
		"nats://127.0.0.1:4222": "", "localhost": "", "nats://a:b@far:4222": "far:4222: far is not on this machine", "far, nats://near": "",
		"nats://": "the address names no host", "nats://u:secret@a b": "invalid character",
	} {
		err := Check(jobs.Place{On: on, Allow: []string{"near"}})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", on, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", on, err)
		}
	}
	for listen, want := range map[string]bool{"127.0.0.1": true, "::1": true, "localhost": true, "127.0.0.1:4223": false, "[::1]:4223": false} {
		if err := Check(jobs.Place{On: "embedded", Listen: listen}); (err == nil) != want {
			t.Errorf("listen on %s: %v", listen, err)
		}
	}
	for _, at := range []jobs.Place{{On: "localhost", Listen: "::1"}, {On: "localhost", Store: "here"}} {
		if err := Check(at); err == nil || !strings.Contains(err.Error(), "embedded") {
			t.Errorf("%+v: %v", at, err)
		}
	}
}

// A worker cannot be inside of the server of a command.
func TestWorkerOfEmbedded(t *testing.T) {
	for _, on := range []string{"embedded", "embedded:4223"} {
		if err := Work(context.Background(), jobs.Place{On: on, Note: t.Logf}, program, jobs.Work{}); err == nil || !strings.Contains(err.Error(), "needs its address") {
			t.Errorf("%s: %v", on, err)
		}
	}
}

// Messages name servers without passwords and tokens.
func TestShown(t *testing.T) {
	for on, want := range map[string]string{
		"nats://me:secret@host:4222":       "nats://host:4222",
		"nats://token@a:1, tls://u:p@b:2":  "nats://a:1,tls://b:2",
		"me:secret@host:4222":              "host:4222",
		"nats://127.0.0.1:4222":            "nats://127.0.0.1:4222",
		"nats://me:a%zzsecret@host:4222/x": "host:4222/x",
	} {
		if got := shown(on); got != want {
			t.Errorf("%s is shown as %s, want %s", on, got, want)
		}
	}
}
