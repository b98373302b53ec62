package counting

import (
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// blockField is the option of counters that can block a key after a violation.
var blockField = catalog.Field{Name: "block", Needs: catalog.Needs{"enforcement: central or enforcement: local or enforcement: remote or enforcement: client-throttle or enforcement: sql"}, Kind: catalog.Duration, Min: "1ns", Max: "365d",
	Doc: "a rejected request blocks its key for this time: until then all are refused, count nothing and do not prolong it, and then the counter starts anew (Cloudflare, rack-attack, rate-limiter-flexible); by default no key is blocked"}

// forgetting is a table that can start a key anew.
type forgetting interface {
	Table
	Forget(key int32)
}

// blocking is a table that blocks a key for a time after each request that it rejects.
type blocking struct {
	forgetting
	time  int64
	until []int64 // by key: when its block ends
}

func newBlocking(t forgetting, time int64, keys int) *blocking {
	return &blocking{t, time, make([]int64, keys)}
}

// TakeBlock decides each request by Take.
func (b *blocking) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	for i := range verdicts {
		verdicts[i] = b.Take(keys[i], times[i], costs[i])
	}
}

// Take decides one request.
func (b *blocking) Take(key int32, now, cost int64) Verdict {
	switch {
	case now < b.until[key] && cost <= 0:
		return Admitted
	case now < b.until[key]:
		return Rejected
	case b.forgetting.Take(key, now, cost).Admitted():
		return Admitted
	}
	b.until[key] = integers.Add(now, b.time)
	b.Forget(key)
	b.forgetting.Take(key, b.until[key], 0) // an empty bucket fills from then on
	return Rejected
}

// Correct changes what a request took, unless the key has been blocked since.
func (b *blocking) Correct(key int32, now, taken, tokens int64, debt bool) {
	if taken >= b.until[key] {
		b.forgetting.Correct(key, now, taken, tokens, debt)
	}
}

// Level returns 0 while the key is blocked.
func (b *blocking) Level(key int32, now int64) int64 {
	if now < b.until[key] {
		return 0
	}
	return b.forgetting.Level(key, now)
}

// RetryAt returns the end of the block of a key that is blocked.
func (b *blocking) RetryAt(key int32, now, cost int64) int64 {
	if cost <= 0 {
		return now
	}
	return b.forgetting.RetryAt(key, max(now, b.until[key]), cost)
}
