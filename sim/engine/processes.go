package engine

import (
	"github.com/limitgauge/limitgauge/algorithms/callers"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// process is what callers of one process share: their pace, the calls that they may have in
// flight, and the budget of their retries. Those that are no workers share the last alone.
type process struct {
	paces   []*callers.Pace
	tokens  []bool         // by pace: it counts tokens and not calls
	most    int64          // calls in flight; 0 without a bound
	open    int64          // calls with a permit, or all that are open if no permits are given
	budget  callers.Budget // of retries; nil without one
	waiting FIFO[int32]    // workers that wait for a permit
}

// newProcesses returns the processes of an entry's workers, or of all other callers; most is
// the largest estimate of the cost of one of its calls, which a pace of tokens takes.
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

// began tells the budget of a process that a call is sent, after so many retries.
func (p *process) began(now, try int64) {
	if b := p.budget; b != nil && try == 0 {
		b.First(now)
	}
}

// admitted tells it that a call is admitted.
func (p *process) admitted() {
	if b := p.budget; b != nil {
		b.Admitted()
	}
}

// ended tells it that a call has ended, answered or refused.
func (p *process) ended(try int64, refused bool) {
	b := p.budget
	if b == nil {
		return
	}
	if refused {
		b.Refused()
	}
	if try > 0 {
		b.Ended()
	}
}

// affords reports whether the budget allows a retry, and takes it.
func (p *process) affords(now int64) bool {
	return p.budget == nil || p.budget.Retry(now, p.open)
}

// budgets limits the retries of callers that are no workers: their fresh request n and its
// retries belong to process n modulo the number of processes. A call is open from when it is
// sent until it is refused, its caller gives it up, or the backend answers it. Without a
// backend it ends with its answer, if costs become known with that, and otherwise when it is
// admitted.
type budgets struct {
	processes []process
	senders   int64     // the callers' numbers are multiples of it: see Workers.stride
	answers   EventHeap // ends of answers without a backend; Ref is a process, Kind 1 a retry
}

// Budget makes a budget limit the retries of callers that are no workers, if c states one.
// NewEventExecutor must come afterwards.
func (r *Retries) Budget(c *scenarios.Callers) {
	if c.Budget.Name != "" {
		r.budgets = &budgets{processes: newProcesses(c, 1)}
	}
}

// of returns the process of a fresh request.
func (b *budgets) of(fresh int64) int32 { return int32(fresh / b.senders % int64(len(b.processes))) }

// answered ends the calls whose answers end by now.
func (b *budgets) answered(now int64) {
	for len(b.answers) > 0 && b.answers[0].Time <= now {
		e := b.answers.Pop()
		b.ended(e.Ref, int64(e.Kind), false)
	}
}

// sent notes that a call is sent. Answers end before calls of the same instant.
func (b *budgets) sent(now, place int64) {
	b.answered(now)
	fresh, try := triedAt(place)
	p := &b.processes[b.of(fresh)]
	p.open++
	p.began(now, try)
}

// ended notes that a call of a process, after so many retries, has ended.
func (b *budgets) ended(process int32, try int64, refused bool) {
	p := &b.processes[process]
	p.open--
	p.ended(try, refused)
}

// affords reports whether there is a budget for a retry, and takes it. Answers end after
// timers of the limiter, which may have refused the call now.
func (b *budgets) affords(now, fresh int64) bool {
	if b == nil {
		return true
	}
	b.answered(now - 1)
	return b.processes[b.of(fresh)].affords(now)
}

// spends notes that the attempt in slot, of a caller that is no worker, is admitted. A caller
// that has left does not hear of it.
func (l *EventExecutor) spends(slot int32, s *Attempt) {
	b := l.budgets
	fresh, try := triedAt(s.place)
	process := b.of(fresh)
	if id, known := l.expected[slot]; !known || *l.calls.At(id) == open {
		b.processes[process].admitted()
	}
	switch {
	case l.Guard != nil: // which answers it
	case l.settles && l.baggage[slot].answer > 0:
		b.answers.Push(Event{Time: l.now + min(l.baggage[slot].answer, Never-l.now), Kind: uint32(min(try, 1)), Ref: process})
	default:
		b.ended(process, try, false)
	}
}

// gaveUp ends the call before the retry c, whose caller has waited long enough for its answer.
func (l *EventExecutor) gaveUp(c caller) {
	fresh, try := triedAt(c.place - 1)
	l.budgets.ended(l.budgets.of(fresh), try, true)
	c.carried = 0
	l.resend(c)
}
