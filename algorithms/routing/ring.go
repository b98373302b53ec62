package routing

import (
	"cmp"
	"math/bits"
	"slices"
)

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

// newRing returns a map of consistent hashing: every server has many points on a circle
// of hashes, and a key belongs to the server of the first point at or after its own
// hash. When a server fails, each of its keys moves to the next point's server and
// all other keys stay; when it recovers, the keys return.
func newRing(c *Config) *divided[circle] {
	nodes := c.VirtualNodes
	return newDivided(c, func(servers []int32) circle { return draw(servers, nodes) }, (*circle).owner)
}

// draw returns the circle of the servers that are up.
func draw(servers []int32, nodes int) circle {
	c := circle{points: make([]point, 0, len(servers)*nodes)}
	for _, server := range servers {
		base := mix(uint64(server))
		for i := range nodes {
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

func (c *circle) owner(key int32) int32 {
	hash := Hash(key)
	at := int(c.starts[hash>>(c.shift&63)])
	for at < len(c.points) && c.points[at].hash < hash {
		at++
	}
	if at == len(c.points) {
		at = 0
	}
	return c.points[at].server
}
