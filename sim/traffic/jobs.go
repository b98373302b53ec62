package traffic

import (
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/traffic/patterns"
	"github.com/limitgauge/limitgauge/sim/traffic/selectors"
)

// Crew is an entry of workers: callers that take jobs and wait for their answers.
type Crew struct {
	*patterns.Jobs
	Name string

	source  *entrySource
	tenant  int32   // of worker 0, if each worker is a tenant; otherwise -1
	clients []int32 // by worker, if each keeps to one; otherwise nil
}

// Sends reports whether an entry sends without waiting for answers.
func (p *Plan) Sends() bool { return len(p.crews) < len(p.entrySources) }

// Crews returns the entries of workers, in the order of the scenario.
func (p *Plan) Crews() []*Crew { return p.crews }

// workers notes in a plan that an entry is one of workers. Unless it selects tenants, each
// worker is a tenant of its own.
func (b *builder) workers(t *scenarios.Traffic, s *entrySource) {
	jobs, ok := s.pattern.(*patterns.Jobs)
	if !ok {
		return
	}
	p := b.plan
	c := &Crew{Jobs: jobs, Name: t.Name, source: s, tenant: -1}
	s.crew = c
	p.crews = append(p.crews, c)
	if t.Tenants.Name != "" {
		return
	}
	p.tenantsGiven = true
	before := ""
	for i := range b.Entries {
		if e := &b.Entries[i]; e.Pattern == scenarios.PatternWorkers && e != t {
			before = t.Name + "/"
		}
	}
	for i := range jobs.Workers {
		id := p.tenants.id(fmt.Sprintf("%sworker-%d", before, i))
		if i == 0 {
			c.tenant = id
		}
	}
	s.tenants = selectors.One(c.tenant, BlockSize)
}

// keep gives each worker the one client that all of its calls go to, if the entry's
// spread says so.
func (c *Crew) keep(t *scenarios.Traffic) {
	if c.tenant < 0 || t.Spread.Name != "sticky" {
		return
	}
	tenants := make([]int32, c.Workers)
	for i := range tenants {
		tenants[i] = c.tenant + int32(i)
	}
	c.clients = make([]int32, c.Workers)
	c.source.spread.Fill(nil, 0, tenants, tenants, c.clients)
}

// Tenant returns the tenant of a worker, or that of a job if workers are not tenants.
func (c *Crew) Tenant(worker, ofJob int32) int32 {
	if c.tenant < 0 {
		return ofJob
	}
	return c.tenant + worker
}

// Client returns the client that a worker's calls go to, or that of a job if workers
// keep to none.
func (c *Crew) Client(worker, ofJob int32) int32 {
	if c.clients == nil {
		return ofJob
	}
	return c.clients[worker]
}

// MaxEstimate returns the largest estimate of the cost of a job's call. The estimate of a
// cost that is known on arrival is the cost.
func (c *Crew) MaxEstimate() int64 { return c.source.maxEstimate() }

// Open returns the jobs of one replication. Job k is the same for every row, whoever
// takes it.
func (c *Crew) Open(seed uint64, replication int) *JobStream {
	return &JobStream{source: c.source.open(seed, replication), Block: NewBlock()}
}

// JobStream returns the jobs of an entry in order.
type JobStream struct {
	source *source
	Block  *Block // holds the present job, in row Row
	Row    int
	next   int
}

// Next goes on to the next job. It returns false at the end of the stock.
func (j *JobStream) Next() bool {
	if j.next == j.Block.N {
		j.source.Fill(j.Block)
		if j.next = 0; j.Block.N == 0 {
			return false
		}
	}
	j.Row = j.next
	j.next++
	return true
}
