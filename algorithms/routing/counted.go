package routing

// counted assigns keys by their hash and the number of servers alone: ByHash divides
// the hash space into as many equal parts, ByModulo takes the remainder. Servers
// stand in the order of their numbers. When one server joins n others, half of the
// keys move by hash, and n of n+1 keys by modulo.
type counted struct {
	byModulo bool
	servers  membership
	lists    history[[]int32] // servers among which the keys are divided
}

func newCounted(c Config) *counted {
	m := &counted{byModulo: c.Kind == ByModulo, servers: newMembership(c.Servers)}
	m.lists.set(&c)
	m.lists.add(c.Start, m.servers.list())
	return m
}

func (m *counted) owner(key int32, servers []int32) int32 {
	if m.byModulo {
		return servers[Hash(key)%uint64(len(servers))]
	}
	return servers[Owner(key, len(servers))]
}

func (m *counted) Owner(key int32) int32            { return m.owner(key, *m.lists.newest()) }
func (m *counted) Known(key int32, now int64) int32 { return m.owner(key, *m.lists.known(now)) }
func (*counted) Served(int64, int32, int64)         {}
func (*counted) Next() int64                        { return never }
func (*counted) Step(int64)                         {}
func (m *counted) Version() int                     { return m.lists.count }

func (m *counted) Fail(now int64, server int32)    { m.set(now, server, true) }
func (m *counted) Recover(now int64, server int32) { m.set(now, server, false) }

// set records a failure or its end. By hash the keys of a failed server stay with it.
func (m *counted) set(now int64, server int32, failed bool) {
	if m.byModulo {
		m.renew(now, m.servers.setFailed(server, failed))
	}
}

func (m *counted) Join(now int64)                { m.renew(now, m.servers.join()) }
func (m *counted) Leave(now int64, server int32) { m.renew(now, m.servers.leave(server)) }

// renew puts a new list in force after a change. If no server is left, the last list
// stays.
func (m *counted) renew(now int64, changed bool) {
	if changed && m.servers.up > 0 {
		m.lists.add(now, m.servers.list())
	}
}
