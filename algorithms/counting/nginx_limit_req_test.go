package counting

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestNginxLimitReq pins call sequences to what nginx's code computes: 1r/m is 16
// thousandths a second, one request in 62.5 s.
func TestNginxLimitReq(t *testing.T) {
	const ms, s = int64(1e6), int64(1e9)
	perMinute := func(n int64) Limit { return Limit{Count: n, Window: 60 * s} }
	perSecond := func(n int64) Limit { return Limit{Count: n, Window: s} }
	play(t, []script{
		{"1r/m is one request in 62.5 s", "nginx-limit-req", perMinute(1), options("burst", int64(0)), []step{
			{0, 1, true, 0}, {60 * s, 1, false, 0}, {62*s + 499*ms, 1, false, 0}, {62*s + 500*ms, 1, true, 62*s + 500*ms}, {122*s + 500*ms, 1, false, 0}, {125 * s, 1, true, 125 * s}}},
		{"100r/m is 1.666 a second", "nginx-limit-req", perMinute(100), options("burst", int64(0)), []step{
			{0, 1, true, 0}, {600 * ms, 1, false, 0}, {600*ms + 999_999, 1, false, 0}, {601 * ms, 1, true, 601 * ms}}},
		{"a millisecond's drain is rounded down at each admission", "nginx-limit-req", perMinute(1), options("burst", int64(3), "nodelay", true), []step{
			// 62 ms drain 0.992 thousandths, which is nothing, and the clock goes on.
			{0, 1, true, 0}, {62 * ms, 1, true, 62 * ms}, {124 * ms, 1, true, 124 * ms}, {186 * ms, 1, true, 186 * ms}, {248 * ms, 1, false, 0},
			// 1000 thousandths later than the last admission, not than the first.
			{62*s + 500*ms, 1, false, 0}, {62*s + 686*ms - 1, 1, false, 0}, {62*s + 686*ms, 1, true, 62*s + 686*ms}}},
		{"a rejection does not move the clock", "nginx-limit-req", perSecond(10), options("burst", int64(0)), []step{
			{0, 1, true, 0}, {50 * ms, 1, false, 0}, {99*ms + 999_999, 1, false, 0}, {100 * ms, 1, true, 100 * ms}}},
		{"delays are whole milliseconds from the millisecond of the request", "nginx-limit-req", perSecond(3), options("burst", int64(2)), []step{
			{900_000, 1, true, 900_000}, {900_000, 1, true, 333 * ms}, {ms + 1, 1, true, 666 * ms}, {ms + 2, 1, false, 0}}},
		{"delay: the first excess goes at once, so the bucket holds delay + 1", "nginx-limit-req", perSecond(10), options("burst", int64(4), "delay", int64(2)), []step{
			{0, 1, true, 0}, {0, 1, true, 0}, {0, 1, true, 0}, {0, 1, true, 100 * ms}, {0, 1, true, 200 * ms}, {0, 1, false, 0}, {0, 0, true, 300 * ms}}},
		{"a key that has been idle has no excess", "nginx-limit-req", perSecond(10), options("burst", int64(1), "nodelay", true), []step{
			{0, 1, true, 0}, {50 * ms, 1, true, 50 * ms}, {100 * ms, 1, true, 100 * ms}, {100 * ms, 1, false, 0}, {900 * ms, 1, true, 900 * ms}, {900 * ms, 1, true, 900 * ms}, {900 * ms, 1, false, 0}}},
		{"costs", "nginx-limit-req", perSecond(10), options("burst", int64(3)), []step{
			{0, 5, false, 0}, {0, 4, true, 0}, {0, 1, false, 0}, {200 * ms, 2, true, 400 * ms}, {300 * ms, 2, false, 0}, {400 * ms, 2, true, 600 * ms}}},
		{"a clock that is set back stands still", "nginx-limit-req", perSecond(10), options("burst", int64(0)), []step{
			{59 * s, 1, true, 59 * s}, {0, 1, false, 0}, {59*s + 99*ms, 1, false, 0}, {59*s + 100*ms, 1, true, 59*s + 100*ms}}},
		{"a clock that is set back by more than a minute is taken as it is", "nginx-limit-req", perSecond(1000), options("burst", int64(1), "nodelay", true), []step{
			{70 * s, 1, true, 70 * s}, {70 * s, 1, true, 70 * s}, {0, 1, true, 0}, {0, 1, false, 0}, {ms, 1, true, ms}}},
	})
}

// nginxModel is ngx_http_limit_req_lookup and _account for one zone, in C's types
// on a machine of 64 bits.
type nginxModel struct {
	rate, burst, delay uint64
	seen               bool
	excess, last       uint64
}

func (m *nginxModel) take(nowNS int64) (admitted bool, delay int64) {
	now := uint64(nowNS / 1e6)
	excess := int64(0)
	if !m.seen {
		m.seen, m.excess, m.last = true, 0, now
	} else {
		ms := int64(now - m.last)
		if ms < -60000 {
			ms = 1
		} else if ms < 0 {
			ms = 0
		}
		excess = int64(m.excess - m.rate*uint64(ms)/1000 + 1000)
		if excess < 0 {
			excess = 0
		}
		if uint64(excess) > m.burst {
			return false, 0
		}
		m.excess = uint64(excess)
		if ms != 0 {
			m.last = now
		}
	}
	if uint64(excess) <= m.delay {
		return true, 0
	}
	return true, int64((uint64(excess) - m.delay) * 1000 / m.rate)
}

