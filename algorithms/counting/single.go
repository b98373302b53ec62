package counting

// Single limits one key: key 0 of a table. It is not safe for concurrent use.
type Single struct{ table Table }

// NewFixedWindow returns an empty window. It panics if o.Check(limit) fails.
func NewFixedWindow(limit Limit, o WindowOptions) *Single {
	return &Single{NewFixedWindows(limit, o, 1)}
}

// NewSlidingLog returns an empty log. It panics if o.Check(limit) fails.
func NewSlidingLog(limit Limit, o WindowOptions) *Single { return &Single{NewSlidingLogs(limit, o, 1)} }

// NewTokenBucket returns a bucket at its initial level. It panics if o.Check(limit)
// fails.
func NewTokenBucket(limit Limit, o TokenBucketOptions) *Single {
	return &Single{NewTokenBuckets(limit, o, 1)}
}

// Take decides a request of this cost at now, in ns.
func (s *Single) Take(now, cost int64) Verdict { return s.table.Take(0, now, cost) }

// Level returns how many requests of cost 1 would be admitted at now; see Table.
func (s *Single) Level(now int64) int64 { return s.table.Level(0, now) }

// RetryAt returns the earliest time at which this cost would be admitted, or Never.
func (s *Single) RetryAt(now, cost int64) int64 { return s.table.RetryAt(0, now, cost) }
