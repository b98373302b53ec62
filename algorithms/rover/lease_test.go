package rover

import (
	"fmt"
	"math"
	"sync"
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
				l := b.Lease(tt.chunk)
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
	l := b.Lease(4)
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
	one, other := b.Lease(8), b.Lease(8)
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
			leases[i] = b.Lease(rapid.Uint64Range(1, 20).Draw(t, "chunk"))
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

func ExampleLease() {
	b, _ := New(Config{Rate: 1000, Limit: 1000, Full: true})
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			lease := b.Lease(16)
			defer lease.Return()
			for range 200 {
				if !lease.Take(1) {
					fmt.Println("refused")
				}
			}
		})
	}
	workers.Wait()
	fmt.Println(b.TryGrab(1, 1000), "left")
	// Output: 200 left
}

// Without a timer a caller replenishes after a rejection and tries once more: it reads
// a clock only when the bucket is empty.
func ExampleLease_Take() {
	b, _ := New(Config{Rate: 1000, Limit: 4, Full: true})
	lease := b.Lease(4)
	now := int64(0)
	clock := func() int64 { now += 1_500_000; return now }
	reads := 0
	for range 7 {
		ok := lease.Take(1)
		if !ok {
			reads++
			b.Replenish(clock())
			ok = lease.Take(1)
		}
		fmt.Print(ok, " ")
	}
	fmt.Println(reads)
	// Output: true true true true true true true 2
}

func ExampleLease_pool() {
	b, _ := New(Config{Rate: 1000, Limit: 1000, Full: true})
	leases := sync.Pool{New: func() any { return b.Lease(16) }}
	handle := func() (admitted bool) {
		lease := leases.Get().(*Lease)
		defer leases.Put(lease)
		return lease.Take(1)
	}
	fmt.Println(handle())
	// Output: true
}
