package broadcast

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/routing"
)

const ms = int64(1e6)

// window is Gubernator's TOKEN_BUCKET: 10 per second, as released.
func window() *Config {
	return &Config{Limit: counting.Limit{Count: 10, Window: 1000 * ms}, Peers: 3, Interval: 100 * ms, BatchLimit: 1000,
		Resolution: ms, ForwardRefused: true, Drain: true, FreshFull: true, BurstLost: true}
}

// bucket is its LEAKY_BUCKET: one token per 100 ms.
func bucket(burst int64) *Config {
	c := window()
	c.Leaky, c.Limit.Burst = true, burst
	return c
}

// world holds the peers of one limiter, and the numbers of key 1's owner and of two
// other peers.
type world struct {
	peers         []*Peer
	owner, one, b int
}

func peers(c *Config) *world {
	w := &world{owner: int(routing.Owner(1, c.Peers))}
	for i := range c.Peers {
		w.peers = append(w.peers, NewPeer(c, int32(i)))
	}
	w.one, w.b = (w.owner+1)%c.Peers, (w.owner+2)%c.Peers
	return w
}

func (w *world) ask(peer int, now, cost int64) bool {
	return w.peers[peer].Decide(now, 1, cost).Admitted()
}

// forward delivers a peer's hits to the owner and returns them.
func (w *world) forward(peer int, now int64) (rows []HitsRow) {
	var h Hits
	sent := 0
	w.peers[peer].Forward(func(owner int32) *Hits {
		if int(owner) != w.owner {
			panic("hits of key 1 go to another peer")
		}
		sent++
		return &h
	})
	if sent > 0 {
		w.peers[w.owner].Count(now, &h)
	}
	return h.Rows
}

// tell delivers the owner's update to the other peers and returns its row.
func (w *world) tell(now int64) UpdateRow {
	var u Update
	w.peers[w.owner].Broadcast(now, &u)
	if w.peers[w.owner].Changed() > 0 {
		panic("a key has changed after the update that tells of it")
	}
	w.peers[w.one].Apply(now, &u)
	w.peers[w.b].Apply(now, &u)
	if len(u.Rows) == 0 {
		return UpdateRow{}
	}
	return u.Rows[0]
}

// A peer without a copy grants a full window. Its hits reach the owner, and the
// owner's remainder reaches all peers, with the end of the owner's window, which
// began with the first hit at the peer.
func TestCopiesFollowTheOwner(t *testing.T) {
	w := peers(window())
	for i := range int64(4) {
		if !w.ask(w.one, (50+i)*ms, 1) {
			t.Fatal("a peer without a copy refuses")
		}
	}
	if rows := w.forward(w.one, 150*ms); len(rows) != 1 || rows[0] != (HitsRow{Key: 1, Cost: 4, Since: 50 * ms}) {
		t.Fatalf("forwarded %v", rows)
	}
	if got, want := w.tell(250*ms), (UpdateRow{Key: 1, Remaining: 6, Reset: 1050 * ms}); got != want {
		t.Fatalf("told %v, want %v", got, want)
	}
	if !w.ask(w.b, 300*ms, 6) || w.ask(w.b, 301*ms, 1) {
		t.Error("a copy of 6 does not grant just 6")
	}
	if w.ask(w.b, 1050*ms, 1) || !w.ask(w.b, 1051*ms, 10) {
		t.Error("a copy expires only after the instant that the owner named")
	}
	if rows := w.forward(w.one, 400*ms); len(rows) != 0 || w.peers[w.one].Queued() != 0 {
		t.Errorf("hits are forwarded twice: %v", rows)
	}
}

// Requests that an owner grants itself are broadcast, but not forwarded.
func TestOwnerTellsItsOwnHits(t *testing.T) {
	w := peers(window())
	w.ask(w.owner, 0, 3)
	if p := w.peers[w.owner]; p.Queued() != 0 || p.Changed() != 1 {
		t.Errorf("queued %d, changed %d", p.Queued(), p.Changed())
	}
	if got := w.tell(100 * ms); got.Remaining != 7 {
		t.Errorf("told %v", got)
	}
}

