package step

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/prefetch"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

func prefetching() pair {
	return pair{
		entry: prefetch.Entry(), open: (*Session).stepPrefetch,
		unused: []string{"unused", "when_empty", "at_start", "timeout", "on_timeout"},
	}
}

// fetch is a client's request for tokens, and unused are leases that it returns.
type (
	fetch struct {
		Client, Key int32
		Asked       int64
	}
	unused struct {
		Key  int32
		Rows []prefetch.Lease
	}
)

type prefetched struct {
	halves
	config  prefetch.Config
	clients []*prefetch.Client
	server  *prefetch.Server
	fetches box[fetch]
	answers box[prefetch.Answer]
	unused  box[unused]
}

func (s *Session) stepPrefetch(_ string, limit counter.Limit, v catalog.Values) error {
	config, err := prefetch.ConfigFrom(v, limit)
	if err != nil {
		return err
	}
	p := &prefetched{config: config}
	p.server = prefetch.NewServer(&p.config, maxKeys)
	for range v.Int("clients") {
		p.clients = append(p.clients, prefetch.NewClient(&p.config))
	}
	key := member{name: "key", field: "Key", as: asKey}
	p.fetches = box[fetch]{h: &p.halves, name: "fetch", members: []member{{name: "client", field: "Client"}, key, {name: "asked", field: "Asked"}}}
	p.answers = box[prefetch.Answer]{h: &p.halves, name: "answer", members: []member{
		key, {name: "asked", field: "Asked"}, {name: "granted", field: "Granted"}, {name: "taken_ns", field: "TakenAt", as: asTime}, {name: "retry_at_ns", field: "RetryAt", as: orNull},
	}}
	p.unused = box[unused]{h: &p.halves, name: "unused", members: []member{
		key, {name: "rows", field: "Rows", as: asList, rows: []member{{name: "tokens", field: "Tokens"}, {name: "taken_ns", field: "TakenAt", as: asTime}}},
	}}
	spend := p.deciding("spend", len(p.clients), func(c *call, client, key int32, cost int64) {
		c.set("spent", p.clients[client].Spend(c.at, key, cost))
		p.showClient(c, client, key)
	})
	p.run(s, spend, op{"fetch", p.fetch}, op{"grant", p.grant}, op{"apply", p.apply}, op{"give_up", p.giveUp}, op{"take_unused", p.takeUnused}, op{"return", p.giveBack})
	return nil
}

// fetch lets a client ask for tokens: a lease, or for a waiting request of a cost as
// many as it needs.
func (p *prefetched) fetch(c *call) func() {
	client := c.node("client", len(p.clients))
	key := p.keyOf(c)
	needed := int64(0)
	if c.given("cost") {
		needed = c.boundedCost()
	}
	return func() {
		if asked := p.clients[client].Fetch(c.at, key, needed); asked > 0 {
			c.set("fetch", p.fetches.add(&fetch{client, key, asked}))
		} else {
			c.set("fetch", nil)
		}
		p.showClient(c, client, key)
	}
}

func (p *prefetched) fetchOf(c *call) (*fetch, func() int) {
	f, id := p.fetches.argument(c, fetch{})
	c.within("fetch: client", f.Client, len(p.clients))
	return f, id
}

func (p *prefetched) grant(c *call) func() {
	f, id := p.fetchOf(c)
	return func() {
		id()
		a := p.server.Grant(c.at, f.Key, f.Asked)
		c.set("answer", p.answers.add(&a))
		p.showServer(c, f.Key)
	}
}

func (p *prefetched) apply(c *call) func() {
	client := c.node("client", len(p.clients))
	a, id := p.answers.argument(c, prefetch.Answer{TakenAt: c.at})
	return func() {
		id()
		p.clients[client].Apply(c.at, a)
		p.showClient(c, client, a.Key)
	}
}

func (p *prefetched) giveUp(c *call) func() {
	f, id := p.fetchOf(c)
	return func() {
		id()
		p.clients[f.Client].Failed(f.Key)
		p.showClient(c, f.Client, f.Key)
	}
}

// takeUnused removes the leases that have expired from a client.
func (p *prefetched) takeUnused(c *call) func() {
	client := c.node("client", len(p.clients))
	key := p.keyOf(c)
	return func() {
		c.set("unused", p.unused.add(&unused{key, p.clients[client].Unused(c.at, key, nil)}))
		p.showClient(c, client, key)
	}
}

func (p *prefetched) giveBack(c *call) func() {
	u, id := p.unused.argument(c, unused{})
	return func() {
		id()
		for _, lease := range u.Rows {
			p.server.Return(c.at, u.Key, lease)
		}
		p.showServer(c, u.Key)
	}
}

func (p *prefetched) showClient(c *call, client, key int32) {
	p.state = p.statesOf("client", client, []int32{key}, func(out *reply, key int32) {
		out.set("held", p.clients[client].Held(c.at, key))
		out.setUnless("refused_until_ns", p.clients[client].RefusedUntil(key), 0)
	})
}

func (p *prefetched) showServer(_ *call, key int32) {
	p.state = p.statesOf("server", 0, []int32{key}, func(out *reply, key int32) { out.setFields(p.server.State(key)) })
}
