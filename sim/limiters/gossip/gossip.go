// Package gossip simulates clients that exchange demand estimates with all peers
// or with random ones.
//
// The package makes no promise: it can change at any time.
package gossip

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/gossip"
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/network"
)

// Limiter describes clients that exchange demand estimates with peers.
var Limiter = engine.Limiter{
	Entry:      gossip.Entry(),
	Presets:    gossip.Presets(),
	Check:      engine.CheckPerPolicy(checkGossip),
	Executor:   engine.PerPolicy(newGossip),
	Random:     gossipDraws,
	Servers:    network.ClientsServe,
	AffectedBy: []string{"report-loss", "report-delay", "report-reorder", "network", "partition", "server-restart", "server-crash", "autoscale", "policy-change"},
	Unaffected: unaffected,
	Sidecar:    true,
}

// Event kinds, in the order in which they run when they share a timestamp.
const (
	tickDue uint32 = iota // a client estimates its demand and sends it to others
	messageArrives
)

// unaffected returns why a fault cannot affect an algorithm.
func unaffected(_ *engine.Setting, _ *scenarios.Algorithm, f *scenarios.Fault) string {
	if f.Owned() {
		return "its clients own no keys"
	}
	return ""
}

// gossips runs the clients and the messages between them. A client without
// pending estimates or messages does not tick, so idle time costs nothing.
type gossips struct {
	*network.Messages[gossip.Message]
	config  gossip.Config
	options catalog.Values
	nodes   []*gossip.Node
	first   []int64 // by client: its first tick
	ticking []bool  // by client: its next tick is scheduled
	coin    random.Stream
	choice  random.Stream // of receivers, with a branching factor
	others  []int32       // active clients
	load    *measure.Load
}

func checkGossip(s *engine.Setting, a *scenarios.Algorithm) error {
	config, err := gossip.ConfigFrom(a.Options, s.Limit, s.Clients())
	if err == nil {
		err = config.CheckMemory(s.Keys)
	}
	return err
}

func gossipDraws(s *engine.Setting, a *scenarios.Algorithm) bool {
	config := engine.Must(gossip.ConfigFrom(a.Options, s.Limit, s.Clients()))
	return !config.Shares || config.Branching > 0 || config.Phase.Draws() || network.DrawsLatency(s, a)
}

func newGossip(t *engine.Trial) (engine.Executor, error) {
	config := engine.Must(gossip.ConfigFrom(t.Algorithm.Options, t.Limit, t.Clients()))
	// The stream for the choice of peers keeps its old name, neighbours, because
	// a stream's name determines its random numbers.
	g := &gossips{
		config: config, options: t.Algorithm.Options, load: t.Load(),
		ticking: make([]bool, t.Clients()), coin: t.Stream("coin"), choice: t.Stream("neighbours"),
	}
	g.Messages = network.NewMessages[gossip.Message](t, t.Clients(), g.fire, g.applyFaults)
	phase := t.Stream("phase")
	g.first = config.Phase.First(t.Clients(), config.Interval, &phase)
	for i := range int32(t.Clients()) {
		g.nodes = append(g.nodes, gossip.NewNode(&g.config, i))
		g.others = append(g.others, i)
	}
	return engine.NewBlockExecutor(t.Sinks, g), t.CheckLimits(func(limit counting.Limit) error {
		_, err := gossip.ConfigFrom(t.Algorithm.Options, limit, t.Clients())
		return err
	})
}

func (g *gossips) Decide(a *engine.Arrivals, lo, hi int, verdicts []counting.Verdict) int {
	cut := g.Next()
	for i := lo; i < hi; i++ {
		id, now := a.Client[i], a.Time[i]
		if now >= cut {
			return i - lo // a tick that an earlier one of these made due
		}
		node := g.nodes[id]
		verdicts[i-lo] = node.Decide(now, a.Key[i], a.Tenant[i], a.Cost[i], &g.coin)
		g.Faults.Holds(id, a.Key[i])
		if heard, ok := node.ReceivedAt(a.Key[i]); ok {
			g.load.Staleness(now, now-heard)
		}
		if !g.ticking[id] && node.Active() {
			g.wake(now, id)
			cut = g.Next()
		}
	}
	return hi - lo
}

