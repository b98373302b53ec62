package process

import (
	"context"
	"errors"
	"sync"

	"github.com/limitgauge/limitgauge/sim/outside"
)

// Fleet holds the processes of one trial: one that all clients share, or one for each.
type Fleet struct {
	processes []*Process
	parts     []part // by process; nil if there is only one
}

// part is what one of several processes decides of a block.
type part struct {
	rows     []int // in the block
	requests []Request
	answers  []Answer
	err      error
}

// Make starts the processes of a trial. It is an outside.Maker.
func Make(ctx context.Context, p outside.Program) (outside.Fleet, error) {
	f := &Fleet{}
	for client := range p.Instances {
		process, err := Start(ctx, Command{Args: p.Exec, Dir: p.Dir, Timeout: p.Timeout}, First{
			LimitTokens: p.Limit.Count, WindowNs: p.Limit.Window, BurstTokens: p.Limit.Burst,
			Client: client, Clients: p.Instances, Seed: p.Seed,
		})
		if err != nil {
			f.Close()
			return nil, err
		}
		f.processes = append(f.processes, process)
	}
	if p.Instances > 1 {
		f.parts = make([]part, p.Instances)
	}
	return f, nil
}

// Decide has the process of each client decide its requests, all processes at the
// same time.
func (f *Fleet) Decide(requests []Request, answers []Answer) error {
	if f.parts == nil {
		return f.processes[0].Decide(requests, answers)
	}
	for i := range f.parts {
		p := &f.parts[i]
		p.rows, p.requests = p.rows[:0], p.requests[:0]
	}
	for row, r := range requests {
		p := &f.parts[r.Client]
		p.rows, p.requests = append(p.rows, row), append(p.requests, r)
	}
	var asked sync.WaitGroup
	for i := range f.parts {
		if p := &f.parts[i]; len(p.rows) > 0 {
			p.answers = append(p.answers[:0], make([]Answer, len(p.rows))...)
			asked.Go(func() { p.err = f.processes[i].Decide(p.requests, p.answers) })
		}
	}
	asked.Wait()
	for i := range f.parts {
		p := &f.parts[i]
		if p.err != nil {
			return p.err
		}
		for k, row := range p.rows {
			answers[row] = p.answers[k]
		}
	}
	return nil
}

// Close ends all processes. It returns their errors.
func (f *Fleet) Close() error {
	errs := make([]error, len(f.processes))
	var closed sync.WaitGroup
	for i, p := range f.processes {
		closed.Go(func() { errs[i] = p.Close() })
	}
	closed.Wait()
	return errors.Join(errs...)
}
