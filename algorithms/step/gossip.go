package step

import (
	"math/rand/v2"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/gossip"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

func gossiping() pair {
	return pair{entry: gossip.Entry(), open: (*Session).stepGossip, unused: []string{"phase"}}
}

// nodes is a session with the limiters of gossip, which are the clients.
type nodes struct {
	halves
	config   gossip.Config
	nodes    []*gossip.Node
	tenants  keyNames
	messages box[gossip.Message]
	coins    *rand.PCG
}

func (s *Session) stepGossip(_ string, limit counter.Limit, v catalog.Values) error {
	n := int(v.Int("clients"))
	config, err := gossip.ConfigFrom(v, limit, n)
	if err != nil {
		return err
	}
	g := &nodes{config: config, coins: rand.NewPCG(1, 1)}
	for i := range n {
		g.nodes = append(g.nodes, gossip.NewNode(&g.config, int32(i)))
	}
	row := []member{{name: "key", field: "Key", as: asKey}, {name: "value", field: "Value", as: asAmount}}
	if config.Branching > 0 {
		row = append(row, member{name: "mass", field: "Mass", as: asAmount})
	}
	g.messages = box[gossip.Message]{h: &g.halves, name: "message", members: []member{
		{name: "from", field: "From"}, {name: "sent_ns", field: "SentAt", as: asTime}, {name: "rows", field: "Rows", as: asList, rows: row},
	}}
	g.run(s, op{"decide", g.decide}, op{"tick", g.tick}, op{"receive", g.receive})
	return nil
}

func (g *nodes) decide(c *call) func() {
	node := c.node("client", len(g.nodes))
	key, tenant := g.keyOf(c), int32(0)
	if c.given("tenant") {
		id, err := g.tenants.number(c.text("tenant"))
		if tenant = id + 1; err != nil {
			c.fail(err)
		}
	}
	cost := c.boundedCost()
	draw := c.coin(g.coins)
	return func() {
		v := g.nodes[node].Decide(c.at, key, tenant, cost, draw)
		draw.show(c)
		c.setVerdict(v.Admitted())
		g.show(c, node, key)
	}
}

// tick lets a limiter estimate its demand and send it.
func (g *nodes) tick(c *call) func() {
	node := c.node("client", len(g.nodes))
	return func() {
		m := &gossip.Message{}
		g.nodes[node].Tick(c.at, m)
		c.set("message", g.messages.add(m))
		g.show(c, node, keysOfMessage(m)...)
	}
}

func (g *nodes) receive(c *call) func() {
	node := c.node("client", len(g.nodes))
	m, id := g.messages.argument(c, gossip.Message{SentAt: c.at})
	c.within("message: from", m.From, len(g.nodes))
	return func() {
		id()
		g.nodes[node].Receive(c.at, m)
		g.show(c, node, keysOfMessage(m)...)
	}
}

func keysOfMessage(m *gossip.Message) (keys []int32) {
	for i := range m.Rows {
		keys = append(keys, m.Rows[i].Key)
	}
	return keys
}

func (g *nodes) show(c *call, node int32, keys ...int32) {
	g.state = g.statesOf("client", node, keys, func(out *reply, key int32) {
		h := g.nodes[node]
		if level, retryAt, ok := h.Look(c.at, key, 1); ok {
			out.set("level", level)
			out.setTime("retry_at_ns", retryAt)
		} else {
			out.setShare("drop", h.Drop(key))
		}
		received, ok := h.ReceivedAt(key)
		if !ok {
			received = -1
		}
		out.setUnless("received_ns", received, -1)
	})
}
