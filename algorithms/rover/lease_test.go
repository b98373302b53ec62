package rover

import (
	"math"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"
)

func TestLeaseSteps(t *testing.T) {
	type step struct {
		op   string
		n    uint64
		ok   bool   // of a take
		left uint64 // in the lease
		here uint64 // in the bucket, ready to be claimed
	}
	for _, tt := range []struct {
		name         string
		limit, chunk uint64
		steps        []step
	}{
		{"chunks of 4", 10, 4, []step{
			{"take", 0, true, 0, 10}, {"take", 1, true, 3, 6}, {"take", 3, true, 0, 6}, {"take", 2, true, 2, 2},
			{"take", 3, true, 1, 0}, // the last two of the bucket, and one of its own
			{"take", 2, false, 1, 0}, {"take", 1, true, 0, 0}, {"take", 1, false, 0, 0},
		}},
		{"larger than a chunk: all of it or nothing", 10, 4, []step{
			{"take", 7, true, 0, 3}, {"take", 4, false, 0, 3}, {"take", 1, true, 2, 0},
		}},
		{"a claim that the own tokens and the bucket's together pay", 10, 4, []step{
			{"take", 1, true, 3, 6}, {"take", 9, true, 0, 0},
		}},
		{"return, and on", 10, 4, []step{
			{"take", 1, true, 3, 6}, {"return", 0, false, 0, 9}, {"return", 0, false, 0, 9}, {"take", 9, true, 0, 0},
		}},
		{"a chunk of none is one", 10, 0, []step{{"take", 1, true, 0, 9}}},
		{"a chunk is at most the limit", 10, 100, []step{{"take", 1, true, 9, 0}}},
		{"no claim overflows", 10, 4, []step{{"take", math.MaxUint64, false, 0, 10}, {"take", 1, true, 3, 6}, {"take", math.MaxUint64, false, 3, 6}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, capped := range []bool{false, true} {
				b := must(t, Config{Rate: 1, Limit: tt.limit, Full: true, Capped: capped})
				l := b.Lease(tt.chunk, nil)
				for i, st := range tt.steps {
					switch st.op {
					case "take":
						if ok := l.Take(st.n); ok != st.ok {
							t.Fatalf("step %d: take(%d) = %v", i, st.n, ok)
						}
					case "return":
						l.Return()
					}
					at := b.State()
					if here := over(at.Head, at.Tail); l.left != st.left || here != st.here {
						t.Fatalf("step %d: %s(%d) leaves %d in the lease and %d in the bucket, want %d and %d",
							i, st.op, st.n, l.left, here, st.left, st.here)
					}
				}
			}
		})
	}
}

func TestZeroLeaseRefuses(t *testing.T) {
	var l Lease
	if !l.Take(0) || l.Take(1) {
		t.Error("a zero lease handed out a token, or refused none")
	}
	l.Return()
}

// Waiting claims come first: a lease takes no tokens from them.
func TestLeaseDoesNotOvertake(t *testing.T) {
	b := must(t, Config{Rate: 1000, Limit: 10, Full: true})
	l := b.Lease(4, nil)
	ticket := b.Grab(12)
	b.Replenish(ms)
	if l.Take(1) || b.Deficiency(ticket) != 1 {
		t.Errorf("a lease took a token that a claim before it waits for: %d missing", b.Deficiency(ticket))
	}
	b.Replenish(3 * ms)
	if !l.Take(1) || l.Take(1) {
		t.Error("want the one token beyond the claim, and no more")
	}
}

// With capped release at most limit tokens are in use, including those in leases, and
// a return makes room.
func TestLeaseOnACappedBucket(t *testing.T) {
	b := must(t, Config{Rate: 1000, Limit: 10, Full: true, Capped: true})
	one, other := b.Lease(8, nil), b.Lease(8, nil)
	take := func(l *Lease, n uint64, want bool) {
		t.Helper()
		b.Replenish(b.State().Stamp + s)
		if got := l.Take(n); got != want {
			t.Fatalf("take(%d) = %v", n, got)
		}
	}
	take(one, 3, true)
	take(other, 2, true)
	take(other, 1, false) // eight are with the one, three of them used
	one.Return()
	take(other, 5, true)
	take(other, 1, false)
	b.Release(10)
	take(one, 10, true)
}