// Hits above the remainder drain the owner or, as an option, change nothing. As the
// first hits of a window they leave it full, so that every peer continues to admit.
func TestTooManyHits(t *testing.T) {
	for name, x := range map[string]struct {
		change      func(*Config)
		first, then int64
		want        int64
	}{
		"drain":                     {func(*Config) {}, 3, 8, 0},
		"refuse":                    {func(c *Config) { c.Drain = false }, 3, 8, 7},
		"a fresh window stays full": {func(*Config) {}, 0, 11, 10},
		"or is drained":             {func(c *Config) { c.FreshFull = false }, 0, 11, 0},
		"just the limit":            {func(*Config) {}, 0, 10, 0},
	} {
		c := window()
		x.change(c)
		w := peers(c)
		if x.first > 0 {
			w.ask(w.owner, 0, x.first)
		}
		for range x.then {
			w.ask(w.one, 10*ms, 1)
		}
		w.forward(w.one, 110*ms)
		if got := w.tell(200 * ms); got.Remaining != x.want {
			t.Errorf("%s: %d left, want %d", name, got.Remaining, x.want)
		}
	}
	c := window()
	c.ForwardRefused = false
	w := peers(c)
	for range 15 {
		w.ask(w.one, 0, 1)
	}
	if rows := w.forward(w.one, 100*ms); rows[0].Cost != 10 {
		t.Errorf("forwarded %v, want the 10 that were let through", rows)
	}
}

func TestCalendarWindows(t *testing.T) {
	c := window()
	c.Calendar = true
	w := peers(c)
	w.ask(w.owner, 900*ms, 10)
	if w.ask(w.owner, 999*ms, 1) || !w.ask(w.owner, 1000*ms, 10) {
		t.Error("the window does not end with the second")
	}
}

// A bucket refills only when a whole token has been earned, and the request that
// takes its last whole token also takes the fraction of the next one.
func TestBucketQuirks(t *testing.T) {
	w := peers(bucket(10))
	w.ask(w.owner, 0, 10)
	for i, st := range []struct {
		at, cost int64
		want     bool
	}{
		{99 * ms, 1, false}, // 0.99 tokens are not earned yet
		{190 * ms, 1, true}, // 1.9: takes 1, loses 0.9
		{280 * ms, 1, false},
		{290 * ms, 1, true},
		{540 * ms, 1, true}, // 2.5: leaves 1.5
		{590 * ms, 1, true}, // and 1.5 leave 0
		{639 * ms, 1, false},
		{640 * ms, 1, true},     // counted from 540
		{1600 * ms, 10, false},  // 9.6
		{1600 * ms, 9, true},    // takes all
		{1600*ms + 1, 1, false}, // the clock shows 1600 ms
		{2601 * ms, 10, true},   // expired a window after the last request
	} {
		if got := w.ask(w.owner, st.at, st.cost); got != st.want {
			t.Errorf("step %d: %d at %d: %v, want %v", i, st.cost, st.at, got, st.want)
		}
	}
}

// An update contains whole tokens, and an expiry computed from whole milliseconds
// per request: above 1000 per second the copy expires at once and starts full again.
func TestBucketUpdates(t *testing.T) {
	w := peers(bucket(10))
	w.ask(w.owner, 0, 7)
	if got, want := w.tell(100*ms), (UpdateRow{Key: 1, Remaining: 3, Reset: 700 * ms}); got != want {
		t.Errorf("told %v, want %v", got, want)
	}
	if w.ask(w.one, 110*ms, 4) || !w.ask(w.one, 110*ms, 3) {
		t.Error("the copy does not hold 3")
	}
	fast := bucket(1500)
	fast.Limit.Count = 1500
	w = peers(fast)
	w.ask(w.owner, 0, 1500)
	if got := w.tell(100 * ms); got.Remaining != 0 || got.Reset != 0 {
		t.Errorf("told %v, want an expiry at once", got)
	}
	if !w.ask(w.one, 101*ms, 1500) {
		t.Error("the expired copy is not full again")
	}
	// A copy whose depth is not the limit is full at its next use.
	for lost, want := range map[bool]int64{true: 5, false: 0} {
		c := bucket(5)
		c.BurstLost = lost
		w = peers(c)
		w.ask(w.owner, 0, 5)
		w.tell(50 * ms)
		if level, _ := w.peers[w.one].Look(60*ms, 1, 1); level != want {
			t.Errorf("burst lost %v: the copy holds %d, want %d", lost, level, want)
		}
		if got := w.ask(w.one, 60*ms, 5); got != lost {
			t.Errorf("burst lost %v: 5 are granted: %v", lost, got)
		}
	}
}

