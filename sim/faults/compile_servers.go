package faults

import (
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
)

func (c *compiler) restart(f *scenarios.Fault, from int64) {
	v := f.Values
	one := func(o outage, at int64) {
		if at >= c.world.End {
			return
		}
		o.entry, o.noticed = c.entry, Never
		c.addEffect(at, at+v.Duration("down_for"), func(s *state) { s.down = append(s.down, o) })
		if v.String("state") == "lost" {
			c.addRestart(Restart{At: at, Server: o.server, owned: o.owned})
		}
		c.instants = append(c.instants, at)
	}
	switch n, word := v.IntOr("servers"); word {
	case "all":
		for server := range c.servers {
			one(outage{server: int32(server)}, from)
		}
		c.addSpan(f, from, from+v.Duration("down_for"))
	case "rolling":
		for server := range c.servers {
			at := from + int64(server)*v.Duration("rolling")
			one(outage{server: int32(server)}, at)
			if at < c.world.End {
				c.addSpan(f, at, at+v.Duration("down_for"))
			}
		}
	case "owner":
		one(c.ownerOutage(from), from)
		c.addSpan(f, from, from+v.Duration("down_for"))
	default:
		one(outage{server: int32(n)}, from)
		c.addSpan(f, from, from+v.Duration("down_for"))
	}
}

func (c *compiler) crash(f *scenarios.Fault, from int64) {
	v := f.Values
	noticed := from + v.Duration("noticed_after")
	back := noticed
	if v.Set("down_for") {
		back = from + v.Duration("down_for")
	}
	one := func(o outage) {
		o.entry, o.noticed = c.entry, noticed
		c.addRestart(Restart{At: from, Server: o.server, owned: o.owned})
		c.addEffect(from, back, func(s *state) { s.down = append(s.down, o) })
	}
	switch n, word := v.IntOr("server"); word {
	case "each":
		for server := range c.servers {
			one(outage{server: int32(server)})
		}
	case "owner":
		one(c.ownerOutage(from))
	default:
		one(outage{server: int32(n)})
	}
	if noticed < back {
		c.instants = append(c.instants, noticed)
	}
	c.addSpan(f, from, back)
}

// ownerOutage returns an outage of the server that owns the entry's key at a time.
func (c *compiler) ownerOutage(from int64) outage {
	key := int32(0)
	if c.world.Keys != nil {
		key = c.world.Keys[c.entry]
	}
	c.timeline.owned = append(c.timeline.owned, owned{key, from})
	return outage{server: Nobody, owned: len(c.timeline.owned)}
}

func (c *compiler) reshard(f *scenarios.Fault, from int64, draws random.Stream, clients *random.Stream) {
	v := f.Values
	share := v.Share("share")
	m := move{
		entry: c.entry, at: from, num: uint64(share.Num), den: uint64(share.Den),
		both: v.Duration("two_owners_for"), draws: draws, staleness: c.staleness(f, clients),
	}
	c.timeline.moves = append(c.timeline.moves, m)
	c.instants = append(c.instants, from, from+m.both, from+m.stale)
	c.addSpan(f, from, from+max(m.both, m.stale))
}

// membership adds a server that joins or leaves. A server that has left is down, once
// it does not respond any more.
func (c *compiler) membership(f *scenarios.Fault, from int64, draws *random.Stream) {
	v := f.Values
	m := membership{entry: c.entry, at: from, joins: f.Kind == "server-added", staleness: c.staleness(f, draws)}
	both := v.Duration("two_owners_for")
	if !m.joins {
		m.server = int32(v.Int("server"))
		left := outage{entry: c.entry, server: m.server, noticed: Never, left: true}
		c.addEffect(from+both, Never, func(s *state) { s.down = append(s.down, left) })
	}
	c.timeline.memberships = append(c.timeline.memberships, m)
	c.instants = append(c.instants, from, from+m.stale)
	c.addSpan(f, from, from+max(both, m.stale))
}
