package counting

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/integers"
)

func TestHAProxyRate(t *testing.T) {
	const ms, s = int64(1e6), int64(1e9)
	ten := Limit{Count: 3, Window: 10 * ms}
	var evenly []step
	for i := range int64(60_000) {
		evenly = append(evenly, step{i * 100 * ms, 1, i < 10, 0})
	}
	play(t, []script{
		{"a key that goes on asking stays refused: 10 of 60,000 pass", "haproxy-rate", Limit{Count: 10, Window: 10 * s}, options(), evenly},
		{"periods begin at a request, at an even ms", "haproxy-rate", ten, options(), []step{
			{7 * ms, 3, true, 0}, {15 * ms, 1, false, 0}, {17 * ms, 1, false, 0}, {26 * ms, 2, true, 0}}},
		{"what is left of the previous period is rounded down", "haproxy-rate", ten, options(), []step{
			{0, 3, true, 0}, {10 * ms, 1, false, 0}, {13*ms - 1, 0, true, 0}, {14 * ms, 1, true, 0}, {17 * ms, 1, true, 0}, {19 * ms, 1, false, 0}}},
		{"a period without a request", "haproxy-rate", ten, options(), []step{
			{0, 3, true, 0}, {20 * ms, 3, true, 0}, {25 * ms, 1, false, 0}, {41*ms + 1, 2, true, 0}, {49 * ms, 1, true, 0}, {50 * ms, 1, false, 0}}},
		{"a key is forgotten", "haproxy-rate", ten, options("forget_after", 4*ms), []step{
			{0, 3, true, 0}, {3*ms + 1, 1, false, 0}, {7*ms - 1, 1, false, 0}, {10 * ms, 3, true, 0}, {10 * ms, 1, false, 0}}},
		{"a late clock stands still", "haproxy-rate", ten, options(), []step{
			{8 * ms, 3, true, 0}, {2 * ms, 1, false, 0}, {38 * ms, 1, true, 0}}},
	})
}

// TestHAProxyRateReads checks what a rule reads that does not count.
func TestHAProxyRateReads(t *testing.T) {
	table := NewHAProxyRates(Limit{Count: 5, Window: 1e9}, HAProxyRateOptions{}, 2)
	table.Take(0, 0, 1)
	table.Take(1, 0, 4)
	for _, c := range []struct {
		key       int32
		now, want int64
	}{{0, 0, 1}, {0, 999e6, 1}, {0, 1999e6, 1}, {0, 2000e6, 1}, {0, 2001e6, 0}, {1, 1250e6, 3}, {1, 1251e6, 2}, {1, 1999e6, 0}} {
		if got := table.Rate(c.key, c.now); got != c.want {
			t.Errorf("the rate of key %d at %d is %d, want %d", c.key, c.now, got, c.want)
		}
	}
	for _, limit := range []Limit{{Count: 1, Window: 1e6 + 1}, {Count: 1, Window: 1 << 31 * 1e6}, {Count: 0, Window: 1e9}} {
		if (HAProxyRateOptions{}).Check(limit) == nil {
			t.Errorf("%+v is accepted", limit)
		}
	}
}

// TestHAProxyRateIsNotTheSlidingCounter counts the decisions in which they differ.
func TestHAProxyRateIsNotTheSlidingCounter(t *testing.T) {
	limit := Limit{Count: 20, Window: 1e9}
	a, b := NewHAProxyRates(limit, HAProxyRateOptions{}, 1), NewSlidingCounters(limit, WindowOptions{CountRejected: true}, 1)
	draw, now, differ := rand.New(rand.NewPCG(1, 1)), int64(0), 0
	for range 1000 {
		now += draw.Int64N(100e6)
		if a.Take(0, now, 1) != b.Take(0, now, 1) {
			differ++
		}
	}
	if differ < 50 {
		t.Errorf("only %d decisions of 1000 differ", differ)
	}
}

func init() {
	referenceModels["haproxy-rate"] = func(v variant, limit Limit) referenceModel {
		return &haproxyModel{limit: limit, forget: (v.options.Duration("forget_after") + 1e6 - 1) / 1e6}
	}
}

// haproxyModel is update_freq_ctr_period_slow and freq_ctr_total of HAProxy 2.6, without
// threads, and with counts that stop at the largest int64.
type haproxyModel struct {
	limit        Limit
	forget, last int64 // ms, ns
	entry        bool
	tick         int64
	curr, prev   int64
}

