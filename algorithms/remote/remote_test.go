package remote

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

const second = int64(1e9)

var tenPerSecond = counting.Limit{Count: 10, Window: second, Burst: 10}

func always(int32, int64) counting.Limit { return tenPerSecond }

func windows(keys int) counting.Table {
	return counting.NewFixedWindows(tenPerSecond, counting.WindowOptions{}, keys)
}

// What is taken from several policies counts until the last of their windows ends, before
// the first request and after it.
func TestCountsUntil(t *testing.T) {
	minutes := func(n int64) Part {
		return Part{Keys: 1, Table: func(keys int) counting.Table {
			return counting.NewFixedWindows(counting.Limit{Count: 10, Window: n * 60 * second, Burst: 10}, counting.WindowOptions{}, keys)
		}}
	}
	for _, parts := range [][]Part{{minutes(2)}, {minutes(1), minutes(2)}, {minutes(2), minutes(1), minutes(1)}} {
		o := Owned{Memory: NewMemory(false, parts...)}
		for _, taken := range []int64{0, 59 * second, 61 * second, 121 * second} {
			if got, want := o.CountsUntil(taken), (taken/(120*second)+1)*120*second; got != want {
				t.Errorf("%d policies: what is taken at %d counts until %d, want %d", len(parts), taken, got, want)
			}
			o.Take(0, taken, 1)
		}
	}
}

// A station equals a list of workers that is searched one by one.
func TestStationAgainstWorkers(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 1))
		workers := 1 + rng.IntN(7)
		s := NewStation(workers)
		free := make([]int64, workers)
		now := int64(0)
		for range 500 {
			now += rng.Int64N(5)
			service := rng.Int64N(20)
			slices.Sort(free)
			wantBegin := max(now, free[0])
			free[0] = wantBegin + service
			if got := s.Begin(now); got != wantBegin {
				t.Fatalf("seed %d: would begin at %d, not %d", seed, got, wantBegin)
			}
			if begin, end := s.Serve(now, service); begin != wantBegin || end != wantBegin+service {
				t.Fatalf("seed %d: served %d to %d, not %d to %d", seed, begin, end, wantBegin, wantBegin+service)
			}
		}
		s.Clear()
		if s.Begin(7) != 7 {
			t.Error("a cleared station is busy")
		}
	}
}

func TestCache(t *testing.T) {
	var c Cache
	if c.Over(1, 0) {
		t.Error("an empty cache knows a key")
	}
	c.Remember(1, 100)
	c.Remember(1, 50) // older news
	if !c.Over(1, 99) || c.Over(2, 99) || c.Over(1, 100) || len(c.until) != 0 {
		t.Errorf("the cache holds %v", c.until)
	}
	c.Remember(3, 100)
	c.Forget()
	if c.Over(3, 1) {
		t.Error("a restart left a key in the cache")
	}
}

// After a failover the store behaves as if the lost writes had never happened.
func TestStoreFailover(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		losses := []Loss{{At: 300, Since: 200}, {At: 600, Since: 350 + rng.Int64N(250)}, {At: 650, Since: 640}}
		limit := counting.Limit{Count: 7, Window: 90, Burst: 7}
		made := func() counting.Table {
			table, err := counting.New([]string{"fixed-window", "token-bucket"}[seed%2], limit, nil, 2)
			if err != nil {
				t.Fatal(err)
			}
			return table
		}
		s := NewStore(losses, made)
		type write struct {
			key       int32
			now, cost int64
		}
		var done []write
		for now := int64(0); now < 900; now += rng.Int64N(9) {
			w := write{int32(rng.IntN(2)), now, 1 + rng.Int64N(4)}
			fresh := made()
			for _, old := range done {
				lost := false
				for _, l := range losses {
					lost = lost || l.At <= now && old.now >= l.Since && old.now < l.At
				}
				if !lost {
					fresh.Take(old.key, old.now, old.cost)
				}
			}
			if rng.IntN(2) == 0 { // a limiter that deducts later only asks
				if got, want := s.RetryAt(w.key, w.now, w.cost), fresh.RetryAt(w.key, w.now, w.cost); got != want {
					t.Fatalf("seed %d, at %d: would admit at %d, not %d", seed, now, got, want)
				}
				continue
			}
			if got, want := s.Take(w.key, w.now, w.cost), fresh.Take(w.key, w.now, w.cost); got != want {
				t.Fatalf("seed %d, at %d: %v, not %v", seed, now, got, want)
			}
			done = append(done, w)
		}
	}
}

