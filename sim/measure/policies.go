package measure

// Policy is the limit of a range of keys, in multi-policy scenarios.
type Policy struct {
	Limit, Window, Burst int64
	LargestCost          int64 // of any attempt under this policy
	From, To             int32 // its keys: From <= key < To
	Steps                []Step
	Changes              []Change
}

// policyMeters measures the keys of one policy, numbered from 0, as if it were
// the only one. A request that another policy rejects counts as rejected here
// too.
type policyMeters struct {
	Policy
	recorder *Recorder
	flow     Flow
}

// addPolicies adds the meters of each policy.
func (r *Recorder) addPolicies() {
	for _, policy := range r.cfg.Policies {
		c := r.cfg
		c.Policies, c.TenantIsKey = nil, false
		c.Limit, c.Window, c.Burst, c.Steps = policy.Limit, policy.Window, policy.Burst, policy.Steps
		c.Changes, c.LargestCost = policy.Changes, policy.LargestCost
		c.Keys = int(policy.To - policy.From)
		c.Memory /= int64(len(r.cfg.Policies))
		c.Guarded = false
		if whole := c.OnWindow; whole != nil {
			c.OnWindow = func(key int32, index, offered, admitted, reference int64, saturated bool) {
				whole(key+policy.From, index, offered, admitted, reference, saturated)
			}
		}
		r.policies = append(r.policies, &policyMeters{Policy: policy, recorder: newPolicyRecorder(c)})
	}
}

// newPolicyRecorder returns a recorder with the meters that measure keys, and
// with a series.
func newPolicyRecorder(c Config) *Recorder {
	r := &Recorder{cfg: c, reporters: make([]Reporter, len(sources)), admitted: Admitted{oneKey: c.Keys == 1}}
	for i, s := range sources {
		if s.pool != nil && (c.Full || !s.full) {
			r.reporters[i] = s.build(r)
			r.join(r.reporters[i])
		}
	}
	r.join(newSeriesMeter(r))
	return r
}

// pooled returns a reporter that combines the policies' meters of one source.
func (r *Recorder) pooled(source int) Reporter {
	p := pooledReporter{pool: sources[source].pool}
	for _, policy := range r.policies {
		p.parts = append(p.parts, policy.recorder.reporters[source])
	}
	return p
}

type pooledReporter struct {
	parts []Reporter
	pool  func(parts []Reporter, emit Emit)
}

func (p pooledReporter) Figures(emit Emit) { p.pool(p.parts, emit) }

// policyOf returns the policy that a key belongs to.
func (r *Recorder) policyOf(key int32) *policyMeters {
	for _, p := range r.policies {
		if key < p.To {
			return p
		}
	}
	panic("measure: there is no such key")
}

// split passes the rows of each policy's keys to its meters.
func (r *Recorder) split(f *Flow) {
	for i := range f.Time {
		for _, key := range f.Keys[f.First[i]:f.First[i+1]] {
			p := r.policyOf(key)
			p.flow.add(f, i, key-p.From)
		}
	}
	for _, p := range r.policies {
		p.recorder.Flow(&p.flow)
		p.flow.clear()
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

func (f *Flow) clear() {
	f.Time, f.Key, f.Tenant, f.Client = f.Time[:0], f.Key[:0], f.Tenant[:0], f.Client[:0]
	f.Offered, f.Admitted, f.Rejected, f.Reference = f.Offered[:0], f.Admitted[:0], f.Rejected[:0], f.Reference[:0]
}

// Policies returns the number of policies that are measured separately, 0 if
// there is one policy.
func (r *Recorder) Policies() int { return len(r.policies) }

// PolicyFigures returns the figures of one policy's keys.
func (r *Recorder) PolicyFigures(policy int) []Figure { return r.policies[policy].recorder.Figures() }

// PolicySeries returns the cost offered and admitted over time under one
// policy. A request that carries several keys of the policy counts once for
// each.
func (r *Recorder) PolicySeries(policy int) Series { return r.policies[policy].recorder.Series() }
