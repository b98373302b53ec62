package step

import (
	"encoding/json"
	"reflect"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/leases"
	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

func leasing() pair {
	return pair{
		entry: leases.Entry(), open: (*Session).stepLeases, owners: true,
		unused: []string{"timeout", "retry", "retry_at_most"},
	}
}

var grantedMembers = []member{
	{name: "client", field: "Client"}, {name: "has_units", field: "Has", as: asAmount}, {name: "wants_units", field: "Wants", as: asAmount}, {name: "until_ns", field: "Expiry", as: asTime},
}

// leased is a session with the clients and servers of leases. Clocks are right.
type leased struct {
	halves
	config    leases.Config
	clients   []*leases.Client
	servers   []*leases.Server
	questions box[leases.Question]
	answers   box[leases.Answer]
}

func (s *Session) stepLeases(_ string, limit counter.Limit, v catalog.Values) error {
	clients := int(v.Int("clients"))
	config, err := leases.ConfigFrom(v, limit, clients)
	if err != nil {
		return err
	}
	l := &leased{config: config}
	for i := range clients {
		l.clients = append(l.clients, leases.NewClient(&l.config, int32(i)))
	}
	for range v.Int("servers") {
		l.servers = append(l.servers, leases.NewServer(&l.config, 0))
	}
	key := member{name: "key", field: "Key", as: asKey}
	l.questions = box[leases.Question]{h: &l.halves, name: "question", members: []member{
		{name: "client", field: "Client"}, key, {name: "has_units", field: "Has", as: asAmount}, {name: "wants_units", field: "Wants", as: asAmount}, {name: "release", field: "Release", as: asFlag},
	}}
	l.answers = box[leases.Answer]{h: &l.halves, name: "answer", members: []member{
		key, {name: "gets_units", field: "Gets", as: asAmount}, {name: "until_ns", field: "Until", as: asTime}, {name: "safe_units", field: "Safe", as: asAmount}, {name: "released", field: "Released", as: asFlag},
	}}
	decide := l.deciding("decide", clients, func(c *call, client, key int32, cost int64) {
		verdict, ask := l.clients[client].Decide(c.at, c.at, key, cost)
		c.setVerdict(verdict.Admitted())
		c.set("asks", ask)
		l.showClient(c, client, key)
	})
	l.run(s, decide, op{"ask", l.ask}, op{"refresh", l.refresh}, op{"grant", l.grant}, op{"apply", l.apply})
	return nil
}

// ask lets a client request a lease of one key.
func (l *leased) ask(c *call) func() {
	client := c.node("client", len(l.clients))
	key := l.keyOf(c)
	return func() {
		q := l.clients[client].Ask(c.at, c.at, key)
		c.set("question", l.questions.add(&q))
		l.showClient(c, client, key)
	}
}

// refresh lets a client request leases of all its keys.
func (l *leased) refresh(c *call) func() {
	client := c.node("client", len(l.clients))
	return func() {
		list, keys := []json.RawMessage{}, []int32{}
		l.clients[client].Refresh(c.at, c.at, func(q leases.Question) {
			list = append(list, l.questions.add(&q))
			keys = append(keys, q.Key)
		})
		c.set("questions", list)
		l.showClient(c, client, keys...)
	}
}

func (l *leased) grant(c *call) func() {
	q, id := l.questions.argument(c, leases.Question{})
	c.within("question: client", q.Client, len(l.clients))
	return func() {
		id()
		server := routing.Owner(q.Key, len(l.servers))
		a := l.servers[server].Decide(c.at, q)
		c.set("answer", l.answers.add(&a))
		l.state = l.statesOf("server", server, []int32{q.Key}, func(out *reply, key int32) {
			held := []json.RawMessage{}
			for _, g := range l.servers[server].Granted(key) {
				var row reply
				l.write(&row, reflect.ValueOf(g), grantedMembers)
				held = append(held, row.line())
			}
			out.set("grants", held)
			out.set("units_per_request", l.config.Unit)
		})
	}
}

func (l *leased) apply(c *call) func() {
	client := c.node("client", len(l.clients))
	a, id := l.answers.argument(c, leases.Answer{})
	return func() {
		id()
		l.clients[client].Apply(c.at, a)
		l.showClient(c, client, a.Key)
	}
}

func (l *leased) showClient(c *call, client int32, keys ...int32) {
	h := l.clients[client]
	l.state = l.statesOf("client", client, keys, func(out *reply, key int32) {
		out.set("level", h.Level(c.at, key))
		out.setTime("retry_at_ns", h.RetryAt(c.at, key, 1))
		granted, ok := h.GrantedAt(key)
		if !ok {
			granted = -1
		}
		out.setUnless("received_ns", granted, -1)
		out.set("units_per_request", l.config.Unit)
	})
}
