// Package exec asks limiters that are programs of the user. They read requests from
// standard input and write answers to standard output, one JSON object per line.
//
// The package makes no promise: it can change at any time.
package exec

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"time"

	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/outside/process"
)

// Kind returns the kind of limiters that are programs.
func Kind() targets.Kind { return targets.Of(entry(), read, open) }

func entry() catalog.Entry {
	return catalog.Entry{
		Name:    "exec",
		Summary: "a program that decides in real time",
		Idea: "The address is a command line. The program speaks the protocol of custom limiters, with three differences. " +
			"It decides by its own clock, and `at_ns` is only the planned time of a request since the start of the run. " +
			"It is sent each request alone, at its time, and must flush each answer. It may answer requests in any order.",
		Fields: []catalog.Field{
			{Name: "instances", Kind: catalog.Enum, Enum: []string{"shared", "per-client"}, Default: "shared",
				Doc: "one process that all clients use, or one for each client"},
			{Name: "timeout", Kind: catalog.Duration, Default: "1s", Min: "1ms", Max: "1h", Doc: "time after which a request is given up; its answer may still come and is ignored"},
		},
	}
}

// target is a program that runs once or once for each client.
type target struct {
	processes []*process.Live
	timeout   time.Duration
}

type options struct {
	words     []string // of the command line
	perClient bool
	timeout   time.Duration
}

func read(s *targets.Setting, v catalog.Values) (o options, err error) {
	line, err := s.One()
	if err != nil {
		return o, err
	}
	o.perClient, o.timeout = v.String("instances") == "per-client", time.Duration(v.Duration("timeout"))
	if o.words, err = process.Words(line); err == nil {
		if _, err = exec.LookPath(o.words[0]); err != nil {
			err = fmt.Errorf("%s did not start: %w", o.words[0], err)
		}
	}
	return o, err
}

// open starts the processes. They end with Close, not with ctx, so that requests in
// flight can be answered after an interrupt.
func open(ctx context.Context, s *targets.Setting, o options) (exchange.Target, error) {
	instances := 1
	if o.perClient {
		instances = s.Clients
	}
	t := &target{timeout: o.timeout}
	for i := range instances {
		p, err := process.StartLive(context.WithoutCancel(ctx), process.Command{Args: o.words}, process.First{
			LimitTokens: s.Policy.Limit, WindowNs: s.Policy.WindowNs, BurstTokens: s.Policy.Burst,
			Client: i, Clients: instances,
		})
		if err != nil {
			return nil, errors.Join(err, t.Close())
		}
		t.processes = append(t.processes, p)
	}
	return t, nil
}

// Ask implements exchange.Target. If a process has failed, Close returns why.
func (t *target) Ask(ctx context.Context, r *exchange.Request) (exchange.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, t.timeout)
	defer cancel()
	p := t.processes[int(r.Client)%len(t.processes)]
	a, err := p.Ask(ctx, r.Number, process.Request{AtNs: r.IntendedNs, Key: r.Key, Cost: r.Cost})
	answer := exchange.Plain(a.Admit)
	answer.WaitNs = a.WaitNs
	switch {
	case err == nil:
		return answer, nil
	case errors.Is(err, process.ErrKey):
		return answer, targets.Failure(process.ErrKey.Error())
	}
	return answer, targets.FailureOf(err, "program failed")
}

// Close implements exchange.Target. It returns the errors of all processes.
func (t *target) Close() error {
	errs := make([]error, len(t.processes))
	var closed sync.WaitGroup
	for i, p := range t.processes {
		closed.Go(func() { errs[i] = p.Close() })
	}
	closed.Wait()
	return errors.Join(errs...)
}
