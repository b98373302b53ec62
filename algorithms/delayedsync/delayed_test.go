package delayedsync

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

const ms = int64(1e6)

func apisix() *Config {
	return &Config{Limit: counting.Limit{Count: 10, Window: 1000 * ms}, Interval: 200 * ms, Sliding: true, Lifetime: 2000 * ms, Resolution: 10 * ms}
}

func kong() *Config {
	return &Config{Limit: counting.Limit{Count: 10, Window: 1000 * ms}, Interval: 200 * ms, Pull: Counts, Sliding: true}
}

// The store's answers step by step: 8 in the first window weigh 8*3/4 a quarter into
// the second one.
func TestCommitSteps(t *testing.T) {
	type step struct{ at, delta, remaining, reset int64 }
	for name, x := range map[string]struct {
		commit  Commit
		sliding bool
		steps   []step
	}{
		"weighted": {Weighted, true, []step{
			{0, 3, 7, 1000 * ms},
			{995 * ms, 5, 2, 10 * ms},
			{1250 * ms, 0, 4, 750 * ms},
			{1251 * ms, 1, 3, 750 * ms},  // 8*0.749 = 5.992 counts as 6
			{1900 * ms, 9, -1, 100 * ms}, // 10 + 0.8: below zero
			{2000 * ms, 0, 0, 1000 * ms}, // 10 of the window before
			{4000 * ms, 1, 9, 1000 * ms},
		}},
		"the window before counts no more than the limit": {Weighted, true, []step{
			{0, 100, -90, 1000 * ms},
			{1500 * ms, 0, 5, 500 * ms},
		}},
		"unweighted": {Unweighted, true, []step{
			{0, 3, 7, 1000 * ms}, {999 * ms, 5, 2, 10 * ms}, {1000 * ms, 0, 10, 1000 * ms}, {1500 * ms, 11, -1, 500 * ms},
		}},
		"fixed window": {Weighted, false, []step{
			{0, 8, 2, 1000 * ms}, {1000 * ms, 0, 10, 1000 * ms},
		}},
		"checked": {Checked, true, []step{
			{0, 8, 2, 1000 * ms},
			{100 * ms, 4, -2, 900 * ms},
			{200 * ms, 5, 0, 800 * ms},   // at the limit: dropped
			{1000 * ms, 1, 0, 0},         // 10 weighed fully, dropped; open again at once
			{1100 * ms, 1, 0, 900 * ms},  // 9 + 1
			{1150 * ms, 1, -1, 850 * ms}, // 8.5+1 < 10: taken; 10-2-8.5 rounded down is -1
		}},
	} {
		c := apisix()
		c.Commit, c.Sliding = x.commit, x.sliding
		s := NewStore(c)
		for i, st := range x.steps {
			row := s.Commit(st.at, 1, st.delta)
			if row.Remaining != st.remaining || row.Reset != st.reset {
				t.Errorf("%s, step %d: %d at %d: remaining %d for %d, want %d for %d", name, i, st.delta, st.at, row.Remaining, row.Reset, st.remaining, st.reset)
			}
		}
	}
}

// fleet delivers the messages of a few nodes without delay.
type fleet struct {
	c     *Config
	store *Store
	nodes []*Quota
	due   []int64 // of each node's next sync; 0 is none
}

func newFleet(c *Config, n int) *fleet {
	f := &fleet{c: c, store: NewStore(c), due: make([]int64, n)}
	for i := range n {
		f.nodes = append(f.nodes, NewQuota(c, int32(i), func(now int64, key int32, delta int64) (AnswerRow, bool) {
			return f.store.Commit(now, key, delta), true
		}))
	}
	return f
}

