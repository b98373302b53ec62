// Package batchreported runs batch-reported limiters: the wire between clients that
// decide by themselves and servers that count, and the instants at which they
// report.
package batchreported

import (
	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/random"
)

// Limiter describes clients that decide at once and report counts in batches.
var Limiter = engine.Limiter{
	Entry:    batchreported.Entry(),
	Presets:  batchreported.Presets(),
	Check:    checkReported,
	Executor: newReported,
	Random:   reportedDraws,
	Servers:  engine.TopologyServers,
	AffectedBy: []string{"report-loss", "report-delay", "report-duplicate", "report-reorder", "network", "partition", "clock",
		"store-down", "server-restart", "server-crash", "reshard", "slow-server", "autoscale", "policy-change"},
	MultiPolicy: true,
	KeyBytes:    keyBytes,
	Predict:     predict,
}

// reported runs the batch-reported protocol: it owns the wire between the
// clients, the servers and the store, and the instants at which clients report.
//
// A client's ticks are at its phase plus multiples of the interval. Those at
// which it has nothing to say are left out, so idle time costs nothing.
type reported struct {
	setting *engine.Setting
	config  batchreported.Config
	clients []*batchreported.Client
	fleet   *batchreported.Fleet // that the clients are; nil where they cannot be one
	servers []*batchreported.Server
	phases  []int64 // of each client's ticks
	ticking []bool  // the client's next tick is scheduled
	idle    int     // how many clients are not ticking
	coin    random.Stream
	wire    random.Stream // latencies
	outcome random.Stream // loss and duplication
	latency random.Latency
	load    *measure.Load
	ahead   judged

	owners     reportedOwners
	serverTime int64          // ns a server works on a report
	queues     []fragileQueue // of the servers, where that takes time
	store      *reportedStore // nil: servers count in memory

	events engine.EventHeap
	seq    int64
	calls  []call
	free   []int32
	sent   []int32 // calls made by one tick
	due    []int32 // calls that are counted at this instant
	cycles []cycle
	spare  []int32

	world world
}

// What happens at one instant, in this order.
const (
	gaveUp uint32 = iota // the client of a call has waited long enough
	sendTick
	reportDue // a call comes to its server
	served    // the server has worked on it
	atStore   // it comes to the store
	storeDone // the store has worked on it
	answerDue
)

func reportedConfig(s *engine.Setting, a *scenarios.Algorithm) (batchreported.Config, error) {
	c, err := batchreported.ConfigFrom(a.Options, s.Limit, s.Clients())
	if err != nil || !s.MultiPolicy() {
		return c, err
	}
	for _, p := range s.Policies[1:] {
		further, err := c.PolicyFrom(p.Limit, p.From, s.Clients())
		if err != nil {
			return c, err
		}
		c.Further = append(c.Further, further)
	}
	return c, nil
}

func checkReported(s *engine.Setting, a *scenarios.Algorithm) error {
	_, err := reportedConfig(s, a)
	if err == nil {
		_, err = s.Latency()
	}
	if err == nil {
		_, err = storeHop(s, a.Options.Choice("store"))
	}
	if err == nil {
		_, err = newOwners(s, a, s.Clients())
	}
	return err
}

func reportedDraws(s *engine.Setting, a *scenarios.Algorithm) bool {
	config, err := reportedConfig(s, a)
	if err != nil {
		return false // checkReported says so
	}
	latency, err := s.Latency()
	hop, wrong := storeHop(s, a.Options.Choice("store"))
	return config.Draws() || err == nil && latency.Random() || wrong == nil && hop.Random()
}

