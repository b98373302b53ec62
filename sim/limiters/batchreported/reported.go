// Package batchreported simulates clients that decide at once and report their
// counts to servers in batches.
//
// The package makes no promise: it can change at any time.
package batchreported

import (
	"cmp"
	"errors"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/network"
)

// Limiter describes clients that decide at once and report counts in batches.
var Limiter = engine.Limiter{
	Entry:       batchreported.Entry(),
	Presets:     batchreported.Presets(),
	Check:       checkReported,
	Executor:    newReported,
	ClientBytes: 1250,
	Random:      reportedDraws,
	Servers:     engine.TopologyServers,
	AffectedBy: []string{"report-loss", "report-delay", "report-duplicate", "report-reorder", "network", "partition", "clock",
		"store-down", "server-restart", "server-crash", "reshard", "server-added", "server-removed", "slow-server", "store-latency", "server-latency", "autoscale", "policy-change"},
	Unaffected: unaffected,
	Settles:    true,
	Reports:    true,
	OneService: true,
	KeyBytes:   keyBytes,
	Predict:    predict,
	Sidecar:    true,
}

// reported runs the clients, the servers, the store and the calls between them.
//
// A client's ticks are at its phase plus multiples of the interval. Ticks at
// which it has nothing to report are left out, so idle time costs nothing.
type reported struct {
	setting     *engine.Setting
	config      batchreported.Config // of the servers
	codes       []code               // of the clients; in a rollout the old one and the new one
	clients     []*batchreported.Client
	fleet       *batchreported.Fleet // the clients, if they can be stored as one
	servers     []*batchreported.Server
	phases      []int64 // by client, of its ticks
	ticking     []bool  // by client: its next tick is scheduled
	oldest      []int64 // by client: the first request that its next report can be about
	idle        int     // number of clients that are not ticking
	load        *measure.Load
	log         *engine.ReportLog // nil unless reports are logged
	unlogged    engine.Report     // what is noted of all calls if they are not
	firstServer int32             // in the log: the number of server 0
	ahead       judged
	settling    settling // if costs become known with the answer

	owners     reportedOwners
	serverTime int64          // ns that a server works on a report
	queues     []fragileQueue // of the servers, if that takes time
	store      *reportedStore // nil: servers count in memory

	agenda network.Agenda
	calls  engine.Pool[call]
	cycles engine.Pool[cycle]
	sent   []int32 // calls of one tick
	due    []int32 // calls that are counted at this instant

	faults network.Changes
	change int64 // when faults or owners next change
	scale  scale
}

// Event kinds, in the order in which they run when they share a timestamp. Ref is
// a call, or a client for sendTick.
const (
	answerArrives uint32 = iota // Ref is a bookEvent
	bookDue                     // Ref is a bookEvent
	sendTick
	reportArrives
	served // by its server
	atStore
	storeDone
	responseArrives
)

func reportedConfig(s *engine.Setting, a *scenarios.Algorithm) (batchreported.Config, error) {
	c, err := batchreported.ConfigFrom(a.Options, s.Limit, s.Clients(), s.ConformingDepth(0, s.Limit))
	if err != nil || !s.MultiPolicy() {
		return c, err
	}
	for i, p := range s.Policies[1:] {
		further, err := c.PolicyFrom(p.Limit, p.From, s.Clients(), s.ConformingDepth(i+1, p.Limit))
		if err != nil {
			return c, err
		}
		c.Further = append(c.Further, further)
	}
	return c, nil
}

func checkReported(s *engine.Setting, a *scenarios.Algorithm) error {
	c, config := reportedConfig(s, a)
	if s.Settles && config == nil && c.Samples() {
		return errors.New("sample cannot be combined with costs that become known with the answer: a request that is not counted cannot be corrected")
	}
	_, hop := storeHop(s, a.Options.Choice("store"))
	_, _, owners := sharding(s, a)
	return cmp.Or(config, hop, owners)
}

func reportedDraws(s *engine.Setting, a *scenarios.Algorithm) bool {
	config, hop := engine.Must(reportedConfig(s, a)), engine.Must(storeHop(s, a.Options.Choice("store")))
	return config.Draws() || batchreported.ConditionsFrom(a.Options).ReportLoss.Num > 0 || network.DrawsLatency(s, a) || hop.Random()
}

