package leases

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// rounds refreshes clients with these demands in turn, n times.
func rounds(how Sharing, capacity Capacity, wants []Capacity, n int) (*Store, []Capacity) {
	s, gets := &Store{}, make([]Capacity, len(wants))
	for range n {
		for i, w := range wants {
			gets[i] = s.share(how, capacity, int32(i), w)
			s.assign(Granted{Client: int32(i), Has: gets[i], Wants: w, Expiry: never})
		}
	}
	return s, gets
}

// Doorman's documentation divides 120 among clients that want 1000, 50 and 10.
func TestDocumentedTable(t *testing.T) {
	const unit = 1_000_000
	wants := []Capacity{1000 * unit, 50 * unit, 10 * unit}
	for _, c := range []struct {
		how  Sharing
		want []Capacity
	}{
		// 69.69072165 and 40.309278351 in the documentation.
		{Proportional, []Capacity{69_690_721, 40_309_278, 10_000_000}},
		{Fair, []Capacity{60_000_000, 50_000_000, 10_000_000}},
	} {
		if _, got := rounds(c.how, 120*unit, wants, 3); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("sharing %d: %v, want %v", c.how, got, c.want)
		}
	}
	// An equal share of 120 among four is 30. The last client leaves enough to
	// make it 40, and the third one's rest goes to the first. The second, which
	// wants exactly 40, also gets a part of it, so the third gets too little.
	if _, got := rounds(Fair, 120, []Capacity{100, 40, 35, 0}, 3); fmt.Sprint(got) != "[45 42 33 0]" {
		t.Errorf("two rounds: %v", got)
	}
	// Before the others have refreshed, a new client gets what is left.
	s, _ := rounds(Proportional, 120*unit, wants[:1], 1)
	if got := s.share(Proportional, 120*unit, 1, 50*unit); got != 0 {
		t.Errorf("beside a lease of the whole capacity a newcomer gets %d", got)
	}
}

// For any demands, and any order of requests, the leases never add up to more
// than the capacity. If demands stay constant, every client gets an equal share
// or all that it wants.
func TestSharing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		capacity := rapid.Int64Range(1, 1000).Draw(t, "capacity")
		how := rapid.SampledFrom([]Sharing{Proportional, Fair}).Draw(t, "how")
		wants := rapid.SliceOfN(rapid.Int64Range(0, 700), 1, 6).Draw(t, "wants")
		s := &Store{}
		for range rapid.IntRange(0, 20).Draw(t, "questions") {
			client := rapid.IntRange(0, len(wants)-1).Draw(t, "client")
			if rapid.IntRange(0, 5).Draw(t, "leave") == 0 {
				s.release(int32(client))
			} else {
				w := rapid.Int64Range(0, 700).Draw(t, "want")
				s.assign(Granted{Client: int32(client), Has: s.share(how, capacity, int32(client), w), Wants: w, Expiry: never})
			}
			check(t, s, capacity)
		}
		for range 4 {
			for i, w := range wants {
				s.assign(Granted{Client: int32(i), Has: s.share(how, capacity, int32(i), w), Wants: w, Expiry: never})
				check(t, s, capacity)
			}
		}
		for i, w := range wants {
			if g, _ := s.get(int32(i)); g.Has < min(w, capacity/int64(len(wants))) {
				t.Fatalf("client %d of %v gets %d of %d", i, wants, g.Has, capacity)
			}
		}
	})
}

func check(t *rapid.T, s *Store, capacity Capacity) {
	has, wants := Capacity(0), Capacity(0)
	for i := range s.leases {
		g := &s.leases[i]
		if g.Has < 0 {
			t.Fatalf("client %d has %d", g.Client, g.Has)
		}
		if s.of[g.Client] != i {
			t.Fatalf("client %d is at %d, not at %d", g.Client, i, s.of[g.Client])
		}
		has, wants = has+g.Has, wants+g.Wants
	}
	if has != s.sumHas || wants != s.sumWants || has > capacity {
		t.Fatalf("leases add up to %d of %d and wants to %d; the sums say %d and %d", has, capacity, wants, s.sumHas, s.sumWants)
	}
}
