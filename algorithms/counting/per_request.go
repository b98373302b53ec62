package counting

// PerRequest is a table that counts requests: each one costs 1, whatever it costs
// elsewhere, and stays one when its cost becomes known.
type PerRequest struct{ Table }

// Take takes one token for the request, or rejects it.
func (t PerRequest) Take(key int32, now, _ int64) Verdict { return t.Table.Take(key, now, 1) }

// TakeBlock decides each request by Take.
func (t PerRequest) TakeBlock(keys []int32, times, _ []int64, verdicts []Verdict) {
	for i := range verdicts {
		verdicts[i] = t.Take(keys[i], times[i], 1)
	}
}

// RetryAt returns the time from which the key would admit a request.
func (t PerRequest) RetryAt(key int32, now, _ int64) int64 { return t.Table.RetryAt(key, now, 1) }

// Correct changes nothing.
func (t PerRequest) Correct(int32, int64, int64, int64, bool) {}
