package sim

import (
	"fmt"

	"github.com/limitgauge/limitgauge/internal/format"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/measure/demands"
)

// Memory per key in bytes that a trial allocates at its start for everything but
// the limiter and the pairs of keys and tenants or clients. State that grows with
// the requests is not included.
const (
	referenceBytes = 24
	recorderBytes  = 56
	fullBytes      = 104 // on top of recorderBytes, if the full metric set is measured
	settlesBytes   = 24  // on top of recorderBytes and a reference, if costs become known with the answer
)

// memory estimates the bytes that the per-key state of some rows of a scenario
// takes, when they run side by side.
func (p *plan) memory(rows []row) int64 {
	perKey, pairs := int64(referenceBytes), int64(0)
	if t := p.traffic; !t.MultiPolicy() || t.OneKey() {
		pairs = demands.Bytes(t.Keys(), p.scenario.Topology.Clients, p.scenario.MeasureMemory, p.arrivals)
		if !t.TenantIsKey() {
			pairs += demands.Bytes(t.Keys(), t.Tenants(), p.scenario.MeasureMemory, p.arrivals)
		}
	}
	for _, r := range rows {
		perKey += recorderBytes
		if p.scenario.Full {
			perKey += fullBytes
		}
		if p.traffic.Settles() {
			perKey += settlesBytes + referenceBytes
		}
		a := r.algorithm
		if a == nil { // with retries the reference decides by itself
			perKey += referenceBytes
			continue
		}
		perKey += limiters.Of(a).MemoryPerKey(p.scenario.Topology.Clients)
	}
	return perKey*int64(p.traffic.Keys()) + pairs*int64(len(rows))
}

// fit returns the number of workers, at most as many as asked for, whose jobs fit into
// o.Memory at a time.
func fit(jobs []*job, o Options) int {
	workers := o.Workers
	if o.Memory <= 0 {
		return workers
	}
	for _, j := range jobs {
		need := j.plan.memory(j.rows)
		workers = max(1, min(workers, int(min(o.Memory/max(need, 1), int64(workers)))))
	}
	return workers
}

// tooLarge returns the scenarios of a file that do not fit into memory even if each row
// runs alone. No memory means that it is unknown.
func tooLarge(f *scenarios.File, plans []*plan, memory int64) (problems []scenarios.Problem) {
	if memory <= 0 {
		return nil
	}
	for _, p := range plans {
		need := int64(0)
		for i := range p.rows {
			need = max(need, p.memory(p.rows[i:i+1]))
		}
		if need > memory {
			problems = append(problems, scenarios.Problem{
				Path: f.Path, Pos: p.scenario.Pos, Field: fmt.Sprintf("scenarios[%d]", p.scenario.Index),
				Message: fmt.Sprintf("needs about %s of memory for %s and %s, and %s is free: take fewer of them",
					gibibytes(need), format.Count(p.traffic.Keys(), "key"), format.Count(p.scenario.Topology.Clients, "client"), gibibytes(memory)),
			})
		}
	}
	return problems
}

func gibibytes(n int64) string { return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30)) }
