package least

import (
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// Algorithm is a counter whose allowance can be sized.
type Algorithm struct {
	Name   string // of the counter
	Bucket bool   // the allowance is the burst of a bucket, otherwise the count of a window
	slides bool   // its windows begin at any time
	need   func(limits []counting.Limit, keys int) needs
	spans  func(span, window int64) int64 // windows of which an interval of this length can hold the whole count
}

// algorithms lists the algorithms. A token bucket and a GCRA decide alike.
var algorithms = []Algorithm{
	{Name: "token-bucket", Bucket: true, need: newBucketNeeds},
	{Name: "gcra", Bucket: true, need: newBucketNeeds},
	{Name: "fixed-window", need: newFixedNeeds, spans: func(span, window int64) int64 { return integers.CeilDiv(span, window) + 1 }},
	{Name: "sliding-window-log", slides: true, need: newSlidingNeeds, spans: integers.CeilDiv},
}

// Nginx is limit_req of nginx, which cannot be sized.
var Nginx = Algorithm{Name: "nginx-limit-req", Bucket: true}

// Algorithms returns the names of the algorithms.
func Algorithms() []string {
	return lists.Map(algorithms, func(a Algorithm) string { return a.Name })
}

// Find returns the algorithm of a name.
func Find(name string) (*Algorithm, error) {
	if i := slices.IndexFunc(algorithms, func(a Algorithm) bool { return a.Name == name }); i >= 0 {
		return &algorithms[i], nil
	}
	return nil, fmt.Errorf("no algorithm %q can be sized", name)
}

// With returns the limit with an allowance: its burst, or its count.
func (a *Algorithm) With(limit counting.Limit, allowance int64) counting.Limit {
	if a.Bucket {
		limit.Burst = allowance
	} else {
		limit.Count = allowance
	}
	return limit
}

// Allowance returns the allowance of a limit.
func (a *Algorithm) Allowance(limit counting.Limit) int64 {
	if a.Bucket {
		return limit.Burst
	}
	return limit.Count
}

// Most returns a bound on the cost that one key can be admitted in any interval of
// this length in ns.
func (a *Algorithm) Most(limit counting.Limit, span int64) int64 {
	if !a.Bucket {
		return integers.Mul(limit.Count, a.spans(span, limit.Window), 1<<62)
	}
	n, p := limit.Rate()
	return integers.Add(limit.Burst, integers.MulDiv(n, span, p, 1<<62))
}

// Resolves reports whether stamps in steps of this length in ns tell windows apart. A
// bucket has none.
func (a *Algorithm) Resolves(window, step int64) bool {
	return a.Bucket || window%step == 0 && (window > step || !a.slides)
}

// table returns the counter for keys 0 to keys-1.
func (a *Algorithm) table(limit counting.Limit, keys int) (counting.Table, error) {
	return counting.New(a.Name, limit, nil, keys)
}

// decider decides blocks of requests, as a counting.Table does.
type decider interface {
	TakeBlock(keys []int32, times, costs []int64, verdicts []counting.Verdict)
}

// nginxDecider is Nginx with nodelay, which changes only how long a request waits.
type nginxDecider struct{ counting.Queue }

func (n nginxDecider) TakeBlock(keys []int32, times, costs []int64, verdicts []counting.Verdict) {
	for i, key := range keys {
		verdicts[i], _ = n.Take(key, times[i], costs[i])
	}
}

// decider returns what decides for keys 0 to keys-1. nginx admits one request at once beyond
// its burst.
func (a *Algorithm) decider(limit counting.Limit, keys int) (decider, error) {
	if a.Name != Nginx.Name {
		return a.table(limit, keys)
	}
	limit.Burst--
	queue, err := counting.NewQueue(a.Name, limit, nil, keys)
	return nginxDecider{queue}, err
}
