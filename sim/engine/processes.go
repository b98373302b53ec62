package engine

import (
	"github.com/limitgauge/limitgauge/algorithms/callers"
	"github.com/limitgauge/limitgauge/scenarios"
)

// process is what workers of one process share: their pace, and the calls that they may
// have in flight.
type process struct {
	paces   []*callers.Pace
	tokens  []bool // by pace: it counts tokens and not calls
	most    int64  // calls in flight; 0 without a bound
	open    int64
	waiting FIFO[int32] // workers that wait for a permit
}

// newProcesses returns the processes of an entry's workers; maxCost is the most that one
// call takes.
func newProcesses(c *scenarios.Callers, maxCost int64) []process {
	if c == nil {
		return make([]process, 1)
	}
	list := make([]process, c.Processes)
	for i := range list {
		list[i].most = c.InFlight
		for _, p := range c.Pace {
			burst := p.Burst
			switch {
			case burst > 0:
			case p.Tokens:
				burst = maxCost
			default:
				burst = 1
			}
			list[i].paces = append(list[i].paces, callers.NewPace(p.Limit.Count, p.Limit.Per, burst))
			list[i].tokens = append(list[i].tokens, p.Tokens)
		}
	}
	return list
}

// pace charges the paces of a worker's process with its next call and returns the ns until
// it may go on.
func (x *worker) pace(now int64) (wait int64) {
	for i, p := range x.process.paces {
		n := int64(1)
		if x.process.tokens[i] {
			n = x.estimate
		}
		wait = max(wait, p.Reserve(now, n))
	}
	return wait
}

// enter gives a worker a permit. It returns false if it has to wait for one.
func (p *process) enter(ref int32) bool {
	if p.most > 0 && p.open == p.most {
		p.waiting.Push(ref)
		return false
	}
	p.open++
	return true
}

// leave returns a permit, and the worker that has it from now on, or noWorker.
func (p *process) leave() int32 {
	if p.waiting.Len() > 0 {
		return p.waiting.Pop()
	}
	p.open--
	return noWorker
}
