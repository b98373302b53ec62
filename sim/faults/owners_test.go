package faults

import (
	"math"
	"testing"
)

// While a key moves, the new owner counts from 0, the old owner responds for
// two_owners_for, and clients call the old owner for stale_for.
func TestOwners(t *testing.T) {
	timeline := compile(t, world(1, 2), fault(t, "reshard", "from", "10s", "every", "20s", "share", "100%", "two_owners_for", "2s", "stale_for", "5s"))
	o := NewOwners(timeline, []int32{0, 1}, 2)
	var forgot []int32
	step := func(now int64) { o.Advance(now, func(key, server int32) { forgot = append(forgot, key, server) }) }
	for _, c := range []struct {
		now                 int64
		owner, asked        int32
		oldTakes, ownsTakes bool
	}{
		{10*s - 1, 0, 0, false, true}, {10 * s, 1, 0, true, true}, {12*s - 1, 1, 0, true, true}, {12 * s, 1, 0, false, true},
		{15*s - 1, 1, 0, false, true}, {15 * s, 1, 1, false, true}, {30 * s, 0, 1, true, true}, {35 * s, 0, 0, false, true},
	} {
		step(c.now)
		owner := o.keys[0].owner
		if owner != c.owner || o.Asked(c.now, 0, 0) != c.asked || o.Takes(c.now, 0, 1-owner) != c.oldTakes || o.Takes(c.now, 0, owner) != c.ownsTakes {
			t.Errorf("at %d: owner %d, asked %d, the other one takes %v", c.now, owner, o.Asked(c.now, 0, 0), o.Takes(c.now, 0, 1-owner))
		}
	}
	// Key 0 moved to server 1 and back, key 1 to server 0 and back; the third
	// move is at 50 s.
	if want := []int32{0, 1, 1, 0, 0, 0, 1, 1}; len(forgot) != len(want) || forgot[1] != 1 || forgot[3] != 0 {
		t.Errorf("forgotten %v, want %v", forgot, want)
	}
}

// The configured share of the keys moves, and each of the other servers
// receives an equal part.
func TestMovesAreEven(t *testing.T) {
	const keys = 90_000
	timeline := compile(t, world(1, 4), fault(t, "reshard", "from", "10s", "share", "10%"))
	o := NewOwners(timeline, make([]int32, keys), 4)
	o.Advance(10*s, func(int32, int32) {})
	counts := [4]float64{}
	for key := range int32(keys) {
		counts[o.keys[key].owner]++
	}
	for server, want := range []float64{0.9 * keys, keys / 30, keys / 30, keys / 30} {
		if math.Abs(counts[server]-want) > 5*math.Sqrt(want) {
			t.Errorf("server %d owns %v keys, want about %v", server, counts[server], want)
		}
	}
}

// Requests for stopped clients reach running clients, either in turn or always
// the same one.
func TestAlive(t *testing.T) {
	timeline := compile(t, world(10, 1), fault(t, "autoscale", "stages", "[{from: 10s, clients: 3}, {from: 20s, clients: 10}]"))
	for _, sticky := range []bool{false, true} {
		a := NewAlive(timeline, sticky)
		counts := map[int64][10]int{}
		for i := range int64(3000) {
			now := []int64{9 * s, 10 * s, 20 * s}[i/1000]
			client := []int32{int32(i % 10)}
			a.Move([]int64{now}, client)
			c := counts[now]
			c[client[0]]++
			counts[now] = c
		}
		want := [10]int{334, 333, 333}
		if sticky {
			want = [10]int{400, 300, 300}
		}
		if counts[10*s] != want {
			t.Errorf("sticky %v: 3 clients get %v, want %v", sticky, counts[10*s], want)
		}
		for _, now := range []int64{9 * s, 20 * s} {
			if counts[now] != [10]int{100, 100, 100, 100, 100, 100, 100, 100, 100, 100} {
				t.Errorf("sticky %v: 10 clients get %v", sticky, counts[now])
			}
		}
	}
	if NewAlive(nil, true) != nil || NewAlive(compile(t, world(1, 1), fault(t, "server-crash")), false) != nil {
		t.Error("clients come and go without autoscaling")
	}
}
