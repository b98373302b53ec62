package custom

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// decider runs limiters that decide at arrival.
type decider struct{ *caller }

func (d *decider) Decide(a *engine.Arrivals, lo, hi int, verdicts []counting.Verdict) int {
	answers := d.ask(d.prepare(a, lo, hi))
	if answers == nil { // the job has failed: the figures are void
		clear(verdicts)
		return hi - lo
	}
	for i := range answers {
		if answers[i].WaitNs > 0 {
			r := &d.requests[i]
			d.trial.Outside.Fail(d.trial.Algorithm.Name, fmt.Errorf("delays a request (at_ns %d, key %q), but the row does not say waits: true", r.AtNs, r.Key))
		}
		verdicts[i] = counting.MakeVerdict(answers[i].Admit, d.cause)
	}
	if d.exact != nil {
		d.exact.compare(d.caller, a, lo, answers)
	}
	return hi - lo
}

func (*decider) Next() int64 { return engine.Never }
func (*decider) Step(int64)  {}
