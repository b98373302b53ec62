package routing

// modulo assigns a key to the server number hash modulo n of the n servers that are
// up, in the order of their numbers. When one of n+1 servers fails, or joins n
// others, only one key in n+1 keeps its owner.
type modulo struct {
	health health
	lists  history[[]int32] // servers that are up
}

func newModulo(c Config) *modulo {
	m := &modulo{health: newHealth(c.Servers)}
	m.lists.delay = c.Propagation
	m.lists.add(c.Start, m.health.list())
	return m
}

func remainder(hash uint64, servers []int32) int32 { return servers[hash%uint64(len(servers))] }

func (m *modulo) Owner(key int32) int32 { return remainder(Hash(key), *m.lists.newest()) }
func (m *modulo) Known(key int32, now int64) int32 {
	return remainder(Hash(key), *m.lists.known(now))
}
func (*modulo) Served(int64, int32, int64) {}
func (*modulo) Next() int64                { return never }
func (*modulo) Step(int64)                 {}
func (m *modulo) Version() int             { return m.lists.count }

func (m *modulo) Fail(now int64, server int32)    { m.set(now, server, true) }
func (m *modulo) Recover(now int64, server int32) { m.set(now, server, false) }

// set puts a new list in force. If no server is left, the last list stays.
func (m *modulo) set(now int64, server int32, down bool) {
	if m.health.set(server, down) && m.health.up > 0 {
		m.lists.add(now, m.health.list())
	}
}
