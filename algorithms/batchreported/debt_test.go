package batchreported

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// Aligned reports to a bucket without depth: 1 % of the limit in the long run.
func TestDebtHoldsTheLimit(t *testing.T) {
	for _, offered := range []int64{1500, 3000, 10_000} {
		got := sum(newFleet(t, debt()).run(offered, 100, second))
		if got < 99_000 || got > 101_000 {
			t.Errorf("%d/s on 1000/s: %d admitted in 100 s", offered, got)
		}
	}
}

// After an idle time the first report is a debt, except for what its own interval
// earned and the bucket's depth. The literal order forgives it.
func TestDebtAfterIdleTime(t *testing.T) {
	literal, deep := debt(), debt()
	literal.Literal = true
	deep.Bucket = &counting.TokenBucketOptions{Debt: true, Burst: 50}
	for name, x := range map[string]struct {
		config      Config
		least, most int64
	}{
		"debit-refill": {debt(), 10_000, 10_200},
		"depth 50":     {deep, 10_050, 10_250},
		"literal":      {literal, 15_100, 15_300},
	} {
		f := newFleet(t, x.config)
		admitted := int64(0)
		for i := range int64(5000 + 20_000) { // 5000 at 10 s, then 2000/s until 20 s
			now := 10*second + max(i-5000, 0)*second/2000
			f.until(now)
			if f.clients[i%10].Decide(now, 7, 1, nil).Admitted() {
				admitted++
			}
		}
		if admitted < x.least || admitted > x.most {
			t.Errorf("%s: %d admitted in 10 s after an idle time, want %d to %d", name, admitted, x.least, x.most)
		}
	}
}

// Demand that conforms to the limit is never in debt until a key has been idle, whatever
// its costs, keys and clients, when these report and how deep the bucket is.
func TestConformingDemandIsNeverInDebt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := debt()
		c.Clients = rapid.IntRange(1, 5).Draw(t, "clients")
		c.Interval = rapid.Int64Range(1, 200).Draw(t, "interval")
		c.Limit = counting.Limit{Count: rapid.Int64Range(1, 50).Draw(t, "limit"), Window: rapid.Int64Range(1, 300).Draw(t, "window"), Burst: rapid.Int64Range(1, 20).Draw(t, "burst")}
		c.Bucket.Burst = c.Limit.Burst
		c.Offsets = rapid.SliceOfN(rapid.Int64Range(0, c.Interval-1), c.Clients, c.Clients).Draw(t, "offsets")
		f := startFleet(c)
		exact := counting.NewTokenBuckets(c.Limit, counting.TokenBucketOptions{Burst: c.Limit.Burst}, 3)
		now := int64(0)
		for range rapid.IntRange(1, 100).Draw(t, "requests") {
			now += rapid.Int64Range(0, c.Interval/4).Draw(t, "dt")
			f.until(now)
			if slices.ContainsFunc(f.server.policies[0].resumed, func(at int64) bool { return at != none }) {
				return
			}
			key, cost := rapid.Int32Range(0, 2).Draw(t, "key"), rapid.Int64Range(1, c.Limit.Burst).Draw(t, "cost")
			if !exact.Take(key, now, cost).Admitted() {
				continue // the rest conforms
			}
			if client := rapid.IntRange(0, c.Clients-1).Draw(t, "client"); !f.clients[client].Decide(now, key, cost, nil).Admitted() {
				t.Fatalf("client %d rejects a cost of %d at %d", client, cost, now)
			}
		}
	})
}

// Reports of clients with any phases: no time is counted twice, only cuts at the
// depth lose any, and the orders differ only in the cuts.
func TestOrdersAgainstEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const huge = 1 << 30
		c := debt()
		c.Limit = counting.Limit{Count: rapid.Int64Range(1, 1000).Draw(t, "limit"), Window: second}
		c.Bucket.Burst = rapid.Int64Range(0, 200).Draw(t, "burst")
		first, literal, whole := c, c, c
		first.RefillFirst, literal.Literal = true, true
		whole.Bucket = &counting.TokenBucketOptions{Debt: true, Burst: huge, Initial: counting.Tokens(c.Bucket.Burst)}
		var servers []*Server
		for _, c := range []*Config{&first, &c, &literal, &whole} {
			servers = append(servers, NewServer(c, 0, 0))
		}
		phases := rapid.SliceOfN(rapid.Int64Range(0, c.Interval-1), 1, 5).Draw(t, "phases")
		now, hits := int64(0), int64(0)
		for range rapid.IntRange(1, 40).Draw(t, "reports") {
			now = (now/c.Interval+rapid.Int64Range(0, 3).Draw(t, "intervals"))*c.Interval + max(now%c.Interval, rapid.SampledFrom(phases).Draw(t, "phase"))
			r := report(now, rapid.Int64Range(0, 300).Draw(t, "hits"), 0)
			hits += r.Rows[0].Hits
			var levels []int64
			for _, s := range servers {
				s.Receive(now, r)
				s.Answer(now, r, new(Answer))
				levels = append(levels, s.policies[0].buckets.LevelUnits(0, now))
			}
			if lower, upper := min(levels[1], levels[2]), max(levels[1], levels[2]); levels[0] > lower || upper > levels[3] {
				t.Fatalf("at %d the levels are %d by refill-debit, %d by debit-refill, %d literally, %d without cuts", now, levels[0], levels[1], levels[2], levels[3])
			}
			n, p := c.Limit.Rate()
			if want := c.Bucket.Burst*p - hits*p + now*n; levels[3] != want {
				t.Fatalf("without cuts the level at %d is %d, want %d", now, levels[3], want)
			}
		}
	})
}