// For any calls, no token is created or lost, a lease keeps less than a chunk, and in
// any span of time callers get no more than the limit, what the rate earns and, for
// each lease, less than a chunk.
func TestLeaseBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const rate = 1000
		limit := rapid.Uint64Range(1, 60).Draw(t, "limit")
		origin := rapid.SampledFrom([]uint64{0, math.MaxUint64 - 100, 1<<63 - 100}).Draw(t, "origin")
		b, err := New(Config{Rate: rate, Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		b.Preset(State{Tail: origin, Head: origin + limit})
		leases := make([]*Lease, rapid.IntRange(1, 4).Draw(t, "leases"))
		early := int64(0) // what leases may hold from before
		for i := range leases {
			leases[i] = b.Lease(rapid.Uint64Range(1, 20).Draw(t, "chunk"), nil)
			early += int64(leases[i].chunk) - 1
		}
		type admission struct{ now, total int64 } // total before it
		var log []admission
		now, total, credited := int64(0), int64(0), int64(0)
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			now += rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(0, 3*ms), rapid.Int64Range(0, 100*ms)).Draw(t, "gap")
			credited -= int64(b.State().Head)
			b.Replenish(now)
			credited += int64(b.State().Head)
			l := rapid.SampledFrom(leases).Draw(t, "lease")
			n := rapid.OneOf(rapid.Just(uint64(1)), rapid.Uint64Range(1, 40)).Draw(t, "n")
			admitted := uint64(0)
			switch rapid.SampledFrom([]string{"take", "take", "take", "return", "try", "grab"}).Draw(t, "op") {
			case "take":
				if l.Take(n) {
					admitted = n
				}
			case "return":
				l.Return()
			case "try":
				admitted = b.TryGrab(n/2, n)
			case "grab":
				if admitted = n; b.Deficiency(b.Grab(n)) > 0 {
					b.Refund(n)
					admitted = 0
				}
			}
			log = append(log, admission{now, total})
			total += int64(admitted)
			held := int64(0)
			for _, l := range leases {
				if l.left >= l.chunk {
					t.Fatalf("a lease with chunks of %d holds %d", l.chunk, l.left)
				}
				held += int64(l.left)
			}
			st := b.State()
			if here := int64(st.Head - st.Tail); total+held+here != int64(limit)+credited {
				t.Fatalf("%d handed out, %d in leases and %d in the bucket, of %d at the start and %d credited", total, held, here, limit, credited)
			}
			if earned := now * rate / s; credited > earned {
				t.Fatalf("credited %d, earned %d", credited, earned)
			}
			for _, from := range log {
				most := int64(limit) + early + ((now-from.now)*rate+s-1)/s
				if got := total - from.total; got > most {
					t.Fatalf("%d handed out from %d to %d ns, want at most %d", got, from.now, now, most)
				}
			}
		}
	})
}

// A lease with a clock reads it once per chunk, before the claim.
func TestLeaseReadsItsClockOncePerChunk(t *testing.T) {
	b := must(t, Config{Rate: 1000, Limit: 8, Full: true})
	now, reads := int64(0), 0
	l := b.Lease(4, func() int64 { reads++; return now })
	take := func(n int, want bool, wantReads int) {
		t.Helper()
		reads = 0
		for range n {
			if l.Take(1) != want {
				t.Fatalf("at %d ns: a take is not %v", now, want)
			}
		}
		if reads != wantReads {
			t.Fatalf("at %d ns: %d takes read the clock %d times, want %d", now, n, reads, wantReads)
		}
	}
	take(8, true, 2)
	take(2, false, 2)
	now = 2 * ms
	take(2, true, 1)
	take(1, false, 1)
}

// idleHour returns a full bucket of 100 tokens at 100 per second that nothing has used
// for an hour, and that hour's end.
func idleHour(t *testing.T, stamp StampMode) (b *Bucket, now int64) {
	b = must(t, Config{Rate: 100, Limit: 100, Full: true, Stamp: stamp})
	b.Replenish(0) // fills the bucket in Faithful mode
	return b, 3600 * s
}

// After an idle hour callers that replenish before their claims get no more at one
// instant than the limit and what their leases held: alone, and as goroutines.
func TestIdleHour(t *testing.T) {
	for _, stamp := range []StampMode{ByTokens, Faithful} {
		for _, tt := range []struct {
			name  string
			chunk uint64 // of a lease; 0 is TryGrab without one
			held  int64  // what each of the leases held before
		}{{"TryGrab", 0, 0}, {"new leases", 16, 0}, {"leases that hold tokens", 16, 15}} {
			for _, callers := range []int{1, 4} {
				b, end := idleHour(t, stamp)
				var now atomic.Int64
				takes := make([]func(n uint64) bool, callers)
				for i := range takes {
					takes[i] = func(n uint64) bool {
						b.Replenish(now.Load())
						return b.TryGrab(n, n) == n
					}
					if tt.chunk > 0 {
						takes[i] = b.Lease(tt.chunk, now.Load).Take
					}
					if tt.held > 0 && !takes[i](1) {
						t.Fatal("a full bucket gave nothing")
					}
				}
				now.Store(end)
				var total atomic.Int64
				var group sync.WaitGroup
				for _, take := range takes {
					group.Go(func() {
						for range 1000 {
							if take(1) {
								total.Add(1)
							}
						}
					})
				}
				group.Wait()
				if got, want := total.Load(), 100+int64(callers)*tt.held; got != want {
					t.Errorf("mode %d, %s, %d callers: %d at one instant after an idle hour, want %d", stamp, tt.name, callers, got, want)
				}
			}
		}
	}
}

// stalled is the clock of a replenisher that is stopped after it has moved the stamp.
type stalled struct {
	clock
	meanwhile func()
}

func (c stalled) credit(now int64, b *Bucket) uint64 {
	x := c.clock.credit(now, b)
	c.meanwhile()
	return x
}

// If a replenisher is stopped after it has moved the stamp, the claims made meanwhile
// do not add to what it credits.
func TestClaimsDuringAReplenish(t *testing.T) {
	for _, stamp := range []StampMode{ByTokens, Faithful} {
		b, now := idleHour(t, stamp)
		inner, taken := b.clock, uint64(0)
		b.clock = stalled{inner, func() {
			b.clock = inner
			b.Replenish(now) // the others replenish first, too
			taken = b.TryGrab(1, 1000)
		}}
		b.Replenish(now)
		taken += b.TryGrab(1, 1000)
		if taken != 100 {
			t.Errorf("mode %d: %d at one instant after an idle hour, want 100", stamp, taken)
		}
	}
}
