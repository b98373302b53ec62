package counting

// boundedQueue is a queue that also rejects requests that would wait longer than a time
// in ns. Level and RetryAt are those of the queue, which does not know the bound.
type boundedQueue struct {
	restorable
	longest int64
}

// restorable is a queue whose last request can be taken back.
type restorable interface {
	Queue
	saved(key int32) (restore func())
}

// saved returns a function that gives the key its present state again.
func (t *states[S, R, P]) saved(key int32) (restore func()) {
	state := t.state[key]
	return func() { t.state[key] = state }
}

// Take decides one request. A request that is rejected leaves the state as it was.
func (q *boundedQueue) Take(key int32, now, cost int64) (v Verdict, dispatch int64) {
	restore := q.saved(key)
	if v, dispatch = q.restorable.Take(key, now, cost); v.Admitted() && dispatch-now > q.longest {
		restore()
		return Rejected, now
	}
	return v, dispatch
}
