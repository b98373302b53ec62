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
