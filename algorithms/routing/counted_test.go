package routing

import (
	"math"
	"testing"
)

// TestKeysThatMove checks how many of 200,000 keys get another owner when one server
// joins n others: n/(n+1) of them by modulo, half of them by hash, which divides the
// hash space into equal parts, and 1/(n+1), the fewest possible, on a ring. There all
// of them go to the new server.
func TestKeysThatMove(t *testing.T) {
	const keys = 200_000
	for _, n := range []int{1, 2, 4, 9, 19} {
		for name, c := range map[string]struct {
			config    Config
			want, off float64 // off: by which a ring's share may differ, as its points are random
		}{
			"modulo": {Config{Kind: ByModulo}, float64(n) / float64(n+1), 0},
			"hash":   {Config{Kind: ByHash}, 0.5, 0},
			"ring":   {Config{Kind: ByRing, VirtualNodes: 1000}, 1 / float64(n+1), 0.1},
		} {
			before, after := c.config, c.config
			before.Servers, after.Servers = n, n+1
			old, grown := New(before), New(after)
			moved := 0
			for key := range int32(keys) {
				if to := grown.Owner(key); to != old.Owner(key) {
					moved++
					if name == "ring" && to != int32(n) {
						t.Fatalf("ring of %d: key %d went to %d, an old server", n, key, to)
					}
				}
			}
			got := float64(moved) / keys
			deviation := math.Sqrt(c.want * (1 - c.want) / keys)
			if math.Abs(got-c.want) > 4*deviation+c.off*c.want {
				t.Errorf("%s, %d and 1 servers: %.4f of the keys moved, want %.4f", name, n, got, c.want)
			}
		}
	}
}

// TestModuloFailures checks owners against their definition while servers fail and
// recover, and that clients learn of a new list after the propagation time.
func TestModuloFailures(t *testing.T) {
	m := New(Config{Kind: ByModulo, Servers: 5, Propagation: 2 * second})
	up := []int32{0, 1, 2, 3, 4}
	check := func(when string, now int64, known []int32) {
		t.Helper()
		for key := range int32(1000) {
			if got, want := m.Owner(key), up[Hash(key)%uint64(len(up))]; got != want {
				t.Fatalf("%s: key %d belongs to %d, want %d", when, key, got, want)
			}
			if got, want := m.Known(key, now), known[Hash(key)%uint64(len(known))]; got != want {
				t.Fatalf("%s: clients ask %d about key %d, want %d", when, got, key, want)
			}
		}
	}
	check("at first", 0, up)
	before := up
	m.Fail(10*second, 2)
	m.Fail(10*second, 2)
	up = []int32{0, 1, 3, 4}
	check("after a failure", 12*second-1, before)
	check("after its propagation", 12*second, up)
	m.Recover(20*second, 2)
	up = before
	check("after the recovery", 22*second, up)
	if m.Version() != 3 {
		t.Errorf("%d assignments, want 3", m.Version())
	}
	for server := range int32(5) {
		m.Fail(30*second, server)
	}
	up = []int32{4}
	check("without any server", 40*second, up)
}

// TestServersJoinAndLeave checks on each map that a server that joins or leaves gives
// the owners of a map that was made with these servers, that a failed server that
// leaves does not return, and that a stale client can ask about the assignment from
// before.
func TestServersJoinAndLeave(t *testing.T) {
	for name, c := range map[string]Config{"hash": {}, "modulo": {Kind: ByModulo}, "ring": {Kind: ByRing, VirtualNodes: 50}} {
		at := func(servers int) Map {
			c := c
			c.Servers, c.Propagation, c.Stale = servers, second, 5*second
			return New(c)
		}
		m, four, five := at(4), at(4), at(5)
		m.Join(10 * second)
		for key := range int32(1000) {
			if m.Owner(key) != five.Owner(key) {
				t.Fatalf("%s: key %d belongs to %d after a server joined, want %d", name, key, m.Owner(key), five.Owner(key))
			}
		}
		m.Fail(12*second, 4)
		m.Leave(12*second, 4)
		m.Recover(13*second, 4)
		for key := range int32(1000) {
			if m.Owner(key) != four.Owner(key) {
				t.Fatalf("%s: key %d belongs to %d after the server left, want %d", name, key, m.Owner(key), four.Owner(key))
			}
			for now, want := range map[int64]Map{14 * second: four, 12*second - 1: five, 11 * second: five, 10*second - 1: four} {
				if got := m.Known(key, now); got != want.Owner(key) {
					t.Fatalf("%s: clients ask %d about key %d at %d, want %d", name, got, key, now, want.Owner(key))
				}
			}
		}
	}
}

// TestAutosharderGrows checks that a server that joins gets the load of the others above
// their tolerance of a tenth
// at once, and that one that leaves keeps nothing.
func TestAutosharderGrows(t *testing.T) {
	m := New(slicesOf(3, 64))
	for key := range int32(30_000) {
		m.Served(second, key, 1)
	}
	share := func(server int32) (n int) {
		for key := range int32(30_000) {
			if m.Owner(key) == server {
				n++
			}
		}
		return n
	}
	m.Join(2 * second)
	if n := share(3); n < 5200 || n > 7500 {
		t.Errorf("the new server owns %d of 30000 keys, want at least what the others have above 1.1 times the mean", n)
	}
	m.Leave(3*second, 0)
	if n := share(0); n != 0 {
		t.Errorf("a server that left owns %d keys", n)
	}
}
