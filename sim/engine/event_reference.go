package engine

// mergeReference records what the shaping reference has dispatched and rejected
// up to t.
func (l *EventExecutor) mergeReference(t int64) {
	if l.ReferenceMode == ShapingReference {
		l.merge(t)
	}
}

func (l *EventExecutor) merge(t int64) {
	if l.Retries != nil {
		// This executor's own reference has not run further than the executor.
		l.dispatches = l.Retries.shaped.Until(t)
	}
	for len(l.dispatches) > 0 && l.dispatches[0].Time <= t {
		l.dispatched(&l.dispatches[0])
		l.dispatches = l.dispatches[1:]
	}
}

// dispatched records a dispatch or a rejection of the reference.
func (l *EventExecutor) dispatched(d *Dispatch) {
	a := &Attempt{Key: d.Key, Tenant: d.Tenant, Client: d.Client}
	if d.Rejected {
		l.rows.add(d.Time, a, nil, 0, 0, 0, 0)
		l.rows.refuse(d.Cost)
		return
	}
	l.rows.add(d.Time, a, nil, 0, 0, 0, d.Cost)
}
