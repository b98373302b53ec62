package rover

import (
	"testing"
	"time"
)

// Fact 1: rounding with the stamp moved to now keeps the long-run rate between
// N/(N+0.5) and N/(N-0.5) of the configured one for threshold N.
func TestLongRunRate(t *testing.T) {
	for _, tt := range []struct {
		stamp     StampMode
		threshold uint64
		poll      int64 // ns between replenishes
		lo, hi    float64
	}{
		{Faithful, 1, 10_000, 2.0, 2.0},                    // a busy poller is credited a whole token every half token
		{Faithful, 1, 14_999_999, 0.6666667, 0.6666668},    // the worst poller looks just before 1.5 tokens
		{Faithful, 1, 10 * ms, 1, 1},                       // a poller in step loses nothing
		{Faithful, 100, 10_000, 100 / 99.5, 100 / 99.5},    // within 0.5 %
		{Faithful, 100, 1_004_999_999, 0.995024, 0.995025}, // from below too
		{ByTokens, 1, 10_000, 1, 1},
		{ByTokens, 1, 14_999_999, 1, 1},
		{ByTokens, 100, 1_004_999_999, 1, 1},
	} {
		const rate = 100
		b := must(t, Config{Rate: rate, Limit: 1 << 40, Threshold: tt.threshold, Stamp: tt.stamp})
		var now int64
		for range min(1_000_000, 1000*s/tt.poll) {
			now += tt.poll
			b.Replenish(now)
		}
		// The stamp is the time at which the last credit was due.
		got := float64(b.State().Head) / (rate * float64(b.State().Stamp) / float64(s))
		const slack = 1e-9
		if got < tt.lo-slack || got > tt.hi+slack {
			t.Errorf("mode %d, threshold %d, a look every %d ns: %.9f of the configured rate, want %.7f to %.7f",
				tt.stamp, tt.threshold, tt.poll, got, tt.lo, tt.hi)
		}
	}
}

// Exact buckets lose nothing of slow rates: the time between two replenishes is not cut,
// also if it is that of many tokens and callers wait for all of them.
func TestSlowRates(t *testing.T) {
	for _, tt := range []struct {
		rate, limit, threshold uint64
		every                  time.Duration
	}{
		{10, 100, 1, time.Hour}, {23, 100, 1, 30 * time.Minute}, {23, 100, 1, time.Hour}, {47, 1, 1, 30 * time.Minute}, {47, 100, 1, 45 * time.Minute},
		{1000, 100, 1, time.Hour}, {36, 1, 1, time.Hour}, {23, 100, 100, time.Hour}, {1000, 1, 1, 50 * time.Hour},
	} {
		cfg := Config{Rate: tt.rate, Per: 24 * time.Hour, Limit: tt.limit, Threshold: tt.threshold}
		polled, queued := must(t, cfg), must(t, cfg)
		queued.Grab(1 << 40)
		const days = 1000
		got := uint64(0)
		for now := tt.every; now <= days*cfg.Per; now += tt.every {
			queued.Replenish(int64(now))
			polled.Replenish(int64(now))
			got += polled.TryGrab(1, tt.limit)
		}
		want := days * tt.rate
		if head := queued.State().Head; head > want || want-head >= tt.threshold {
			t.Errorf("%d a day, each %v: credited %d of %d", tt.rate, tt.every, head, want)
		}
		holds := int64(tt.rate)*int64(tt.every) <= int64(tt.limit)*int64(cfg.Per) // what is earned between two looks
		if got > want || holds && want-got >= tt.threshold {
			t.Errorf("%d a day, each %v: claimed %d of %d", tt.rate, tt.every, got, want)
		}
	}
}

