package sim

import (
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios"
)

// Bytes of state per key that a trial holds from its start, rounded up over the
// counters there are. What grows with the requests comes on top.
const (
	referenceBytes = 24
	recorderBytes  = 40
	fullBytes      = 104 // of the recorder's full tier, on top
	counterBytes   = 96
	localBytes     = 56 // for each client, where each keeps every key
	reportedBytes  = 8  // where clients and servers keep the keys they have seen
)

// memory estimates the bytes that the per-key state of some rows of a scenario
// takes, when they run side by side.
func (p *plan) memory(rows []int) int64 {
	perKey := int64(referenceBytes)
	for _, i := range rows {
		perKey += recorderBytes
		if p.scenario.Full {
			perKey += fullBytes
		}
		a := p.rows[i].algorithm
		switch {
		case a == nil: // with retries it decides by itself
			perKey += referenceBytes
		case a.Enforcement == "local":
			perKey += localBytes * int64(p.scenario.Topology.Clients)
		case a.Enforcement == "batch-reported":
			perKey += reportedBytes
		default:
			perKey += counterBytes
		}
	}
	return perKey * int64(p.traffic.Keys())
}

// fit is the number of workers, at most as many as asked for, whose jobs fit
// into o.Memory at a time, and the scenarios that do not fit at all.
func fit(plans []*plan, jobs []*job, o Options) (workers int, problems []scenarios.Problem) {
	if o.Memory <= 0 {
		return o.Workers, nil
	}
	largest := map[*plan]int64{}
	workers = o.Workers
	for _, j := range jobs {
		need := j.plan.memory(j.rows)
		largest[j.plan] = max(largest[j.plan], need)
		workers = max(1, min(workers, int(min(o.Memory/max(need, 1), int64(workers)))))
	}
	for i, p := range plans {
		if need := largest[p]; need > o.Memory {
			problems = append(problems, scenarios.Problem{
				Pos: p.scenario.Pos, Field: fmt.Sprintf("scenarios[%d]", i),
				Message: fmt.Sprintf("needs about %s of memory for %d keys and %d clients, and %s is free: take fewer of them",
					gibibytes(need), p.traffic.Keys(), p.scenario.Topology.Clients, gibibytes(o.Memory)),
			})
		}
	}
	return workers, problems
}

func gibibytes(n int64) string { return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30)) }
