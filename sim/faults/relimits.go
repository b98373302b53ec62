package faults

// Relimits counts the keys that requests carry after a fault has changed their
// limit. All rows of a replication have the same.
type Relimits struct {
	from []relimit
	next int64 // nothing is counted before
}

type relimit struct {
	entry int
	at    int64
	keys  members
}

// NewRelimits returns nil if no fault changes limits.
func NewRelimits(t *Timeline) *Relimits {
	r := &Relimits{next: Never}
	seen := map[int]bool{}
	for _, s := range t.Spans() {
		if s.Kind == "policy-change" && !seen[s.Entry] {
			seen[s.Entry] = true
			r.from = append(r.from, relimit{s.Entry, s.From, nil})
			r.next = min(r.next, s.From)
		}
	}
	if len(r.from) == 0 {
		return nil
	}
	return r
}

// Ask records the keys of a request that arrives at now.
func (r *Relimits) Ask(now int64, keys []int32) {
	if now < r.next {
		return
	}
	for i := range r.from {
		if f := &r.from[i]; now >= f.at {
			for _, key := range keys {
				f.keys = f.keys.with(key)
			}
		}
	}
}

// AddTo adds the keys to what Timeline.Touched has returned.
func (r *Relimits) AddTo(touched []int64) {
	if r == nil {
		return
	}
	for _, f := range r.from {
		touched[f.entry] += f.keys.size()
	}
}
