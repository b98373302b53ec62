package step

import (
	"encoding/json"
	"reflect"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/rlqs"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

func quotaService() pair {
	return pair{entry: rlqs.Entry(), open: (*Session).stepQuota, unused: []string{"phase"}}
}

var subscriberMembers = []member{
	{name: "client", field: "Client"}, {name: "wants_units", field: "Demand", as: asAmount}, {name: "has_units", field: "Assigned", as: asAmount}, {name: "until_ns", field: "Until", as: asTime},
}

// quotas is a session with the clients of a quota service and its server.
type quotas struct {
	halves
	config      rlqs.Config
	clients     []*rlqs.Client
	server      *rlqs.Server
	reports     box[rlqs.Report]
	assignments box[rlqs.Assignment]
}

func (s *Session) stepQuota(_ string, limit counter.Limit, v catalog.Values) error {
	config, err := rlqs.ConfigFrom(v, limit)
	if err != nil {
		return err
	}
	q := &quotas{config: config}
	for i := range int32(v.Int("clients")) {
		q.clients = append(q.clients, rlqs.NewClient(&q.config, i))
	}
	q.server = rlqs.NewServer(&q.config)
	key := member{name: "key", field: "Key", as: asKey}
	q.reports = box[rlqs.Report]{h: &q.halves, name: "report", members: []member{
		{name: "client", field: "Client"},
		{name: "rows", field: "Rows", as: asList, rows: []member{key, {name: "allowed", field: "Allowed"}, {name: "denied", field: "Denied"}, {name: "elapsed_ns", field: "Elapsed", as: asAmount}}},
	}}
	q.assignments = box[rlqs.Assignment]{h: &q.halves, name: "assignment", members: []member{
		{name: "client", field: "Client"}, key, {name: "sent_ns", field: "Sent", as: asTime}, {name: "gets_units", field: "Rate", as: asAmount},
		{name: "depth_units", field: "Depth", as: asAmount}, {name: "ttl_ns", field: "TTL", as: asAmount}, {name: "abandon", field: "Abandon", as: asFlag},
	}}
	decide := q.deciding("decide", len(q.clients), func(c *call, client, key int32, cost int64) {
		verdict, subscribe := q.clients[client].Decide(c.at, key, cost)
		c.setVerdict(verdict.Admitted())
		var report any // null unless the key is new
		if subscribe {
			r := q.clients[client].Subscribe(c.at, key)
			report = q.reports.add(&r)
		}
		c.set("report", report)
		q.showClient(c, client, key)
	})
	q.run(s, decide, op{"report", q.report}, op{"count", q.count}, op{"assign", q.assign}, op{"rebalance", q.rebalance}, op{"apply", q.apply})
	return nil
}

// report lets a client report all its keys.
func (q *quotas) report(c *call) func() {
	client := c.node("client", len(q.clients))
	return func() {
		r := rlqs.Report{Client: client}
		q.clients[client].Report(c.at, func(u rlqs.Usage) { r.Rows = append(r.Rows, u) })
		c.set("report", q.reports.add(&r))
		q.showClient(c, client, keysOfReport(&r)...)
	}
}

// count gives the server a report.
func (q *quotas) count(c *call) func() {
	r, id := q.reports.argument(c, rlqs.Report{})
	c.within("report: client", r.Client, len(q.clients))
	return func() {
		id()
		for i := range r.Rows {
			q.server.Count(c.at, r.Client, &r.Rows[i])
		}
		q.showServer(keysOfReport(r)...)
	}
}

// assign lets the server assign a client its part of one key.
func (q *quotas) assign(c *call) func() {
	client := c.node("client", len(q.clients))
	key := q.keyOf(c)
	return func() {
		var assignment any // null if the server has none
		if a, ok := q.server.Assign(c.at, client, key); ok {
			assignment = q.assignments.add(&a)
		}
		c.set("assignment", assignment)
		q.showServer(key)
	}
}

// rebalance lets the server assign all clients their parts of all keys.
func (q *quotas) rebalance(c *call) func() {
	return func() {
		list, keys := []json.RawMessage{}, []int32{}
		q.server.Rebalance(c.at, func(a rlqs.Assignment) {
			list = append(list, q.assignments.add(&a))
			keys = append(keys, a.Key)
		})
		c.set("assignments", list)
		q.showServer(keys...)
	}
}

func (q *quotas) apply(c *call) func() {
	a, id := q.assignments.argument(c, rlqs.Assignment{Sent: c.at, TTL: q.config.TTL})
	c.within("assignment: client", a.Client, len(q.clients))
	return func() {
		id()
		q.clients[a.Client].Apply(c.at, a)
		q.showClient(c, a.Client, a.Key)
	}
}

func keysOfReport(r *rlqs.Report) (keys []int32) {
	for i := range r.Rows {
		keys = append(keys, r.Rows[i].Key)
	}
	return keys
}

func (q *quotas) showClient(c *call, client int32, keys ...int32) {
	h := q.clients[client]
	q.state = q.statesOf("client", client, keys, func(out *reply, key int32) {
		var shown any // null if the client admits everything
		if level, ok := h.Level(c.at, key); ok {
			shown = level
		}
		out.set("level", shown)
		out.setTime("retry_at_ns", h.RetryAt(c.at, key, 1))
		assigned, ok := h.AssignedAt(key)
		if !ok {
			assigned = -1
		}
		out.setUnless("received_ns", assigned, -1)
		out.set("units_per_request", q.config.Unit)
	})
}

func (q *quotas) showServer(keys ...int32) {
	q.state = q.statesOf("server", 0, keys, func(out *reply, key int32) {
		list := []json.RawMessage{}
		for _, b := range q.server.Subscribers(key) {
			var row reply
			q.write(&row, reflect.ValueOf(b), subscriberMembers)
			list = append(list, row.line())
		}
		out.set("subscribers", list)
		out.set("units_per_request", q.config.Unit)
	})
}
