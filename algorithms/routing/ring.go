package routing

import (
	"cmp"
	"math/bits"
	"slices"
)

// ring implements consistent hashing: every server has many points on a circle of
// hashes, and a key belongs to the server of the first point at or after its own
// hash. When a server fails, each of its keys moves to the next point's server and
// all other keys stay; when it recovers, the keys return.
type ring struct {
	nodes   int
	servers membership
	circles history[circle]
}

// point is a place on the circle. Point number i of server s has the hash
// mix(mix(s) + i).
type point struct {
	hash   uint64
	server int32
}

// circle is one assignment: the points in order, and for each equal part of the hash
// space the index at which to start a search.
type circle struct {
	points []point
	starts []int32
	shift  uint8
}

func newRing(c Config) *ring {
	r := &ring{nodes: c.VirtualNodes, servers: newMembership(c.Servers)}
	r.circles.set(&c)
	r.circles.add(c.Start, r.draw())
	return r
}

// draw returns the circle of the servers that are up.
func (r *ring) draw() circle {
	c := circle{points: make([]point, 0, r.servers.up*r.nodes)}
	for _, server := range r.servers.list() {
		base := mix(uint64(server))
		for i := range r.nodes {
			c.points = append(c.points, point{mix(base + uint64(i)), server})
		}
	}
	slices.SortFunc(c.points, func(a, b point) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.server, b.server))
	})
	size := bits.Len(uint(len(c.points)))
	c.shift = uint8(64 - size)
	c.starts = make([]int32, 1<<size)
	at := int32(0)
	for i := range c.starts {
		for int(at) < len(c.points) && c.points[at].hash < uint64(i)<<c.shift {
			at++
		}
		c.starts[i] = at
	}
	return c
}

func (c *circle) owner(hash uint64) int32 {
	at := int(c.starts[hash>>(c.shift&63)])
	for at < len(c.points) && c.points[at].hash < hash {
		at++
	}
	if at == len(c.points) {
		at = 0
	}
	return c.points[at].server
}

func (r *ring) Owner(key int32) int32            { return r.circles.newest().owner(Hash(key)) }
func (r *ring) Known(key int32, now int64) int32 { return r.circles.known(now).owner(Hash(key)) }
func (*ring) Served(int64, int32, int64)         {}
func (*ring) Next() int64                        { return never }
func (*ring) Step(int64)                         {}
func (r *ring) Version() int                     { return r.circles.count }

func (r *ring) Fail(now int64, server int32)    { r.renew(now, r.servers.setFailed(server, true)) }
func (r *ring) Recover(now int64, server int32) { r.renew(now, r.servers.setFailed(server, false)) }
func (r *ring) Join(now int64)                  { r.renew(now, r.servers.join()) }
func (r *ring) Leave(now int64, server int32)   { r.renew(now, r.servers.leave(server)) }

// renew puts a new circle in force after a change. If no server is left, the last
// circle stays.
func (r *ring) renew(now int64, changed bool) {
	if changed && r.servers.up > 0 {
		r.circles.add(now, r.draw())
	}
}