// The owners' memory equals a map of counters by server and key.
func TestMemoryAgainstMaps(t *testing.T) {
	const servers, keys = 3, 5
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 3))
		m := NewMemory(false, Part{Keys: 2, Table: windows}, Part{Keys: keys - 2, Table: windows})
		var owner [keys]int32
		naive := map[[2]int32]*counting.Single{}
		held := func(server, key int32) *counting.Single {
			p := [2]int32{server, key}
			if naive[p] == nil {
				naive[p] = counting.NewFixedWindow(tenPerSecond, counting.WindowOptions{})
			}
			return naive[p]
		}
		for now := range int64(5000) {
			key, server := int32(rng.IntN(keys)), int32(rng.IntN(servers))
			switch rng.IntN(40) {
			case 0:
				if server != owner[key] {
					delete(naive, [2]int32{server, key}) // it starts to own the key with nothing counted
				}
				m.Move(key, owner[key], server)
				owner[key] = server
			case 1: // a restart
				for k := range int32(keys) {
					delete(naive, [2]int32{server, k})
					if owner[k] == server {
						m.Forget(k)
					}
				}
				m.Expire(func(s, _ int32) bool { return s != server })
			case 2: // clients have the newest map
				m.Expire(func(s, k int32) bool { return owner[k] == s })
				for p := range naive {
					if owner[p[1]] != p[0] {
						delete(naive, p)
					}
				}
			default:
				o := Owned{m, owner[:], server}
				if got, want := o.Level(key, now*1e6), held(server, key).Level(now*1e6); got != want {
					t.Fatalf("seed %d, step %d: server %d has %d of key %d left, not %d", seed, now, server, got, key, want)
				}
				want := held(server, key).Take(now*1e6, 1)
				if got := o.Take(key, now*1e6, 1); got != want {
					t.Fatalf("seed %d, step %d: server %d of key %d (owner %d) said %v, not %v", seed, now, server, key, owner[key], got, want)
				}
			}
		}
	}
}

// However often keys move, the memory does not exceed the states in use.
func TestMemoryIsBounded(t *testing.T) {
	m := NewMemory(false, Part{Keys: 1000, Table: windows})
	for round := range int32(500) {
		for key := range int32(1000) {
			Owned{Memory: m}.Take(key, int64(round), 1)
			m.Move(key, round%2, (round+1)%2)
		}
		tables := map[counting.Table]bool{}
		for _, s := range append(slices.Collect(maps.Values(m.left)), m.own...) {
			tables[s.table] = true
		}
		if len(tables) > 3*(1000/tableSize+1) {
			t.Fatalf("%d tables of %d states for 1000 keys", len(tables), tableSize)
		}
		m.Expire(func(int32, int32) bool { return false })
	}
}

func TestMemoryKept(t *testing.T) {
	m := NewMemory(true, Part{Keys: 1, Table: windows})
	owner := []int32{0}
	for i := range 10 {
		if v := (Owned{m, owner, int32(i % 3)}).Take(0, 0, 1); !v.Admitted() {
			t.Fatalf("request %d was refused", i)
		}
		m.Move(0, owner[0], int32(i%2))
		owner[0] = int32(i % 2)
	}
	if (Owned{Memory: m}).Take(0, 0, 1).Admitted() {
		t.Error("an eleventh request passed: the count did not move along")
	}
}