// TestNginxLimitReqEqualsC compares random calls with C's arithmetic, at the rates
// that nginx can be configured with. A cost is that many calls in one millisecond.
func TestNginxLimitReqEqualsC(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate, scale := rapid.OneOf(rapid.Int64Range(1, 70), rapid.Int64Range(1, 1_000_000)).Draw(t, "rate"), rapid.SampledFrom([]int64{1, 60}).Draw(t, "scale")
		limit := Limit{Count: rate, Window: scale * 1e9}
		o := LeakyBucketOptions{Burst: rapid.Int64Range(0, 8).Draw(t, "burst"), Delay: rapid.Int64Range(0, 9).Draw(t, "delay"), NoDelay: rapid.IntRange(0, 3).Draw(t, "nodelay") == 0}
		model := &nginxModel{rate: uint64(rate * 1000 / scale), burst: uint64(o.Burst * 1000), delay: uint64(o.Delay * 1000)}
		if o.NoDelay {
			model.delay = (1<<63 - 1) / 1000 * 1000
		}
		table := NewNginxLimitReqs(limit, o, 2)
		token := int64(1e9)*scale/rate + 1
		gap := rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(0, 2e6), rapid.Int64Range(0, 3*token), rapid.Int64Range(token-1e6, token+1e6), rapid.SampledFrom([]int64{1e12, 59_999e6, 60_001e6}))
		now, before := int64(0), int64(0)
		for i := range rapid.IntRange(1, 60).Draw(t, "requests") {
			now += gap.Draw(t, "gap")
			if rapid.IntRange(0, 19).Draw(t, "back") == 0 {
				now = max(now-gap.Draw(t, "by"), 0)
			}
			cost := rapid.SampledFrom([]int64{1, 1, 1, 2, 5}).Draw(t, "cost")
			level, retry := table.Level(1, now), table.RetryAt(1, now, cost)
			v, dispatch := table.Take(1, now, cost)
			after := *model
			want, wait := after.take(now)
			for range cost - 1 {
				more, _ := after.take(now)
				want = want && more
			}
			if v.Admitted() != want || want && (wait == 0 && dispatch != now || wait > 0 && dispatch != (now/1e6+wait)*1e6) {
				t.Fatalf("%v %+v: request %d, cost %d at %d: %v at %d; C says %v after %d ms; state %v", limit, o, i, cost, now, v.Admitted(), dispatch, want, wait, table.State(1))
			}
			if want != (cost <= level) || want != (retry == now) {
				t.Fatalf("%v %+v: request %d, cost %d at %d: admitted %v at a level of %d, retry at %d", limit, o, i, cost, now, want, level, retry)
			}
			if want {
				*model = after
				if now >= before && dispatch < now {
					t.Fatalf("request %d at %d is dispatched at %d", i, now, dispatch)
				}
			} else if backwards := now < before; !backwards && retry < Never {
				early, late := *table, *table
				early.state, late.state = []nginxState{{}, table.state[1]}, []nginxState{{}, table.state[1]}
				if v, _ := early.Take(1, retry-1, cost); v.Admitted() {
					t.Fatalf("request %d is admitted before %d", i, retry)
				}
				if v, _ := late.Take(1, retry, cost); !v.Admitted() {
					t.Fatalf("request %d is rejected at %d", i, retry)
				}
			}
			before = now
		}
	})
}

// TestNginxLimitReqReload checks that what drains after a change drains at the new
// rate, from the latest admission on.
func TestNginxLimitReqReload(t *testing.T) {
	q, err := NewChangingQueue("nginx-limit-req", Limit{Count: 1, Window: 60e9}, []Change{{At: 10e9, Limit: Limit{Count: 1, Window: 1e9, Burst: 1}}}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, st := range []step{{0, 1, true, 0}, {9e9, 1, false, 0}, {10e9, 1, true, 10e9}, {10e9, 1, true, 11e9}, {10e9, 1, false, 0}} {
		v, at := q.Take(0, st.now, st.cost)
		if v.Admitted() != st.want || st.want && at != st.dispatch {
			t.Errorf("step %d: %v at %d, want %+v", i, v.Admitted(), at, st)
		}
	}
}

func TestNginxLimitReqRefuses(t *testing.T) {
	for _, c := range []struct {
		limit Limit
		want  string
	}{
		{Limit{Count: 3, Window: 3600e9 + 1}, "3 per 3600.000000001s is less than one"},
		{Limit{Count: 1 << 59, Window: 1}, "more than nginx can count"},
		{Limit{Count: 1, Window: 1e9, Burst: 1 << 55}, "outside 0 to"},
	} {
		if _, err := NewQueue("nginx-limit-req", c.limit, nil, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.limit, err, c.want)
		}
	}
	if _, err := NewQueue("nginx-limit-req", Limit{Count: 4, Window: 3600e9}, nil, 1); err != nil {
		t.Errorf("4 an hour is one thousandth a second: %v", err)
	}
}