// wake schedules a client's next tick.
func (g *gossips) wake(now int64, id int32) {
	g.ticking[id] = true
	g.Schedule(ticks.After(now, g.first[id], g.config.Interval), tickDue, id)
}

func (g *gossips) fire(e engine.Event) {
	if e.Kind == tickDue {
		g.tick(e.Time, e.Ref)
	} else {
		g.receive(e.Time, g.Receive(e.Ref))
	}
}

// applyFaults restarts clients, which have the numbers of servers too, stops
// those that autoscaling removes and changes the limit.
func (g *gossips) applyFaults(c network.Change) {
	for _, id := range c.Restarted {
		g.nodes[id].Clear()
	}
	if c.Active != c.Before {
		g.scale(c.Active, c.Before)
	}
	if c.Limited {
		g.relimit(c.At, c.Limit)
	}
}

// scale stops clients, or starts them again with an empty memory. The active
// clients forget those that have stopped.
func (g *gossips) scale(active, before int32) {
	for id := active; id < before; id++ {
		g.nodes[id].Clear()
	}
	g.config.Alive = int(active)
	g.others = g.others[:0]
	for i := range active {
		g.others = append(g.others, i)
		for id := active; id < before; id++ {
			g.nodes[i].Forget(id)
		}
	}
}

func (g *gossips) relimit(now int64, limit counting.Limit) {
	limit = engine.Must(gossip.ConfigFrom(g.options, limit, len(g.nodes))).Limit
	for _, node := range g.nodes {
		node.Relimit(now, limit)
	}
	g.config.Limit = limit
}

// tick has a client estimate its demand and send a message, unless it is empty.
func (g *gossips) tick(now int64, id int32) {
	node := g.nodes[id]
	number, message := g.New()
	node.Tick(now, message)
	if g.ticking[id] = node.Active(); g.ticking[id] {
		g.wake(now, id)
	}
	if len(message.Rows) > 0 && g.Up(now, id) {
		receivers := g.choose(id)
		for _, to := range receivers {
			g.Send(now, messageArrives, id, to, number)
		}
		g.load.Fanout(now, len(receivers))
	}
	g.Discard(number)
}

// choose returns the clients to which a client sends now: all others, or as many
// as the branching factor, drawn without replacement.
func (g *gossips) choose(id int32) []int32 {
	// The client itself comes last, the others before it in any order.
	n := len(g.others) - 1
	for i, other := range g.others {
		if other == id {
			g.others[i], g.others[n] = g.others[n], id
			break
		}
	}
	receivers := g.config.Receivers()
	if receivers < n {
		for i := range receivers {
			j := i + int(g.choice.Below(uint64(n-i)))
			g.others[i], g.others[j] = g.others[j], g.others[i]
		}
	}
	return g.others[:receivers]
}

func (g *gossips) receive(now int64, d network.Delivery) {
	message := g.Payload(d.Message)
	if g.Up(now, d.To) && d.From < g.Active {
		g.load.Call(now, int(d.To), int64(len(message.Rows)))
		g.load.ReportLatency(now, now-d.Sent)
		node := g.nodes[d.To]
		for i := range message.Rows {
			g.Faults.Holds(d.To, message.Rows[i].Key)
		}
		node.Receive(now, message)
		if !g.ticking[d.To] && node.Active() {
			g.wake(now, d.To)
		}
	}
	g.Done(d)
}

// Admits implements engine.Judge.
func (g *gossips) Admits(key, client int32, now, cost int64) bool {
	return g.nodes[client].Admits(now, key, cost)
}

// Inspect returns the level of the client's own bucket, if it has one.
func (g *gossips) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	level, retryAt, ok := g.nodes[client].Look(now, key, cost)
	if !ok {
		return engine.UnknownLevel, now
	}
	return level, retryAt
}