// Look agrees with Decide: the level is granted and one more is not, and a cost is
// rejected before the time that Look returns and granted then.
func TestLookForetells(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		c := window()
		if random.IntN(2) == 0 {
			c = bucket(3 + random.Int64N(10))
		}
		c.Resolution = []int64{1, ms, 10 * ms}[random.IntN(3)]
		w := peers(c)
		now := int64(0)
		for range random.IntN(8) {
			now += random.Int64N(300 * ms)
			w.ask(w.one, now, 1+random.Int64N(4))
			if random.IntN(4) == 0 {
				w.forward(w.one, now)
				w.tell(now)
			}
		}
		now += random.Int64N(300 * ms)
		cost := 1 + random.Int64N(12)
		p := w.peers[w.one]
		level, at := p.Look(now, 1, cost)
		granted := func(at, cost int64) bool {
			was := *p.keys.At(1)
			defer func() { *p.keys.At(1) = was }()
			return p.take(p.keys.At(1), c.whole(at), c.whole(at), cost, false)
		}
		if level > 0 && !granted(now, level) || granted(now, level+1) {
			t.Fatalf("%+v at %d: level %d, copy %+v", c, now, level, p.keys.Peek(1))
		}
		if at == counting.Never {
			if granted(now+10_000*ms, cost) {
				t.Fatalf("%+v: cost %d is granted some time", c, cost)
			}
			continue
		}
		if !granted(at, cost) || at > now && granted(at-1, cost) {
			t.Fatalf("%+v: cost %d at %d: retry at %d; granted then %v, before %v; copy %+v", c, cost, now, at, granted(at, cost), granted(at-1, cost), p.keys.Peek(1))
		}
	}
}

// A change of the limit changes a window's remainder by the difference; a bucket
// keeps its level, and a bucket of another depth is full at its next use.
func TestRelimit(t *testing.T) {
	relimit := func(w *world, limit counting.Limit) {
		for _, p := range w.peers {
			p.Relimit(limit)
		}
		w.peers[0].config.Limit = limit
	}
	second := func(count, burst int64) counting.Limit {
		return counting.Limit{Count: count, Window: 1000 * ms, Burst: burst}
	}
	w := peers(window())
	w.ask(w.one, 0, 4)
	relimit(w, second(15, 0))
	if level, _ := w.peers[w.one].Look(ms, 1, 1); level != 11 {
		t.Errorf("of 15 are left %d, want 11", level)
	}
	relimit(w, second(3, 0))
	if level, _ := w.peers[w.one].Look(ms, 1, 1); level != 0 {
		t.Errorf("of 3 are left %d, want 0", level)
	}
	w = peers(bucket(10))
	w.ask(w.one, 0, 4)
	relimit(w, second(7, 10))
	if level, _ := w.peers[w.one].Look(ms, 1, 1); level != 6 {
		t.Errorf("of a bucket of 10 are left %d, want 6", level)
	}
	relimit(w, second(7, 12))
	if level, _ := w.peers[w.one].Look(ms, 1, 1); level != 12 || !w.ask(w.one, ms, 12) {
		t.Errorf("of a bucket that is now of 12 are left %d, want all", level)
	}
}

func TestCheck(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"interval":    func(c *Config) { c.Interval = 0 },
		"batch_limit": func(c *Config) { c.BatchLimit = 0 },
		"resolution":  func(c *Config) { c.Resolution = 2000 * ms },
		"0 peers":     func(c *Config) { c.Peers = 0 },
		"burst 0":     func(c *Config) { c.Leaky, c.Limit.Burst = true, 0 },
		"62 bits":     func(c *Config) { c.Leaky, c.Limit.Burst = true, 1<<62-1 },
	} {
		c := window()
		change(c)
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}
