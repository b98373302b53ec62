package gossip

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/gossip"
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/network"
	"github.com/limitgauge/limitgauge/sim/random"
)

// Limiter describes clients that exchange demand estimates with peers.
var Limiter = engine.Limiter{
	Entry:      gossip.Entry(),
	Presets:    gossip.Presets(),
	Check:      checkGossip,
	Executor:   newGossip,
	Random:     gossipDraws,
	Servers:    network.ClientsServe,
	AffectedBy: []string{"report-loss", "report-delay", "report-reorder", "network", "partition", "server-restart", "server-crash", "autoscale", "policy-change"},
}

// What happens at one instant, in this order, after the world has changed.
const (
	estimateDue uint32 = iota + 1 // a limiter estimates, and tells others
	newsArrives
)

// gossips runs the limiters: it owns the wire between them and the instants at
// which they estimate. A limiter that has nothing to estimate or to tell does not
// tick, so idle time costs nothing.
type gossips struct {
	*network.Messages[gossip.Message]
	config  gossip.Config
	options catalog.Values
	nodes   []*gossip.Node
	first   []int64 // each limiter's first tick
	ticking []bool  // a limiter's next tick is scheduled
	coin    random.Stream
	choice  random.Stream // of the others to tell, with a branching factor
	others  []int32
	load    *measure.Load
	world   network.PeerGroup
}

func checkGossip(s *engine.Setting, a *scenarios.Algorithm) error {
	config, err := gossip.ConfigFrom(a.Options, s.Limit, s.Clients())
	if err == nil {
		err = config.CheckMemory(s.Keys)
	}
	if err == nil {
		_, err = s.Latency()
	}
	return err
}

func gossipDraws(s *engine.Setting, a *scenarios.Algorithm) bool {
	config, err := gossip.ConfigFrom(a.Options, s.Limit, s.Clients())
	return err == nil && (!config.Shares || config.Branching > 0 || config.Phase.Draws()) || network.DrawsLatency(s)
}

func newGossip(t *engine.Trial) (engine.Executor, error) {
	config, err := gossip.ConfigFrom(t.Algorithm.Options, t.Limit, t.Clients())
	if err != nil {
		return nil, err
	}
	w, err := network.NewMessages[gossip.Message](t)
	if err != nil {
		return nil, err
	}
	g := &gossips{
		Messages: w, config: config, options: t.Algorithm.Options, load: t.Recorder.Load(), world: network.NewPeerGroup(t),
		ticking: make([]bool, t.Clients()), coin: t.Stream("coin"), choice: t.Stream("neighbours"),
	}
	phase := t.Stream("phase")
	g.first = config.Phase.First(t.Clients(), config.Interval, &phase)
	for i := range int32(t.Clients()) {
		g.nodes = append(g.nodes, gossip.NewNode(&g.config, i))
		g.others = append(g.others, i)
	}
	err = t.CheckLimits(func(s *engine.Setting, limit counter.Limit) error {
		_, err := gossip.ConfigFrom(t.Algorithm.Options, limit, s.Clients())
		return err
	})
	if err != nil {
		return nil, err
	}
	return engine.NewBlockExecutor(t.Sinks, g), nil
}

func (g *gossips) Decide(a *engine.Arrivals, lo, hi int, verdicts []counter.Verdict) int {
	cut := g.Next()
	for i := lo; i < hi; i++ {
		id, now := a.Client[i], a.Time[i]
		if now >= cut {
			return i - lo // a tick that an earlier one of these made due
		}
		node := g.nodes[id]
		verdicts[i-lo] = node.Decide(now, a.Key[i], a.Tenant[i], a.Cost[i], &g.coin)
		if heard, ok := node.HeardAt(a.Key[i]); ok {
			g.load.Staleness(now, now-heard)
		}
		if !g.ticking[id] && node.Awake() {
			g.wake(now, id)
			cut = g.Next()
		}
	}
	return hi - lo
}

// wake schedules a limiter's next tick.
func (g *gossips) wake(now int64, id int32) {
	g.ticking[id] = true
	g.Schedule(ticks.After(now, g.first[id], g.config.Interval), estimateDue, id)
}

func (g *gossips) Step(now int64) {
	for _, ok := g.Due(now, network.FaultsChange); ok; _, ok = g.Due(now, network.FaultsChange) {
		g.world.Apply(now, g)
		g.Follow(now)
	}
	for id, ok := g.Due(now, estimateDue); ok; id, ok = g.Due(now, estimateDue) {
		g.tick(now, id)
	}
	for ref, ok := g.Due(now, newsArrives); ok; ref, ok = g.Due(now, newsArrives) {
		g.hear(now, g.Open(ref))
	}
}

// lose empties the memory of a limiter: the server of a number is the client of
// that number.
func (g *gossips) Lose(r faults.Restart) {
	if r.Server >= 0 && int(r.Server) < len(g.nodes) {
		g.nodes[r.Server].Clear()
	}
}

// scale has the limiters that are there forget those that went, as if these had
// taken their leave.
func (g *gossips) Scale(_ int64, alive, was int32) {
	for id := alive; id < was; id++ {
		g.nodes[id].Clear()
	}
	g.config.Alive = int(alive)
	g.others = g.others[:0]
	for i := range alive {
		g.others = append(g.others, i)
		for id := alive; id < was; id++ {
			g.nodes[i].Forget(id)
		}
	}
}

func (g *gossips) Relimit(now int64, limit counter.Limit) {
	if o := g.options; o.Set("burst") {
		limit.Burst = o.Int("burst")
	}
	for _, node := range g.nodes {
		node.Relimit(now, limit)
	}
	g.config.Limit = limit
}

func (g *gossips) tick(now int64, id int32) {
	node := g.nodes[id]
	number, message := g.Blank()
	node.Tick(now, message)
	if g.ticking[id] = node.Awake(); g.ticking[id] {
		g.wake(now, id)
	}
	if len(message.Rows) > 0 && g.there(now, id) {
		told := g.chosen(id)
		for _, to := range told {
			g.Send(now, newsArrives, id, to, number)
		}
		g.load.Fanout(now, len(told))
	}
	g.Discard(number)
}

// chosen are the others that a limiter tells now: all, or as many as the
// branching factor says, drawn without replacement.
func (g *gossips) chosen(id int32) []int32 {
	// The limiter itself comes last, the others in any order before it.
	n := len(g.others) - 1
	for i, other := range g.others {
		if other == id {
			g.others[i], g.others[n] = g.others[n], id
			break
		}
	}
	told := g.config.Told()
	if told < n {
		for i := range told {
			j := i + int(g.choice.Below(uint64(n-i)))
			g.others[i], g.others[j] = g.others[j], g.others[i]
		}
	}
	return g.others[:told]
}

// there reports whether a limiter can speak and hear.
func (g *gossips) there(now int64, id int32) bool {
	return id < g.world.Alive && !g.Faults.ServerDown(now, id)
}

func (g *gossips) hear(now int64, p network.Delivery) {
	message := g.Payload(p.Message)
	if g.there(now, p.To) && p.From < g.world.Alive {
		g.load.Call(now, int(p.To), int64(len(message.Rows)))
		g.load.ReportLatency(now, now-p.Sent)
		node := g.nodes[p.To]
		node.Hear(now, message)
		if !g.ticking[p.To] && node.Awake() {
			g.wake(now, p.To)
		}
	}
	g.Done(p)
}

// Inspect looks at the client's own bucket, where it has one.
func (g *gossips) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	level, retryAt, ok := g.nodes[client].Look(now, key, cost)
	if !ok {
		return engine.UnknownLevel, now
	}
	return level, retryAt
}
