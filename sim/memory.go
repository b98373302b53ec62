package sim

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/measure/demands"
)

// Memory in bytes of a trial, per key unless said otherwise, without the limiter and what
// is counted by pair of a key and a tenant or client. The state of requests that wait is
// not included.
const (
	shaperBytes    = 24  // of a shaping reference
	recorderBytes  = 40  // 32 at the start, and 8 once the key has a saturated window; 8 more if it has some in both halves
	fullBytes      = 28  // on top of recorderBytes, if the full metric set is measured
	settlesBytes   = 24  // on top of recorderBytes and a reference, if costs become known with the answer
	tenantBytes    = 4   // of a tenant that is no key
	fullTenant     = 25  // of a tenant, if the full metric set is measured
	workerBytes    = 400 // of a worker, or of a process of other callers with a budget
	admissionBytes = 24  // of a request that is admitted in a window, in the full metric set
)

// memory estimates the bytes that the state of some rows of a scenario takes by the end
// of a trial, when they run side by side.
func (p *plan) memory(rows []row) int64 {
	reference, _ := counting.KeyBytes(exactKinds[p.scenario.Policy.Reference.Kind].counter)
	perKey, own, shared := reference, int64(0), int64(0)
	for _, r := range rows {
		perKey += recorderBytes
		for _, c := range p.traffic.Crews() {
			own += workerBytes * c.Workers
		}
		if c := p.scenario.CallersOf(r.algorithm); c != nil && c.Budget.Name != "" && p.traffic.Sends() {
			own += workerBytes * c.Processes
		}
		if p.scenario.Full {
			perKey += fullBytes
			own += p.admissionBytes() + fullTenant*int64(p.traffic.Tenants())
		}
		if !p.tenantIsKey() {
			own += tenantBytes * int64(p.traffic.Tenants())
		}
		if p.traffic.Settles() {
			perKey += settlesBytes + reference
		}
		if p.sharesDemands(r) {
			shared = 1
		} else {
			own += p.pairBytes()
		}
		if r.waiting != nil {
			perKey += shaperBytes
		}
		switch a := r.algorithm; {
		case a != nil && !r.same:
			l := limiters.Of(a)
			perKey += l.MemoryPerKey(a, p.scenario.Topology.Clients)
			own += l.ClientBytes * int64(p.scenario.Topology.Clients)
		case a == nil && p.scenario.RetriesOf(nil) != nil: // the reference decides by itself
			perKey += reference
		}
	}
	return perKey*int64(p.traffic.Keys()) + own + shared*p.pairBytes()
}

// sharesDemands reports whether all requests of a row are likely to be decided on arrival:
// such rows count the demand of pairs together.
func (p *plan) sharesDemands(r row) bool {
	return r.waiting == nil && p.scenario.RetriesOf(r.algorithm) == nil && (r.algorithm == nil || limiters.Of(r.algorithm).Servers == nil)
}

// pairBytes returns the bytes of what is counted by pair.
func (p *plan) pairBytes() (bytes int64) {
	t, memory := p.traffic, p.scenario.MeasureMemory
	if t.Keys() == 1 || t.MultiPolicy() && !t.OneKey() {
		return 0
	}
	if !t.TenantIsKey() {
		bytes = demands.Bytes(t.Keys(), t.Tenants(), memory, p.arrivals())
	}
	return bytes + demands.Bytes(t.Keys(), p.scenario.Topology.Clients, memory, p.arrivals())
}

// admissionBytes returns the bytes of the requests of a window that are admitted. A
// limiter that was idle admits up to a burst beyond its limit, so half of it is counted.
func (p *plan) admissionBytes() int64 {
	count := max(p.limit.Count, p.scenario.Policy.Reference.Limit.Count)
	admitted := min(p.arrivals(), float64(p.traffic.Keys())*float64(count+p.limit.Burst/2))
	return int64(min(admissionBytes*admitted, float64(p.scenario.MeasureMemory/2)))
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
				Message: fmt.Sprintf("needs about %s of memory for %s and %s, and %s may be used: take fewer of them",
					gibibytes(need), format.Count(p.traffic.Keys(), "key"), format.Count(p.scenario.Topology.Clients, "client"), gibibytes(memory)),
			})
		}
	}
	return problems
}

func gibibytes(n int64) string { return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30)) }