// Two replicas that sync: each knows what it admitted itself, and the store's counts
// of the other at its last sync.
func TestSyncedSteps(t *testing.T) {
	a, b, store := NewSynced(always), NewSynced(always), NewTotals(always, 1)
	take := func(s *Synced, now int64, n, want int) {
		t.Helper()
		got := 0
		for range n {
			if s.Take(0, now, 1).Admitted() {
				got++
			}
		}
		if got != want {
			t.Fatalf("at %d: %d of %d admitted, not %d", now, got, n, want)
		}
	}
	sync := func(s *Synced, now int64) {
		rows := s.Flush(now, nil)
		for i := range rows {
			store.Add(&rows[i])
		}
		s.Apply(now, rows, false)
	}
	take(a, 0, 6, 6)
	take(b, 0, 7, 7)
	sync(a, 1)
	take(a, 2, 9, 4) // it knows its own six only
	sync(b, 3)
	take(b, 4, 1, 0) // 13 at the store and nothing left
	sync(a, 5)
	take(a, 6, 1, 0)
	if until := a.RetryAt(0, 6, 1); until != second || a.Level(0, 6) != 0 {
		t.Errorf("over until %d", until)
	}
	if store.Level(0, 7) != 0 || store.Level(0, second) != 10 || store.RetryAt(0, 7, 10) != second {
		t.Error("the store's count is wrong")
	}

	take(a, second, 3, 3)
	rows := a.Flush(second, nil)
	a.Apply(second+1, rows, true) // the store was down
	if again := a.Flush(second+2, nil); len(again) != 1 || again[0].Added != 3 {
		t.Errorf("after a lost sync %v goes out", again)
	}
	take(b, second+2, 1, 1)
	if b.Forget(); b.Pending() {
		t.Error("a replica that has restarted has counts to sync")
	}
	take(b, second+3, 11, 10)

	take(a, 2*second-1, 1, 1)
	late := a.Flush(2*second, nil)
	if len(late) != 0 {
		t.Errorf("a window that is over is synced: %v", late)
	}
}

// In any order of syncs, every cost counts at the store once, and a replica by itself
// never admits more than the limit.
func TestSyncedConserves(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 4))
		replicas := []*Synced{NewSynced(always), NewSynced(always), NewSynced(always)}
		store := NewTotals(always, 2)
		var admitted [2]int64
		var own [3][2]int64
		type flight struct {
			replica int
			rows    []SyncRow
			stored  bool
		}
		var flying []*flight
		land := func(i int) {
			f := flying[i]
			if !f.stored {
				for j := range f.rows {
					store.Add(&f.rows[j])
				}
				f.stored = true
				return
			}
			replicas[f.replica].Apply(1, f.rows, false)
			flying = slices.Delete(flying, i, i+1)
		}
		for range 60 {
			i, key := rng.IntN(3), int32(rng.IntN(2))
			switch {
			case rng.IntN(3) == 0:
				flying = append(flying, &flight{replica: i, rows: replicas[i].Flush(1, nil)})
			case rng.IntN(2) == 0 && len(flying) > 0:
				land(rng.IntN(len(flying)))
			default:
				if replicas[i].Take(key, 1, 1).Admitted() {
					admitted[key]++
					own[i][key]++
				}
			}
		}
		for len(flying) > 0 {
			land(0)
		}
		for i := range replicas {
			rows := replicas[i].Flush(1, nil)
			for j := range rows {
				store.Add(&rows[j])
			}
			for key := range own[i] {
				if own[i][key] > 10 {
					t.Fatalf("seed %d: replica %d let %d through", seed, i, own[i][key])
				}
			}
		}
		for key := range admitted {
			if store.count[key].n != admitted[key] {
				t.Fatalf("seed %d: the store counts %d of %d", seed, store.count[key].n, admitted[key])
			}
		}
	}
}