// Fact 2: claims made before a replenish increase an uncapped burst.
func TestClaimsBeforeAReplenishEnlargeTheBurst(t *testing.T) {
	for _, stamp := range []StampMode{ByTokens, Faithful} {
		grantable := func(claimFirst bool) (n int) {
			b := must(t, Config{Rate: 100, Limit: 50, Stamp: stamp})
			if claimFirst {
				b.Grab(300)
				b.Replenish(10 * s)
				n = 300
			} else {
				b.Replenish(10 * s)
			}
			for b.Deficiency(b.Grab(1)) == 0 {
				n++
			}
			return n
		}
		if got := grantable(true); got != 350 {
			t.Errorf("mode %d: claim 300, then replenish: %d grantable, want 350", stamp, got)
		}
		if got := grantable(false); got != 50 {
			t.Errorf("mode %d: replenish first: %d grantable, want 50", stamp, got)
		}
	}
}

// Fact 3: if callers reject on a deficiency without a refund, all callers starve.
func TestRefusalNeedsARefund(t *testing.T) {
	admitted := func(refund bool) (n int) {
		b := must(t, Config{Rate: 100, Limit: 50, Full: true})
		for now := int64(0); now < 60*s; now += 5 * ms { // twice the rate
			b.Replenish(now)
			switch {
			case b.Deficiency(b.Grab(1)) == 0:
				n++
			case refund:
				b.Refund(1)
			}
		}
		return n
	}
	if got := admitted(false); got != 99 { // 50, then 49 more while the bucket drains
		t.Errorf("without refund: %d admitted in a minute, want 99 and then none for ever", got)
	}
	if got := admitted(true); got != 6049 {
		t.Errorf("with refund: %d admitted in a minute, want 50 + 100/s less the last 5 ms", got)
	}
}

// Fact 4: capped, throughput = min(rate, limit/hold), and a claim above the limit is
// never served without a release.
func TestCappedThroughput(t *testing.T) {
	for _, tt := range []struct {
		hold int64
		want float64 // per second
	}{{100 * ms, 100}, {500 * ms, 100}, {s, 50}, {5 * s, 10}} {
		b := must(t, Config{Rate: 100, Limit: 50, Capped: true, Full: true})
		const span = 1000 * s
		served, queue := 0, []int64(nil) // instants of release
		ticket := b.Grab(1)
		for now := int64(0); now < span; now += ms {
			for len(queue) > 0 && queue[0] <= now {
				b.Release(1)
				queue = queue[1:]
			}
			b.Replenish(now)
			for b.Deficiency(ticket) == 0 {
				served++
				queue = append(queue, now+tt.hold)
				ticket = b.Grab(1)
			}
			if len(queue) > 50 {
				t.Fatalf("hold %d ns: %d out at once, limit 50", tt.hold, len(queue))
			}
		}
		got := float64(served) / float64(span/s)
		if got < tt.want*0.99 || got > tt.want*1.01 {
			t.Errorf("hold %d ns: %.2f served a second, want %.0f", tt.hold, got, tt.want)
		}
	}
	b := must(t, Config{Rate: 100, Limit: 50, Capped: true, Full: true})
	ticket := b.Grab(51)
	for now := int64(0); now < 100*s; now += 100 * ms {
		b.Replenish(now)
	}
	if d := b.Deficiency(ticket); d != 1 {
		t.Errorf("claim of 51 with limit 50: %d missing, want 1 for ever", d)
	}
}

// With capped release a rejection needs a release in addition to its refund: head
// moved past ceil for tokens that no completion will release.
func TestCappedRefusalNeedsARelease(t *testing.T) {
	admitted := func(release bool) (n int) {
		b := must(t, Config{Rate: 100, Limit: 50, Capped: true, Full: true})
		for now := int64(0); now < 60*s; now += 5 * ms { // twice the rate, no hold time
			b.Replenish(now)
			if b.Deficiency(b.Grab(1)) == 0 {
				n++
				b.Release(1)
				continue
			}
			b.Refund(1)
			if release {
				b.Release(1)
			}
		}
		return n
	}
	if got := admitted(false); got > 200 {
		t.Errorf("refund alone: %d admitted in a minute, want the bucket to dry up", got)
	}
	if got := admitted(true); got != 6049 {
		t.Errorf("refund and release: %d admitted in a minute, want 6049", got)
	}
}