// now moves the clock, which drops an entry, and returns it in ms.
func (m *haproxyModel) now(ns int64) (ms, period int64) {
	before := m.last / 1e6
	m.last = max(m.last, ns)
	if ms = m.last / 1e6; m.forget > 0 && ms-before >= m.forget {
		m.entry = false
	}
	return ms, m.limit.Window / 1e6
}

// update counts requests.
func (m *haproxyModel) update(ns, inc int64) {
	now, period := m.now(ns)
	if !m.entry || m.curr == 0 && m.prev == 0 {
		m.entry, m.tick, m.curr, m.prev = true, now&^1, inc, 0
		return
	}
	if now-m.tick < period {
		m.curr = integers.Add(m.curr, inc)
		return
	}
	m.prev, m.curr = m.curr, inc
	if m.tick += period; now-m.tick >= period {
		m.prev, m.tick = 0, now
	}
	m.tick &^= 1
}

// rate reads what was counted.
func (m *haproxyModel) rate(ns int64) int64 {
	now, period := m.now(ns)
	if !m.entry {
		return 0
	}
	remain, curr, past := m.tick+period-now, m.curr, m.prev
	if remain < 0 {
		if remain += period; remain >= 0 {
			past = curr
		} else {
			past = 0
		}
		curr = 0
	}
	total := rat(past)
	total.Mul(total, rat(remain)).Add(total, rat(0).Mul(rat(curr), rat(period))).Quo(total, rat(period))
	if total.Cmp(rat(Never)) > 0 {
		return Never
	}
	return floor(total)
}

func (m *haproxyModel) take(now, cost int64) bool {
	if cost == 0 {
		return true
	}
	m.update(now, cost)
	return m.rate(now) <= m.limit.Count
}

func (m *haproxyModel) correct(now, taken, tokens int64, debt bool) {
	m.update(now, 0)
	switch t := taken / 1e6; {
	case tokens >= 0:
		m.update(now, cut(tokens, m.limit.Count-m.rate(now), debt))
	case t >= m.tick:
		m.curr = max(m.curr+tokens, 0)
	case t >= m.tick-m.limit.Window/1e6:
		m.prev = max(m.prev+tokens, 0)
	}
}

func (m *haproxyModel) change(_ int64, limit Limit) { m.limit = limit }

// TestHAProxyRateEqualsC compares random calls near the edges of short periods, odd ones
// too, with C's arithmetic.
func TestHAProxyRateEqualsC(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		period := rapid.Int64Range(1, 40).Draw(t, "period")
		limit := Limit{Count: rapid.Int64Range(1, 12).Draw(t, "count"), Window: period * 1e6}
		o := HAProxyRateOptions{ForgetAfter: rapid.SampledFrom([]int64{0, 0, 1, 7, period, 2 * period}).Draw(t, "forget") * 1e6}
		table, model := NewHAProxyRates(limit, o, 1), &haproxyModel{limit: limit, forget: o.ForgetAfter / 1e6}
		gap := rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(0, 3e6), rapid.Int64Range(0, 3*limit.Window), rapid.Int64Range(limit.Window-2e6, limit.Window+2e6))
		now := rapid.Int64Range(0, 1e9).Draw(t, "origin")
		for i := range rapid.IntRange(1, 60).Draw(t, "requests") {
			now += max(gap.Draw(t, "gap"), 0)
			cost := rapid.Int64Range(1, 3).Draw(t, "cost")
			retry := table.RetryAt(0, now, cost)
			for _, at := range []int64{retry - 1, retry} {
				if again := *table; at >= now && at < Never {
					again.state = []haproxyState{table.state[0]}
					if got := again.Take(0, at, cost).Admitted(); got != (at == retry) {
						t.Fatalf("%+v %+v: request %d at %d may be tried again at %d, and at %d admitted is %v; state %v", limit, o, i, now, retry, at, got, table.State(0))
					}
				}
			}
			if got, want := table.Take(0, now, cost).Admitted(), model.take(now, cost); got != want {
				t.Fatalf("%+v %+v: request %d, cost %d at %d: %v, C says %v; state %v", limit, o, i, cost, now, got, want, table.State(0))
			}
			later := now + rapid.Int64Range(0, 3).Draw(t, "later")*limit.Window/2
			read := *model
			want := read.rate(later)
			if read.entry && later/1e6-read.tick >= period && later/1e6-read.tick <= 2*period && read.curr == 1 {
				want = 1 // the flapping correction
			}
			if got := table.Rate(0, later); got != want {
				t.Fatalf("%+v %+v: after request %d the rate at %d is %d, C says %d; state %v", limit, o, i, later, got, want, table.State(0))
			}
		}
	})
}
