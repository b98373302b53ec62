package routing

// divided assigns keys by their hash and the servers alone. T is what is made of the list
// of servers, in the order of their numbers: the list itself, or points on a circle.
type divided[T any] struct {
	servers     membership
	assignments history[T]
	stays       bool // keys of a failed server stay with it
	make        func(servers []int32) T
	owner       func(of *T, key int32) int32
}

func newDivided[T any](c *Config, make func(servers []int32) T, owner func(of *T, key int32) int32) *divided[T] {
	d := &divided[T]{servers: newMembership(c.Servers), stays: c.Kind == ByHash, make: make, owner: owner}
	d.assignments.set(c)
	d.assignments.add(c.Start, make(d.servers.list()))
	return d
}

func (d *divided[T]) Owner(key int32) int32 { return d.owner(d.assignments.newest(), key) }

func (d *divided[T]) Known(key int32, now int64) int32 { return d.owner(d.assignments.known(now), key) }

func (*divided[T]) Served(int64, int32, int64) {}
func (*divided[T]) Next() int64                { return never }
func (*divided[T]) Step(int64)                 {}
func (d *divided[T]) Version() int             { return d.assignments.count }

func (d *divided[T]) Fail(now int64, server int32)    { d.set(now, server, true) }
func (d *divided[T]) Recover(now int64, server int32) { d.set(now, server, false) }

// set records a failure or its end.
func (d *divided[T]) set(now int64, server int32, failed bool) {
	if !d.stays {
		d.renew(now, d.servers.setFailed(server, failed))
	}
}

func (d *divided[T]) Join(now int64)                { d.renew(now, d.servers.join()) }
func (d *divided[T]) Leave(now int64, server int32) { d.renew(now, d.servers.leave(server)) }

// renew puts a new assignment in force after a change. If no server is left, the last one
// stays.
func (d *divided[T]) renew(now int64, changed bool) {
	if changed && d.servers.up > 0 {
		d.assignments.add(now, d.make(d.servers.list()))
	}
}

// newCounted returns a map by the number of servers: ByHash divides the hash space into
// as many equal parts, ByModulo takes the remainder. When one server joins n others, half
// of the keys move by hash, and n of n+1 keys by modulo.
func newCounted(c *Config) *divided[[]int32] {
	at := Owner
	if c.Kind == ByModulo {
		at = func(key int32, servers int) int32 { return int32(Hash(key) % uint64(servers)) }
	}
	list := func(servers []int32) []int32 { return servers }
	return newDivided(c, list, func(of *[]int32, key int32) int32 { return (*of)[at(key, len(*of))] })
}