func newReported(t *engine.Trial) (engine.Executor, error) {
	r := &reported{
		setting: t.Setting, load: t.Recorder.Load(), ticking: make([]bool, t.Clients()), idle: t.Clients(), serverTime: t.Algorithm.Options.Duration("server_time"),
		coin: t.Stream("coin"), wire: t.Stream("network"), outcome: t.Stream("reports"),
	}
	var err error
	if r.config, err = reportedConfig(t.Setting, t.Algorithm); err != nil {
		return nil, err
	}
	if r.latency, err = t.Latency(); err != nil {
		return nil, err
	}
	phase := t.Stream("phase")
	r.phases = r.config.Ticks(&phase)
	r.fleet = r.newFleet()
	for i := range t.Clients() {
		r.clients = append(r.clients, r.newClient(int32(i)))
	}
	for i := range t.Servers() {
		r.servers = append(r.servers, batchreported.NewServer(&r.config, int32(i), t.Origin))
		r.queues = append(r.queues, newFragileQueue())
	}
	if r.store, err = newReportedStore(t, &r.config); err != nil {
		return nil, err
	}
	if r.owners, err = newOwners(t.Setting, t.Algorithm, t.Clients()); err != nil {
		return nil, err
	}
	if err := r.startWorld(); err != nil {
		return nil, err
	}
	return engine.NewBlockExecutor(t.Sinks, r), nil
}

// expectedPairs is how many pairs of a client and a key, of 12 bytes or more, there
// may be for clients to make room for all keys at once.
const expectedPairs = 1 << 18

func (r *reported) expects() bool {
	return int64(r.setting.Keys)*int64(r.setting.Clients()) <= expectedPairs
}

func (r *reported) newFleet() *batchreported.Fleet {
	if r.setting.MultiPolicy() || !r.expects() {
		return nil
	}
	return batchreported.NewFleet(&r.config, int32(r.setting.Keys))
}

func (r *reported) newClient(id int32) *batchreported.Client {
	if r.fleet != nil {
		return r.fleet.Start(id)
	}
	client := batchreported.NewClient(&r.config, id)
	if r.expects() {
		client.Expect(int32(r.setting.Keys))
	}
	return client
}

// tick schedules a client's first tick after now, where it is not yet.
func (r *reported) tick(now int64, id int32) {
	if !r.ticking[id] {
		r.ticking[id] = true
		r.idle--
		r.schedule(r.nextTick(id, now), sendTick, id)
	}
}

// nextTick is the client's first tick after now; one at now itself has been.
func (r *reported) nextTick(id int32, now int64) int64 {
	phase := r.phases[id]
	if now < phase {
		return phase
	}
	return phase + ((now-phase)/r.config.Interval+1)*r.config.Interval
}

// schedule returns the Seq of the event, by which it can be known later.
func (r *reported) schedule(t int64, kind uint32, ref int32) int64 {
	r.seq++
	r.events.Push(engine.Event{Time: t, Seq: r.seq, Kind: kind, Ref: ref})
	return r.seq
}

func (r *reported) Next() int64 {
	if len(r.events) == 0 {
		return r.world.change
	}
	return min(r.events[0].Time, r.world.change)
}

// Step runs an instant: what changes in the world changes, ticks send, all
// reports that are due are counted, then answered, and the answers that are due
// are applied.
func (r *reported) Step(now int64) {
	if r.world.change <= now {
		r.catchUp(now)
	}
	for len(r.events) > 0 && r.events[0].Time == now {
		kind := r.events[0].Kind
		r.due = r.due[:0]
		for r.isDue(now, kind) {
			r.fire(now, r.events.Pop())
		}
		r.answer(now)
	}
}

func (r *reported) isDue(now int64, kind uint32) bool {
	return len(r.events) > 0 && r.events[0].Time == now && r.events[0].Kind == kind
}

func (r *reported) fire(now int64, e engine.Event) {
	ref := e.Ref
	switch e.Kind {
	case gaveUp:
		r.timeOut(now, ref, e.Seq)
	case sendTick:
		r.send(now, ref)
	case reportDue:
		r.arrive(now, ref)
	case served:
		r.serve(now, ref)
	case atStore:
		r.queueAtStore(now, ref)
	case storeDone:
		r.write(now, ref)
	case answerDue:
		r.receive(now, ref)
	}
}

// Inspect knows until when the client rejects; what the fleet could still admit
// it does not.
func (r *reported) Inspect(key, client int32, now, _ int64) (level, retryAt int64) {
	return engine.UnknownLevel, max(now, r.clients[client].RejectUntil(key))
}
