package measure

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// Policy is the limit that a trial, or a range of its keys, is measured
// against.
type Policy struct {
	Kind          Kind
	Limit, Window int64             // L requests per window of w ns
	Burst         int64             // B, the depth of the policy's bucket
	Changes       []counting.Change // of limit and burst, in time order
	LargestCost   int64             // of any attempt under this policy
	Steps         []Step            // in time order
	From, To      int32             // its keys in multi-policy scenarios: From <= key < To
	Requests      bool              // it counts requests, whatever they cost
}

// Kind is the kind of exact limiter that a policy is measured against. The zero
// value is a token bucket.
type Kind uint8

const (
	TokenBucket Kind = iota
	SlidingLog
	FixedWindow
)

// policyRecorder measures the keys of one policy, numbered from 0, as if it
// were the only one. A request that another policy rejects counts as rejected
// here too.
type policyRecorder struct {
	*Recorder
	rows Flow
}

// of returns the configuration of one of several policies.
func (c Config) of(policy Policy) Config {
	c.Memory /= int64(len(c.Policies))
	c.Policy, c.Policies, c.part = policy, nil, true
	c.Keys = int(policy.To - policy.From)
	c.TenantIsKey, c.OneKey, c.Guarded, c.Exact = false, false, false, nil
	if c.Follow != nil {
		follow := []int32{}
		for _, key := range c.Follow {
			if policy.From <= key && key < policy.To {
				follow = append(follow, key-policy.From)
			}
		}
		c.Follow = follow
	}
	if whole := c.OnWindow; whole != nil {
		c.OnWindow = func(w Window) {
			w.Key += policy.From
			whole(w)
		}
	}
	return c
}

// pooled returns a reporter for the policies' meters of one source.
func (r *Recorder) pooled(source int) Reporter {
	p := pooledReporter{pool: sources[source].pool}
	for _, policy := range r.policies {
		p.parts = append(p.parts, policy.reporters[source])
	}
	return p
}

type pooledReporter struct {
	parts []Reporter
	pool  func(parts []Reporter, emit Emit) string
}

func (p pooledReporter) Figures(emit Emit) string { return p.pool(p.parts, emit) }

// policyOf returns the policy that a key belongs to.
func (r *Recorder) policyOf(key int32) *policyRecorder {
	for _, p := range r.policies {
		if key < p.cfg.To {
			return p
		}
	}
	panic("measure: there is no such key")
}

// split passes the rows of each policy's keys to its recorder.
func (r *Recorder) split(f *Flow) {
	for i := range f.Time {
		for _, key := range f.Keys[f.First[i]:f.First[i+1]] {
			p := r.policyOf(key)
			if p.rows.add(f, i, key-p.cfg.From); p.cfg.Requests {
				p.rows.countLast()
			}
		}
	}
	for _, p := range r.policies {
		p.Flow(&p.rows)
		p.rows.clear()
	}
}

// add appends row i of another flow for one of its keys.
func (f *Flow) add(of *Flow, i int, key int32) {
	f.Time = append(f.Time, of.Time[i])
	f.Key = append(f.Key, key)
	f.Tenant = append(f.Tenant, of.Tenant[i])
	f.Client = append(f.Client, of.Client[i])
	f.Offered = append(f.Offered, of.Offered[i])
	f.Admitted = append(f.Admitted, of.Admitted[i])
	rejected := of.Offered[i] - of.Admitted[i]
	if of.Rejected != nil {
		rejected = of.Rejected[i]
	}
	f.Rejected = append(f.Rejected, rejected)
	f.Reference = append(f.Reference, of.Reference[i])
}

// countLast makes the costs of the last row, which are those of one request, 1.
func (f *Flow) countLast() {
	for _, column := range [][]int64{f.Offered, f.Admitted, f.Rejected, f.Reference} {
		column[len(column)-1] = min(column[len(column)-1], 1)
	}
}

func (f *Flow) clear() {
	f.Time, f.Key, f.Tenant, f.Client = f.Time[:0], f.Key[:0], f.Tenant[:0], f.Client[:0]
	f.Offered, f.Admitted, f.Rejected, f.Reference = f.Offered[:0], f.Admitted[:0], f.Rejected[:0], f.Reference[:0]
}

// Policies returns the recorders of the keys of each policy, none if there is one policy. A
// request that carries several keys of a policy counts once for each.
func (r *Recorder) Policies() []*Recorder {
	return lists.Map(r.policies, func(p *policyRecorder) *Recorder { return p.Recorder })
}
