package shards

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/rover"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

func bucket(t testing.TB, limit uint64, capped bool) *rover.Bucket {
	t.Helper()
	b, err := rover.New(rover.Config{Rate: 1000, Limit: limit, Threshold: 1, Capped: capped})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const ms = int64(1e6) // in which the buckets of these tests earn a token

// Claims are served in the order of their tickets, across shards, and giving one up
// moves the later ones forward.
func TestClaimsTakeTurnsByTicket(t *testing.T) {
	b := bucket(t, 100, false)
	one, other := NewClaims(2), NewClaims(2)
	one.Claim(b, 5)
	other.Claim(b, 3)
	one.Claim(b, 2)
	if !one.Full() || other.Full() {
		t.Fatalf("full: %v with two of two claims, %v with one", one.Full(), other.Full())
	}
	b.Replenish(8 * ms)
	if one.Missing(b) != 0 || other.Missing(b) != 0 {
		t.Fatalf("8 tokens for claims of 5 and 3: %d and %d missing", one.Missing(b), other.Missing(b))
	}
	one.Use()
	if got := one.Missing(b); got != 2 {
		t.Errorf("the third claim misses %d, want 2", got)
	}
	b.Replenish(9 * ms)
	other.Use()
	other.Claim(b, 4)
	one.GiveUp(b, true)
	if got := other.Missing(b); got != 3 {
		t.Errorf("behind a refund of 2 a claim of 4 misses %d, want 3: the refund brought head to 11 of 14", got)
	}
}

// A claim that is passed on keeps its place. Tokens that the next request does not
// need are refunded, and a request that needs more does not get the claim.
func TestClaimPassedOn(t *testing.T) {
	for _, capped := range []bool{false, true} {
		b := bucket(t, 10, capped)
		c := NewClaims(1)
		c.Claim(b, 6)
		if c.PassOn(b, 7, true) {
			t.Errorf("capped %v: a claim of 6 was passed on to a request of 7", capped)
		}
		if before := b.State(); !c.PassOn(b, 2, true) || b.State().Head != before.Head+4 {
			t.Errorf("capped %v: passed on to a request of 2, head moved from %d to %d, want by 4", capped, before.Head, b.State().Head)
		}
		if room := b.Room(); capped && room != 10 {
			t.Errorf("a refund without a release leaves room for %d, want 10", room)
		}
		c.GiveUp(b, true)
		if st := b.State(); st.Head != st.Tail {
			t.Errorf("capped %v: given up whole, head %d and tail %d differ", capped, st.Head, st.Tail)
		}
	}
}

// Claims behave like a list.
func TestClaimsAgainstAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, err := rover.New(rover.Config{Rate: 1000, Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		c := NewClaims(rapid.IntRange(1, 9).Draw(t, "depth"))
		var list []uint64 // tickets
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if !c.Full() && rapid.Bool().Draw(t, "claim") {
				n := rapid.Uint64Range(1, 5).Draw(t, "tokens")
				c.Claim(b, n)
				list = append(list, b.State().Tail)
			} else if c.Len() > 0 {
				if got, want := c.Missing(b), b.Deficiency(list[0]); got != want {
					t.Fatalf("first claim misses %d, want %d", got, want)
				}
				if tokens := b.State().Head; rapid.Bool().Draw(t, "given up") {
					back := rapid.Bool().Draw(t, "given back")
					c.GiveUp(b, back)
					if (b.State().Head != tokens) != back {
						t.Fatalf("given back %v: the head goes from %d to %d", back, tokens, b.State().Head)
					}
				} else {
					c.Use()
				}
				list = list[1:]
			}
			if c.Len() != len(list) {
				t.Fatalf("%d claims, want %d", c.Len(), len(list))
			}
		}
	})
}

// Shards that always have requests get equal numbers of tokens, whatever their
// requests cost, and together no more than the bucket grants. Reap neither gains nor
// loses a token.
func TestReservationsShareByTheToken(t *testing.T) {
	b := bucket(t, 60, false)
	costs := []uint64{1, 7, 20}
	got := make([]uint64, len(costs))
	var shards []Reservation
	for range costs {
		shards = append(shards, NewReservation(20, 60))
	}
	const span = 60_000
	for now := range int64(span) {
		b.Replenish(now * ms)
		for i := range shards {
			r := &shards[i]
			held := r.Pending()
			if r.Reap(b); r.Pending() != held {
				t.Fatalf("%d tokens are reserved and not used, and %d after the shard took what head has passed", held, r.Pending())
			}
			for r.Take(b, costs[i], 1000) {
				got[i] += costs[i]
			}
		}
	}
	total := uint64(0)
	for i, n := range got {
		total += n
		if n < span/3-100 || n > span/3+100 {
			t.Errorf("the shard with requests of %d got %d tokens of %d, want a third", costs[i], n, span)
		}
	}
	if total > span+60 {
		t.Errorf("%d tokens granted, %d earned and 60 at most held", total, span)
	}
}

// A request above the bucket's limit is never served and blocks no other request.
func TestReservationAboveTheLimit(t *testing.T) {
	b := bucket(t, 10, false)
	stuck, other := NewReservation(5, 10), NewReservation(5, 10)
	served := 0
	for now := range int64(1000) {
		b.Replenish(now * ms)
		if stuck.Reap(b); stuck.Take(b, 11, 11) {
			t.Fatal("a request of 11 was served by a bucket of 10")
		}
		for other.Reap(b); other.Take(b, 1, 100); {
			served++
		}
	}
	if served < 990 {
		t.Errorf("%d of some 1000 requests of the other shard were served", served)
	}
}

// Reserved tokens that a shard does not need are lost without capped release, as in
// the original, and go back to the bucket with it.
func TestReservationDropped(t *testing.T) {
	for _, tt := range []struct {
		capped bool
		room   uint64
	}{{false, 10}, {true, 10}} {
		b := bucket(t, 10, tt.capped)
		r := NewReservation(8, 10)
		r.Reap(b)
		if r.Take(b, 2, 8) {
			t.Fatal("served by an empty bucket")
		}
		b.Replenish(100 * ms)
		if r.Reap(b); !r.Take(b, 2, 8) {
			t.Fatal("not served by a full bucket")
		}
		r.Drop(b)
		if r.Pending() != 0 {
			t.Errorf("capped %v: %d tokens left", tt.capped, r.Pending())
		}
		if tt.capped {
			b.Release(2) // the one that was used
		}
		for range 10 {
			b.Replenish(1000 * ms)
		}
		if got := b.State().Head - b.State().Tail; got != tt.room && !tt.capped {
			t.Errorf("%d tokens can be had, want %d", got, tt.room)
		}
		if got := b.Room() + b.State().Head - b.State().Tail; tt.capped && got != tt.room {
			t.Errorf("capped: %d tokens can ever be had, want %d", got, tt.room)
		}
	}
}