func newReported(t *engine.Trial) (engine.Executor, error) {
	parts := t.Algorithm.Stages()
	served := *t // the algorithm of the servers
	served.Algorithm = parts[0]
	if r := t.Algorithm.Rollout; r != nil && r.Service == scenarios.NewService {
		served.Algorithm = parts[1]
	}
	r := &reported{
		setting: t.Setting, config: engine.Must(reportedConfig(t.Setting, served.Algorithm)), load: t.Load(), log: t.ReportLog, firstServer: int32(t.FirstServer), serverTime: served.Algorithm.Options.Duration("server_time"),
		faults: network.NewChanges(t, t.AllServers()),
	}
	for _, part := range parts {
		r.addCode(t, part)
	}
	r.ticking, r.idle = make([]bool, len(r.phases)), len(r.phases)
	r.oldest = make([]int64, len(r.phases))
	r.fleet = r.newFleet()
	for i := range r.phases {
		r.clients = append(r.clients, r.newClient(int32(i)))
	}
	for i := range t.AllServers() {
		r.servers = append(r.servers, batchreported.NewServer(&r.config, int32(i), t.Origin))
		r.queues = append(r.queues, newFragileQueue())
	}
	r.store = newReportedStore(&served, &r.config)
	r.startOwners(&served)
	var decider engine.Decider = r
	if len(parts) > 1 {
		decider = &converting{reported: r, at: engine.NewConversion(t.Setting, t.Algorithm.Rollout)}
	}
	if t.Settles {
		r.startSettling(t)
		return engine.NewOneByOneExecutor(t, decider), r.startFaults()
	}
	return engine.NewBlockExecutor(t.Sinks, decider), r.startFaults()
}

// expectedPairs limits the pairs of a client and a key, of 12 bytes or more, for
// which clients allocate all keys at the start.
const expectedPairs = 1 << 18

func (r *reported) expects() bool {
	return int64(r.setting.Keys)*int64(r.setting.Clients()) <= expectedPairs
}

func (r *reported) newFleet() *batchreported.Fleet {
	if r.setting.MultiPolicy() || !r.expects() || len(r.codes) > 1 {
		return nil
	}
	return batchreported.NewFleet(&r.codes[0].config, int32(r.setting.Keys))
}

func (r *reported) newClient(id int32) *batchreported.Client {
	var client *batchreported.Client
	if r.fleet != nil {
		client = r.fleet.Start(id)
	} else if client = batchreported.NewClient(&r.codeOf(id).config, id); r.expects() {
		client.Expect(int32(r.setting.Keys))
	}
	client.SetClock(r.codeOf(id).Skew(r.gateway(id)))
	return client
}

// tick schedules a client's first tick after now, unless it is scheduled.
func (r *reported) tick(now int64, id int32) {
	if !r.ticking[id] {
		r.ticking[id], r.oldest[id] = true, now
		r.setting.Faults.Clock(r.gateway(id), now) // counts the client
		r.idle--
		r.agenda.Schedule(ticks.After(now, r.phases[id], r.codeOf(id).config.Interval), sendTick, id)
	}
}

func (r *reported) Next() int64 { return min(r.agenda.Next(), r.change) }

// Step runs an instant: faults and owners change, clients report, servers count
// all reports that are due before they respond to them, and clients apply the
// responses that are due.
func (r *reported) Step(now int64) {
	if r.change <= now {
		r.catchUp(now)
	}
	for r.agenda.Next() == now {
		e := r.agenda.Pop()
		r.fire(now, e)
		if !r.agenda.IsDue(now, e.Kind) {
			r.answer(now)
		}
	}
}

func (r *reported) fire(now int64, e engine.Event) {
	ref := e.Ref
	switch e.Kind {
	case answerArrives, bookDue:
		r.runBook(now, ref)
	case sendTick:
		r.send(now, ref)
	case reportArrives:
		r.arrive(now, ref)
	case served:
		r.serve(now, ref)
	case atStore:
		r.queueAtStore(now, ref)
	case storeDone:
		r.write(now, ref)
	case responseArrives:
		r.receive(now, ref)
	}
}

// Inspect returns until when the client rejects. It does not know what all clients
// together could still admit.
func (r *reported) Inspect(key, client int32, now, _ int64) (level, retryAt int64) {
	return engine.UnknownLevel, max(now, r.clients[client].RejectUntil(key))
}
