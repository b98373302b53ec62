package clientthrottle

import (
	"cmp"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// guarded runs clients in front of a backend without a limiter: its good answers are
// acceptances. What a client counts is the same for all keys.
type guarded struct {
	throttlers
	executor *engine.EventExecutor
}

// everyKey is the key under which a client counts all of its requests.
const everyKey = 0

func guardable(s *engine.Setting) error {
	return cmp.Or(
		catalog.ErrorIf(s.Scenario.Guard == nil, "backend: guard needs a guard, whose answers the clients count"),
		catalog.ErrorIf(s.MultiPolicy(),
			"client-throttle with backend: guard %w: answers of the backend belong to no policy", engine.ErrOnePolicy))
}

func newGuarded(t *engine.Trial, c throttlers) engine.Executor {
	g := &guarded{throttlers: c, executor: engine.NewEventExecutor(t.Sinks, t.Start)}
	t.Guard.OnAnswer(func(now int64, a engine.Answered) { g.clients[a.Client].Answered(now, everyKey, a.Good) })
	g.executor.Run(g)
	return g.executor
}

func (g *guarded) Arrive(now int64, slot int32) {
	if g.clients[g.executor.Attempt(slot).Client].Sends(now, everyKey, &g.coin) {
		g.executor.Admit(slot, counting.ByLimiter)
	} else {
		g.executor.Reject(slot, counting.ByLocal)
	}
}

func (*guarded) Fire(engine.Event) {}

// Inspect knows no level: a coin decides.
func (*guarded) Inspect(_, _ int32, now, _ int64) (level, retryAt int64) {
	return engine.UnknownLevel, now
}
