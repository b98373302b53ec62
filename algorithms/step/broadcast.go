package step

import (
	"encoding/json"

	"github.com/limitgauge/limitgauge/algorithms/broadcast"
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

func broadcasting() pair {
	return pair{entry: broadcast.Entry(), open: (*Session).stepBroadcast, unused: []string{"interval", "batch_limit"}}
}

// hits and update are the messages of broadcast with their peers, which a call by id
// need not repeat.
type (
	hits struct {
		From, To int32
		broadcast.Hits
	}
	update struct {
		From int32
		broadcast.Update
	}
)

// peers is a session with the peers of broadcast, which are the clients.
type peers struct {
	halves
	config  broadcast.Config
	peers   []*broadcast.Peer
	hits    box[hits]
	updates box[update]
}

func (s *Session) stepBroadcast(_ string, limit counter.Limit, v catalog.Values) error {
	n := int(v.Int("clients"))
	config, err := broadcast.ConfigFrom(v, limit, n)
	if err != nil {
		return err
	}
	p := &peers{config: config}
	for i := range n {
		p.peers = append(p.peers, broadcast.NewPeer(&p.config, int32(i)))
	}
	key := member{name: "key", field: "Key", as: asKey}
	from := member{name: "from", field: "From"}
	p.hits = box[hits]{h: &p.halves, name: "hits", members: []member{
		from, {name: "to", field: "To"},
		{name: "rows", field: "Rows", as: asList, rows: []member{key, {name: "cost", field: "Cost"}, {name: "since_ns", field: "Since", as: asTime}}},
	}}
	p.updates = box[update]{h: &p.halves, name: "update", members: []member{
		from, {name: "rows", field: "Rows", as: asList, rows: []member{key, {name: "remaining", field: "Remaining"}, {name: "reset_ns", field: "Reset", as: asTime}}},
	}}
	decide := p.deciding("decide", n, func(c *call, peer, key int32, cost int64) {
		c.setVerdict(p.peers[peer].Decide(c.at, key, cost).Admitted())
		p.show(c, peer, key)
	})
	p.run(s, decide, op{"forward", p.forward}, op{"count", p.count}, op{"update", p.update}, op{"apply", p.apply})
	return nil
}

// forward lets a peer send its hits to the owners of their keys.
func (p *peers) forward(c *call) func() {
	peer := c.node("client", len(p.peers))
	return func() {
		var sent []*hits
		p.peers[peer].Forward(func(owner int32) *broadcast.Hits {
			sent = append(sent, &hits{From: peer, To: owner})
			return &sent[len(sent)-1].Hits
		})
		list, keys := []json.RawMessage{}, []int32{}
		for _, h := range sent {
			list = append(list, p.hits.add(h))
			for i := range h.Rows {
				keys = append(keys, h.Rows[i].Key)
			}
		}
		c.set("hits", list)
		p.show(c, peer, keys...)
	}
}

func (p *peers) count(c *call) func() {
	h, id := p.hits.argument(c, hits{})
	c.within("hits: to", h.To, len(p.peers))
	return func() {
		id()
		p.peers[h.To].Count(c.at, &h.Hits)
		var keys []int32
		for i := range h.Rows {
			keys = append(keys, h.Rows[i].Key)
		}
		p.show(c, h.To, keys...)
	}
}

// update lets a peer send the state of its own keys to the others.
func (p *peers) update(c *call) func() {
	peer := c.node("client", len(p.peers))
	return func() {
		u := &update{From: peer}
		p.peers[peer].Broadcast(c.at, &u.Update)
		c.set("update", p.updates.add(u))
		p.show(c, peer, keysOfUpdate(u)...)
	}
}

func (p *peers) apply(c *call) func() {
	peer := c.node("client", len(p.peers))
	u, id := p.updates.argument(c, update{})
	return func() {
		id()
		p.peers[peer].Apply(c.at, &u.Update)
		p.show(c, peer, keysOfUpdate(u)...)
	}
}

func keysOfUpdate(u *update) (keys []int32) {
	for i := range u.Rows {
		keys = append(keys, u.Rows[i].Key)
	}
	return keys
}

func (p *peers) show(c *call, peer int32, keys ...int32) {
	p.state = p.statesOf("client", peer, keys, func(out *reply, key int32) {
		level, retryAt := p.peers[peer].Look(c.at, key, 1)
		out.set("level", level)
		out.setTime("retry_at_ns", retryAt)
		received, ok := p.peers[peer].ReceivedAt(key)
		if !ok {
			received = -1
		}
		out.setUnless("received_ns", received, -1)
	})
}
