package step

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/delayedsync"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

func delayedSync() pair {
	return pair{entry: delayedsync.Entry(), open: (*Session).stepDelayedSync, unused: []string{"interval", "phase"}}
}

// syncing is a session with the nodes of delayed-sync, which are the clients, and
// their store.
type syncing struct {
	halves
	config  delayedsync.Config
	nodes   []syncNode
	store   *delayedsync.Store
	flushes box[delayedsync.Flush]
	answers box[delayedsync.Answer]
	asked   *delayedsync.AnswerRow // by the decision of the call
}

// syncNode is a Quota or a Tally.
type syncNode interface {
	Decide(now int64, key int32, cost int64) counter.Verdict
	Flush(now int64, f *delayedsync.Flush)
	Apply(now int64, f *delayedsync.Flush, a *delayedsync.Answer)
	Fail(now int64, f *delayedsync.Flush)
	Level(now int64, key int32) (level, retryAt int64)
	SyncedAt(key int32) (at int64, ok bool)
}

func (s *Session) stepDelayedSync(counterName string, limit counter.Limit, v catalog.Values) error {
	config, err := delayedsync.ConfigFrom(v, limit, counterName)
	if err != nil {
		return err
	}
	y := &syncing{config: config}
	y.store = delayedsync.NewStore(&y.config)
	for i := range int32(v.Int("clients")) {
		if config.Pull == delayedsync.Counts {
			y.nodes = append(y.nodes, delayedsync.NewTally(&y.config, i))
			continue
		}
		y.nodes = append(y.nodes, delayedsync.NewQuota(&y.config, i, func(now int64, key int32, delta int64) (delayedsync.AnswerRow, bool) {
			row := y.store.Commit(now, key, delta)
			y.asked = &row
			return row, true
		}))
	}
	key := member{name: "key", field: "Key", as: asKey}
	y.flushes = box[delayedsync.Flush]{h: &y.halves, name: "flush", members: []member{
		{name: "client", field: "Node"}, {name: "sent_ns", field: "SentAt", as: asTime},
		{name: "rows", field: "Rows", as: asList, rows: []member{key, {name: "delta", field: "Delta"}, {name: "earlier", field: "Earlier"}}},
	}}
	row := []member{key, {name: "remaining", field: "Remaining", as: asSigned}, {name: "reset_for_ns", field: "Reset", as: asTime}}
	if config.Pull == delayedsync.Counts {
		row = []member{key, {name: "current", field: "Current"}, {name: "previous", field: "Previous"}}
	}
	y.answers = box[delayedsync.Answer]{h: &y.halves, name: "answer", members: []member{{name: "rows", field: "Rows", as: asList, rows: row}}}
	decide := y.deciding("decide", len(y.nodes), func(c *call, node, key int32, cost int64) {
		y.asked = nil
		verdict := y.nodes[node].Decide(c.at, key, cost)
		if y.asked != nil { // the node has called the store during the request
			c.set("answer", y.answers.add(&delayedsync.Answer{Rows: []delayedsync.AnswerRow{*y.asked}}))
		}
		c.setVerdict(verdict.Admitted())
		y.showNode(c, node, key)
	})
	y.run(s, decide, op{"flush", y.flush}, op{"answer", y.answer}, op{"apply", y.apply}, op{"give_up", y.giveUp})
	return nil
}

func (y *syncing) flush(c *call) func() {
	node := c.node("client", len(y.nodes))
	return func() {
		f := &delayedsync.Flush{}
		y.nodes[node].Flush(c.at, f)
		c.set("flush", y.flushes.add(f))
		y.showNode(c, node, keysOfFlush(f)...)
	}
}

func keysOfFlush(f *delayedsync.Flush) (keys []int32) {
	for i := range f.Rows {
		keys = append(keys, f.Rows[i].Key)
	}
	return keys
}

func (y *syncing) flushOf(c *call) (*delayedsync.Flush, func() int) {
	f, id := y.flushes.argument(c, delayedsync.Flush{SentAt: c.at})
	c.within("flush: client", f.Node, len(y.nodes))
	return f, id
}

func (y *syncing) answer(c *call) func() {
	f, id := y.flushOf(c)
	return func() {
		id()
		a := &delayedsync.Answer{}
		y.store.Answer(f, a)
		c.set("answer", y.answers.add(a))
		y.state = y.statesOf("store", 0, keysOfFlush(f), func(out *reply, key int32) { out.setFields(y.store.State(key)) })
	}
}

func (y *syncing) apply(c *call) func() {
	f, flushID := y.flushOf(c)
	a, id := y.answers.argument(c, delayedsync.Answer{})
	if c.err == nil && y.config.Pull == delayedsync.Remaining && len(a.Rows) != len(f.Rows) {
		c.fail(fmt.Errorf("the answer has %d rows and the flush %d: want an answer to this flush", len(a.Rows), len(f.Rows)))
	}
	return func() {
		flushID()
		id()
		y.nodes[f.Node].Apply(c.at, f, a)
		var keys []int32
		for i := range a.Rows {
			keys = append(keys, a.Rows[i].Key)
		}
		y.showNode(c, f.Node, keys...)
	}
}

func (y *syncing) giveUp(c *call) func() {
	f, id := y.flushOf(c)
	return func() {
		id()
		y.nodes[f.Node].Fail(c.at, f)
		y.showNode(c, f.Node, keysOfFlush(f)...)
	}
}

func (y *syncing) showNode(c *call, node int32, keys ...int32) {
	y.state = y.statesOf("client", node, keys, func(out *reply, key int32) {
		level, retryAt := y.nodes[node].Level(c.at, key)
		out.set("level", level)
		out.setTime("retry_at_ns", retryAt)
		synced, ok := y.nodes[node].SyncedAt(key)
		if !ok {
			synced = -1
		}
		out.setUnless("received_ns", synced, -1)
	})
}