// sync runs the syncs up to now in time order.
func (f *fleet) sync(now int64) {
	for {
		next := -1
		for i, at := range f.due {
			if at > 0 && at <= now && (next < 0 || at < f.due[next]) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		var flush Flush
		var answer Answer
		at, n := f.due[next], f.nodes[next]
		f.due[next] = 0
		n.Flush(at, &flush)
		f.store.Answer(&flush, &answer)
		n.Apply(at, &flush, &answer)
	}
}

func (f *fleet) decide(now int64, node int, cost int64) bool {
	f.sync(now)
	v := f.nodes[node].Decide(now, 1, cost)
	if f.due[node] == 0 && f.nodes[node].Waiting() {
		f.due[node] = now + f.c.Interval
	}
	return v.Admitted()
}

// Two nodes spend the same ten requests until they sync; then both know all twenty.
func TestTwoQuotas(t *testing.T) {
	f := newFleet(apisix(), 2)
	admitted := 0
	for at := ms; at < 1000*ms; at += ms {
		if f.decide(at, int(at/ms)%2, 1) {
			admitted++
		}
	}
	if admitted != 20 {
		t.Errorf("two nodes let %d through in a window of ten, want 20", admitted)
	}
	// A remainder's time is rounded up, so both still reject for 10 ms. After that,
	// the previous window weighs at most a full ten.
	if f.decide(1001*ms, 0, 1) || f.decide(1050*ms, 0, 1) {
		t.Error("a request is let through while the last window still counts for ten")
	}
	if !f.decide(1300*ms, 0, 1) {
		t.Error("nothing is let through although the estimate is at seven")
	}
}

// The counts of a flush arrive once, even if the window ends while the flush is in
// flight.
func TestFlushInFlightAtTheWindowsEnd(t *testing.T) {
	c := apisix()
	s := NewStore(c)
	n := NewQuota(c, 0, func(now int64, key int32, delta int64) (AnswerRow, bool) { return s.Commit(now, key, delta), true })
	for at := int64(1); at <= 4; at++ {
		n.Decide(at, 1, 1)
	}
	var f Flush
	var a Answer
	n.Flush(990*ms, &f)
	n.Decide(1010*ms, 1, 1)
	s.Answer(&f, &a)
	n.Apply(1020*ms, &f, &a)
	w := s.keys.Peek(1)
	if w.previous != 4 || w.current != 0 {
		t.Errorf("the store counts %d and then %d, want 4 and 0", w.previous, w.current)
	}
	if k := n.keys.Peek(1); k.delta != 1 {
		t.Errorf("the node has %d to bring, want 1", k.delta)
	}
}

// Counts that are not synced are dropped after two windows, or kept.
func TestLifetimeOfCounts(t *testing.T) {
	for _, x := range []struct{ lifetime, want int64 }{{2000 * ms, 1}, {0, 3}} {
		c := apisix()
		c.Lifetime = x.lifetime
		down := NewQuota(c, 0, func(int64, int32, int64) (AnswerRow, bool) {
			return AnswerRow{Key: 1, Remaining: 100, Reset: 1e15}, true
		})
		for _, at := range []int64{0, 1500 * ms, 2000 * ms} {
			down.Decide(at, 1, 1)
		}
		var f Flush
		down.Flush(2001*ms, &f)
		if len(f.Rows) != 1 || f.Rows[0].Delta != x.want {
			t.Errorf("lifetime %d: the flush holds %v, want %d", x.lifetime, f.Rows, x.want)
		}
	}
}

// Without the store a node grants the limit by itself.
func TestQuotaAlone(t *testing.T) {
	c := apisix()
	n := NewQuota(c, 0, func(int64, int32, int64) (AnswerRow, bool) { return AnswerRow{}, false })
	admitted := 0
	for at := int64(0); at < 900*ms; at += 10 * ms {
		if n.Decide(at, 1, 1).Admitted() {
			admitted++
		}
	}
	if admitted != 10 {
		t.Errorf("a node without a store let %d through, want 10", admitted)
	}
}

// A Tally node that syncs at every request is the sliding window counter, and two
// such nodes share it.
func TestTalliesThatAlwaysSyncAreOneCounter(t *testing.T) {
	for _, rejected := range []bool{false, true} {
		random := rand.New(rand.NewPCG(1, 2))
		c := kong()
		c.CountRejected = rejected
		s := NewStore(c)
		nodes := []*Tally{NewTally(c, 0), NewTally(c, 1)}
		model := counting.NewSlidingCounters(c.Limit, counting.WindowOptions{CountRejected: rejected}, 1)
		var f Flush
		var a Answer
		for now, i := int64(0), 0; i < 5000; i++ {
			now += random.Int64N(200 * ms)
			for _, n := range nodes {
				n.Flush(now, &f)
				s.Answer(&f, &a)
				n.Apply(now, &f, &a)
			}
			n := nodes[random.IntN(2)]
			want := model.Level(0, now)
			if got, _ := n.Level(now, 1); got != want {
				t.Fatalf("request %d at %d: level %d, want %d", i, now, got, want)
			}
			cost := random.Int64N(4)
			// The other node may have counted at the same time; the node that
			// decides syncs first.
			if got, want := n.Decide(now, 1, cost), model.Take(0, now, cost); got != want {
				t.Fatalf("request %d at %d, cost %d: %v, want %v", i, now, cost, got, want)
			}
			n.Flush(now, &f)
			s.Answer(&f, &a)
			n.Apply(now, &f, &a)
		}
	}
}

// Counts of a window that has ended are sent in the next window, once.
func TestTallyBringsTheWindowBefore(t *testing.T) {
	c := kong()
	s := NewStore(c)
	n := NewTally(c, 0)
	n.Decide(900*ms, 1, 6)
	n.Decide(1100*ms, 1, 1)
	var f Flush
	var a Answer
	n.Flush(1500*ms, &f)
	if len(f.Rows) != 1 || f.Rows[0] != (FlushRow{Key: 1, Delta: 1, Earlier: 6}) {
		t.Fatalf("the flush holds %v", f.Rows)
	}
	s.Answer(&f, &a)
	n.Apply(1500*ms, &f, &a)
	if got, _ := n.Level(1500*ms, 1); got != 10-1-3 {
		t.Errorf("half of 6 and 1 leave %d of 10, want 6", got)
	}
}

// Counts arrive at the store once each, whenever syncs start, end and fail.
func TestTalliesBringEverythingOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	c := kong()
	c.Limit.Window = 1 << 60
	c.Limit.Count = 1 << 40
	s := NewStore(c)
	n := NewTally(c, 0)
	total := int64(0)
	var a Answer
	for now := int64(0); now < 3000; now++ {
		total += 3
		n.Decide(now, 1, 3)
		if random.IntN(3) == 0 {
			var f Flush
			n.Flush(now, &f)
			if random.IntN(2) == 0 {
				n.Fail(0, &f)
				continue
			}
			s.Answer(&f, &a)
			total += 2
			n.Decide(now, 1, 2) // while the answer is on its way
			n.Apply(now, &f, &a)
		}
	}
	var f Flush
	n.Flush(3000, &f)
	s.Answer(&f, &a)
	if got := s.keys.Peek(1).current; got != total {
		t.Errorf("the store counts %d, want %d", got, total)
	}
	n.Apply(3000, &f, &a)
	if got, _ := n.Level(3000, 1); got != c.Limit.Count-total {
		t.Errorf("level %d, want %d", got, c.Limit.Count-total)
	}
}

// The weighted count is the exact fraction, rounded up.
func TestWeighed(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		c := &Config{Limit: counting.Limit{Count: 1, Window: 1 + random.Int64N(1<<random.IntN(60))}}
		previous, rest := random.Int64N(1<<random.IntN(60)), random.Int64N(c.Limit.Window+1)
		want := new(big.Int).Mul(big.NewInt(previous), big.NewInt(rest))
		want.Add(want, big.NewInt(c.Limit.Window-1)).Quo(want, big.NewInt(c.Limit.Window))
		if got := c.weighted(previous, rest); got != want.Int64() {
			t.Fatalf("%d*%d/%d: %d, want %v", previous, rest, c.Limit.Window, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"interval":         func(c *Config) { c.Interval = 0 },
		"reset_resolution": func(c *Config) { c.Resolution = 0 },
		"count_rejected":   func(c *Config) { c.CountRejected = true },
		"limit of 0":       func(c *Config) { c.Limit.Count = 0 },
	} {
		c := apisix()
		change(c)
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}
