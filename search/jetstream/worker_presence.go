//go:build network

package jetstream

import (
	"context"
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/limitgauge/limitgauge/search/jobs"
)

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
		if time.Now().Before(w.until) {
			own.Full = w.full
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
