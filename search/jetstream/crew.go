//go:build network

package jetstream

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/limitgauge/limitgauge/search/jobs"
)

// Workers present themselves on helloOn, and every coordinator replies. A worker names
// each job that it has answered on doneOn, followed by the program and the group. What
// is lost on these subjects is said again, or found on the server.
const (
	helloOn = "limitgauge.hello"
	doneOn  = "limitgauge.done."
)

// helloEvery is the time between two messages of a worker that presents itself.
const helloEvery = 2 * time.Second

// hello is how a worker or a coordinator presents itself.
type hello struct {
	Program jobs.Program `json:"program"`
	Name    string       `json:"name"`           // of the machine and the process
	Exec    bool         `json:"exec"`           // a worker: it starts programs
	Full    string       `json:"full,omitempty"` // a worker: why its machine cannot write
}

// processName names this process.
func processName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s/%d", host, os.Getpid())
}

// crew is the workers that a coordinator hears of.
type crew struct {
	connection *connection
	program    jobs.Program
	exec       bool
	seen       func(workers int)
	stop       context.CancelFunc
	gone       sync.WaitGroup

	mu      sync.Mutex
	workers map[string]time.Time // when each was heard last, by name
	others  map[string]bool      // workers that are other programs
	unable  map[string]bool      // workers that start no programs, while the jobs need that, or cannot write
	told    bool                 // the user was told that there is no worker
}

// assemble listens to workers.
func assemble(ctx context.Context, c *connection, program jobs.Program, exec bool, seen func(workers int)) (*crew, error) {
	w := &crew{connection: c, program: program, exec: exec, seen: seen,
		workers: map[string]time.Time{}, others: map[string]bool{}, unable: map[string]bool{}}
	own, err := json.Marshal(hello{Program: program, Name: processName()})
	if err != nil {
		return nil, err
	}
	if _, err := c.Subscribe(helloOn, func(m *nats.Msg) {
		var from hello
		if json.Unmarshal(m.Data, &from) == nil {
			w.heard(from)
		}
		m.Respond(own)
	}); err != nil {
		return nil, c.named(err)
	}
	ctx, w.stop = context.WithCancel(ctx)
	w.gone.Go(func() { w.count(ctx) })
	return w, nil
}

// heard notes a worker, and tells the user once why it gets no job.
func (w *crew) heard(from hello) {
	w.mu.Lock()
	defer w.mu.Unlock()
	once := func(known map[string]bool, name, format string, args ...any) {
		if !known[name] {
			known[name] = true
			w.connection.place.Note(format, args...)
		}
	}
	switch {
	case from.Program.Hash != w.program.Hash:
		once(w.others, from.Name, "worker %s is refused: it is %s, and this is %s", from.Name, from.Program, w.program)
		return
	case w.exec && !from.Exec:
		once(w.unable, from.Name, "worker %s gets no job: it starts no programs without --allow-exec", from.Name)
		return
	case from.Full != "":
		once(w.unable, from.Name, "worker %s gives its jobs back, because its machine cannot write: %s", from.Name, from.Full)
		return
	}
	w.workers[from.Name] = time.Now()
}

// count counts the workers, and tells the user if there is none.
func (w *crew) count(ctx context.Context) {
	ticker := time.NewTicker(helloEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		w.mu.Lock()
		for name, at := range w.workers {
			if time.Since(at) > 3*helloEvery {
				delete(w.workers, name)
			}
		}
		n := len(w.workers)
		if n == 0 && !w.told && w.connection.IsConnected() {
			w.connection.place.Note("no worker is there: this command runs no cell itself, and waits for limitgauge worker --on %s", w.connection.name)
		}
		w.told = n == 0
		w.mu.Unlock()
		w.seen(n)
	}
}

func (w *crew) dismiss() {
	if w != nil {
		w.stop()
		w.gone.Wait()
	}
}
