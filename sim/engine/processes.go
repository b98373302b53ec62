package engine

import (
	"github.com/limitgauge/limitgauge/algorithms/callers"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// process is what workers of one process share: their pace, and the calls that they may
// have in flight.
type process struct {
	paces   []*callers.Pace
	tokens  []bool         // by pace: it counts tokens and not calls
	most    int64          // calls in flight; 0 without a bound
	open    int64          // calls with a permit
	budget  callers.Budget // of retries; nil without one
	waiting FIFO[int32]    // workers that wait for a permit
}

// newProcesses returns the processes of an entry's workers; most is the largest estimate of
// the cost of one of its calls, which a pace of tokens takes.
func newProcesses(c *scenarios.Callers, most int64) []process {
	if c == nil {
		return make([]process, 1)
	}
	list := make([]process, c.Processes)
	for i := range list {
		list[i].most, list[i].budget = c.InFlight, newBudget(c.Budget)
		for _, p := range c.Pace {
			burst := p.Burst
			switch {
			case burst > 0:
			case p.Tokens:
				burst = most
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

// newBudget returns a budget of retries, nil for none.
func newBudget(c catalog.Choice) callers.Budget {
	v := c.Values
	share := v.Share("share")
	switch c.Name {
	case "grpc":
		ratio := v.Share("ratio")
		return callers.NewGRPC(v.Int("max"), ratio.Num, ratio.Den)
	case "share":
		return callers.NewShare(share.Num, share.Den, v.Int("min"))
	case "deposits":
		return callers.NewDeposits(share.Num, share.Den, v.Int("min"), v.Duration("ttl"))
	}
	return nil
}

// began tells the budget of a worker's process that a call is sent.
func (x *worker) began(now int64) {
	if b := x.process.budget; b != nil && x.try == 0 {
		b.First(now)
	}
}

// admitted tells it that a call is admitted.
func (x *worker) admitted() {
	if b := x.process.budget; b != nil {
		b.Admitted()
	}
}

// ended tells it that a call has ended, answered or refused.
func (x *worker) ended(refused bool) {
	b := x.process.budget
	if b == nil {
		return
	}
	if refused {
		b.Refused()
	}
	if x.try > 0 {
		b.Ended()
	}
}

// affords reports whether the budget allows a retry, and takes it.
func (x *worker) affords(now int64) bool {
	return x.process.budget == nil || x.process.budget.Retry(now, x.process.open)
}
