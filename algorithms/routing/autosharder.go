package routing

// autosharder works in the manner of Dicer. The hash space is cut into
// equal slices, and at the start each server gets a range of them, which is the
// assignment of Owner. It measures the load of each slice, and now and then
// moves slices from servers above the tolerance to the least loaded ones; the
// slices of a server that is missed go to the others at once. A server that
// comes back gets its share at the next rebalance.
//
// Dicer also splits and merges slices, to keep their number within 32 to 64 a
// server. Here it stays what it was: a slice with one hot key is left with that
// key and a 64th of a server's others.
type autosharder struct {
	count     int // of slices
	cap       tolerance
	rebalance int64
	balanceAt int64 // the next one
	health    health
	load      loads
	owners    history[[]int32] // of each slice
}

func newAutosharder(c Config) *autosharder {
	s := &autosharder{
		count:     c.Servers * c.Slices.PerServer,
		cap:       newTolerance(c.Slices.Tolerance),
		rebalance: c.Slices.Rebalance,
		balanceAt: c.Start + min(c.Slices.Rebalance, never-1-c.Start),
		health:    newHealth(c.Servers),
	}
	s.load = newLoads(s.count, c.Slices.HalfLife, c.Start)
	s.owners.delay = c.Propagation
	first := make([]int32, s.count)
	for i := range first {
		first[i] = int32(i / c.Slices.PerServer)
	}
	s.owners.add(c.Start, first)
	return s
}

func (s *autosharder) Owner(key int32) int32 { return (*s.owners.newest())[part(Hash(key), s.count)] }

func (s *autosharder) Known(key int32, now int64) int32 {
	return (*s.owners.known(now))[part(Hash(key), s.count)]
}

func (s *autosharder) Served(now int64, key int32, cost int64) {
	s.load.add(now, part(Hash(key), s.count), cost)
}

func (s *autosharder) Version() int { return s.owners.count }
func (s *autosharder) Next() int64  { return s.balanceAt }

func (s *autosharder) Fail(now int64, server int32) {
	if s.health.set(server, true) {
		s.assign(now, false)
	}
}

func (s *autosharder) Recover(_ int64, server int32) { s.health.set(server, false) }

// Step rebalances.
func (s *autosharder) Step(now int64) {
	if now >= s.balanceAt {
		s.balanceAt += (now-s.balanceAt)/s.rebalance*s.rebalance + s.rebalance
		s.assign(now, true)
	}
}

// assign puts a new assignment in force where it differs from the last, and
// there is any server left.
func (s *autosharder) assign(now int64, balance bool) {
	if s.health.up == 0 {
		return
	}
	s.load.reach(now)
	b := newBalance(*s.owners.newest(), s.load.of, s.health.down)
	b.rescue()
	if balance {
		b.even(s.cap)
	}
	if b.moves > 0 {
		s.owners.add(now, b.owner)
	}
}
