package concurrency

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/concurrency"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/theory"
)

// steady returns the reasons why a scenario's backend is no queue with a closed form.
func steady(s *scenarios.Scenario) catalog.Reasons {
	g := s.Guard
	return append(catalog.Reasons{
		{g == nil || g.Deadline == 0, "given for a backend with a deadline"},
	}, append(theory.Steady(s), catalog.Reasons{
		{s.Traffic[0].Pattern != "poisson", "given for Poisson traffic of one entry"},
		{g != nil && (len(g.Slow) > 0 || g.Queue < math.MaxInt64), "given for a backend that is as fast at all times, with a queue without a bound"},
		{g != nil && float64(g.Concurrency)*float64(g.Deadline) > maxTheory*float64(engine.MeanService(g)), "given for a deadline in which the servers answer a million requests at most"},
		{g != nil && (g.Sharing || len(g.Load) > 0), "given for servers that are as fast with any number of requests"},
		{s.Callers != nil, "given for callers that only send"},
		{s.Topology.Clients > 1 && s.Traffic[0].Spread.Name != "random", "given for traffic spread at random over clients"},
	}...)...)
}

// predict applies the queue M/M/c/K, or Erlang's loss formula where nobody waits, to a
// scenario's first algorithm.
func predict(s *scenarios.Scenario) catalog.Prediction {
	a, clients := &s.Algorithms[0], int64(s.Topology.Clients)
	limit := a.Options.Int("limit")
	p := catalog.NoPrediction("a limit on concurrency keeps no rate")
	why := append(steady(s), catalog.Reasons{
		{a.Options.String("law") != "fixed" || waiting(a), "given for a limit that does not move, and requests that do not wait for it"},
		{s.Guard != nil && limit > s.Guard.Concurrency/clients && (clients > 1 || !engine.ServiceDraws(s.Guard)),
			"given for one client and exponential services, or no more requests in flight than servers"},
	}...).First()
	if why != "" {
		p.Refused, p.Goodput = catalog.Predicted{Why: why}, catalog.Predicted{Why: why}
		return p
	}
	q, rate := queueOf(s)
	if limit > s.Guard.Concurrency/clients {
		shares := q.Under(limit)[limit-1]
		p.Refused = catalog.Predicted{Value: shares.Refused, Formula: "p(K) of M/M/c/K"}
		p.Goodput = catalog.Predicted{Value: rate * shares.Good, Formula: "rate * P(admitted, in time) of M/M/c/K"}
		return p
	}
	lost, good := concurrency.Lost(q.Load/float64(clients), limit), 1.0
	if engine.ServiceDraws(s.Guard) {
		good = 1 - math.Exp(-q.Deadline)
	} else if q.Deadline < 1 {
		good = 0
	}
	p.Refused = catalog.Predicted{Value: lost, Formula: "Erlang B of K places and the load of a client"}
	p.Goodput = catalog.Predicted{Value: rate * (1 - lost) * good, Formula: "rate * (1 - refused) * P(in time)"}
	return p
}

// queueOf returns the backend and its traffic as a queue, and the arrivals per second.
func queueOf(s *scenarios.Scenario) (q concurrency.Queue, perSecond float64) {
	rate, service := s.Traffic[0].Options.Rate("rate").PerSecond(), float64(engine.MeanService(s.Guard))
	return concurrency.Queue{Servers: s.Guard.Concurrency, Load: rate * service / 1e9, Deadline: float64(s.Guard.Deadline) / service}, rate
}

// maxTheory bounds the limits that Best compares, and the requests that servers answer
// within a deadline, as many as a closed form has terms.
const maxTheory = 1_000_000

// Best returns the fixed limit up to most with the most good answers in theory, the least
// of equal ones, or 0 if a scenario has no closed form for that.
func Best(s *scenarios.Scenario, most int64) int64 {
	if steady(s).First() != "" || s.Topology.Clients > 1 || !engine.ServiceDraws(s.Guard) {
		return 0
	}
	q, _ := queueOf(s)
	best, good := int64(0), 0.0
	for i, share := range q.Under(min(most, maxTheory)) {
		if share.Good > good {
			best, good = int64(i)+1, share.Good
		}
	}
	return best
}
