//go:build network && unix

package main

import (
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/limitgauge/limitgauge/internal/testing/wait"
)

// taken waits until a worker has taken a job of a command from the server.
func (s *server) taken(p *process) {
	t := s.fleet.T
	t.Helper()
	c, err := nats.Connect(s.url())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	js, err := jetstream.New(c)
	if err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "a worker has taken a job", func() bool {
		out := 0
		for stream := range js.ListStreams(t.Context()).Info() {
			all, err := js.Stream(t.Context(), stream.Config.Name)
			if err != nil {
				t.Fatal(err)
			}
			for consumer := range all.ListConsumers(t.Context()).Info() {
				out += consumer.NumAckPending
			}
		}
		return out > 0 || p.over()
	})
}
