package faults

import (
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
)

func (c *compiler) restart(f *scenarios.Fault, from int64) {
	v := f.Values
	_, word := v.IntOr("servers")
	for i, o := range c.outages(f, "servers", from, Never) {
		at := from
		if word == "rolling" {
			at += int64(i) * v.Duration("rolling")
		}
		if at >= c.world.End {
			break
		}
		c.addEffect(at, at+v.Duration("down_for"), func(s *state) { s.down = append(s.down, o) })
		if v.String("state") == "lost" {
			c.addRestart(Restart{At: at, Server: o.server, owned: o.owned})
		}
		c.instants = append(c.instants, at)
		if i == 0 || word == "rolling" {
			c.addSpan(f, at, at+v.Duration("down_for"))
		}
	}
}

func (c *compiler) crash(f *scenarios.Fault, from int64) {
	v := f.Values
	noticed := from + v.Duration("noticed_after")
	back := noticed
	if v.Set("down_for") {
		back = from + v.Duration("down_for")
	}
	for _, o := range c.outages(f, "server", from, noticed) {
		c.addRestart(Restart{At: from, Server: o.server, owned: o.owned})
		c.addEffect(from, back, func(s *state) { s.down = append(s.down, o) })
	}
	if noticed < back {
		c.instants = append(c.instants, noticed)
	}
	c.addSpan(f, from, back)
}

// outages returns an outage of each server that a field names: by its number, by a word
// for all of them, or as the one that owns the entry's key at a time.
func (c *compiler) outages(f *scenarios.Fault, field string, from, noticed int64) (list []outage) {
	switch n, word := f.Values.IntOr(field); word {
	case "":
		list = []outage{{server: int32(n)}}
	case "owner":
		list = []outage{c.ownerOutage(from)}
	default:
		for server := range c.servers {
			list = append(list, outage{server: int32(server)})
		}
	}
	for i := range list {
		list[i].entry, list[i].noticed = c.entry, noticed
	}
	return list
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
