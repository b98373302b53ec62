package sim

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/random"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
)

// spyExecutor records the arrivals and the verdicts of a block executor.
type spyExecutor struct {
	*engine.BlockExecutor
	time, cost  []int64
	key, client []int32
	decided     []counting.Verdict
}

func (s *spyExecutor) Advance(ctx context.Context, a *engine.Arrivals) {
	s.BlockExecutor.Advance(ctx, a)
	s.time, s.cost = append(s.time, a.Time...), append(s.cost, a.Cost...)
	s.key, s.client = append(s.key, a.Key...), append(s.client, a.Client...)
	s.decided = append(s.decided, s.Verdicts(len(a.Time))...)
}

// drawFleet draws a scenario of clients that report in batches, with any options of
// the protocol.
func drawFleet(t *rapid.T) string {
	pick := func(name string, from ...string) string { return rapid.SampledFrom(from).Draw(t, name) }
	options := []string{
		"interval: " + pick("interval", "10ms", "25ms", "37ms", "100ms"),
		"phase: " + pick("phase", "aligned", "staggered", "random", "common-random", "{offsets: {at: [0s, 500us]}}"),
		"report_loss: " + pick("loss", "0%", "20%"),
		"lost_reports: " + pick("lost", "dropped", "resent"),
		"clock_skew: " + pick("skew", "{by: 0s}", "{by: 20ms, share: 50%, direction: both}"),
		"reject_til_as: " + pick("as", "absolute", "duration"),
		"unknown: " + pick("unknown", "optimistic", "pessimistic"),
		"local_limit: " + pick("local", "off", "auto", "{share: {share: 150%}}"),
		"sample: " + pick("sample", "100%", "100%", "30%"),
		"group_by_owner: " + pick("grouped", "true", "false"),
		"server_time: " + pick("server time", "0s", "0s", "200us"),
		"moved_state: " + pick("moved", "lost", "kept"),
	}
	if pick("answer", "reject-til", "rate") == "rate" {
		options = append(options, "rejection_rate: true", "reject_til: "+pick("also til", "true", "false"),
			"thinning: "+pick("thinning", "coin", "diffusion"), "rate_ttl: "+pick("ttl", "1s", "30ms"),
			"estimate: "+pick("estimate", "previous-second", "trailing-second", "{ewma: {a: 0.3}}"),
			"count_rejected_in_estimate: "+pick("rejected", "true", "false"))
	}
	if pick("counter", "windows", "debt") == "debt" {
		options = append(options, "counter: token-bucket", "debt: true", "burst: "+pick("burst", "0", "7"), "order: "+pick("order", "debit-refill", "refill-debit", "literal"))
	} else {
		options = append(options, "counter: fixed-window", "count_in: "+pick("count in", "arrival", "sent"))
	}
	faults := ""
	some := rapid.SliceOfNDistinct(rapid.SampledFrom(fleetFaults), 0, 3, rapid.ID).Draw(t, "faults")
	if !slices.ContainsFunc(some, func(f string) bool { return strings.Contains(f, "reshard") }) {
		some = append(some, pick("servers", "", serverAdded, serverRemoved, serverAdded+", "+serverRemoved))
	}
	if some = slices.DeleteFunc(some, func(f string) bool { return f == "" }); len(some) > 0 {
		faults = "faults: [" + strings.Join(some, ", ") + "]"
	}
	return fmt.Sprintf(`
version: 1
seed: %d
duration: 2200ms
algorithms:
  tested: {enforcement: batch-reported, %s}
scenarios:
  - name: fleet
    policy: {limit: %s, burst: 20}
    topology: {clients: %d, servers: %d, network: %s}
    traffic:
      - {pattern: %s, rate: %s, keys: %s, cost: %s}
    algorithms: [tested]
    %s
`, rapid.Uint32().Draw(t, "seed"), strings.Join(options, ", "), pick("limit", "30/s", "20/100ms", "200/s"),
		rapid.IntRange(1, 9).Draw(t, "clients"), rapid.IntRange(2, 4).Draw(t, "servers"),
		pick("network", "0s", "1ms", "7ms", "{exponential: {p99: 20ms}}", "{lognormal: {p50: 5ms, p99: 60ms}}"),
		pick("pattern", "constant", "poisson"), pick("rate", "200/s", "1000/s", "1500/s"),
		pick("keys", "one", "{uniform: {count: 30}}", "{zipf: {count: 40}}"), pick("cost", "1", "{uniform: {max: 3}}"), faults)
}

// fleetFaults are all faults that affect batch-reported.
var fleetFaults = []string{
	"{report-loss: {from: 200ms, p: 20%, expect_no_effect: true}}",
	"{report-delay: {from: 100ms, to: 900ms, p: 30%, delay: 30ms, expect_no_effect: true}}",
	"{report-duplicate: {p: 30%, expect_no_effect: true}}",
	"{report-reorder: {from: 300ms, p: 30%, delay: 11ms, expect_no_effect: true}}",
	"{network: {from: 500ms, to: 1500ms, latency: {exponential: {p99: 80ms}}, expect_no_effect: true}}",
	"{partition: {from: 300ms, to: 800ms, every: 900ms, share: 40%, expect_no_effect: true}}",
	"{clock: {from: 400ms, share: 60%, behind: 50ms, fast: 20000, expect_no_effect: true}}",
	"{server-restart: {from: 700ms, down_for: 200ms, expect_no_effect: true}}",
	"{server-restart: {from: 350ms, every: 500ms, servers: 0, state: kept, down_for: 50ms, expect_no_effect: true}}",
	"{server-crash: {from: 1100ms, server: 0, noticed_after: 300ms, expect_no_effect: true}}",
	"{reshard: {from: 450ms, every: 400ms, share: 50%, two_owners_for: 60ms, stale_for: 90ms, expect_no_effect: true}}",
	"{slow-server: {from: 500ms, to: 900ms, factor: 5, expect_no_effect: true}}",
	"{policy-change: {from: 600ms, to: 1600ms, factor: 0.5}}",
}

// Changes of the servers that faults of kind reshard cannot be combined with.
const (
	serverAdded   = "{server-added: {from: 650ms, stale_for: 300ms, stale_share: 50%, expect_no_effect: true}}"
	serverRemoved = "{server-removed: {from: 900ms, server: 1, two_owners_for: 70ms, stale_for: 110ms, stale_share: 70%, expect_no_effect: true}}"
)

// TestReportedAgainstOneEventAtATime checks that the block executor, which is cut
// at control instants and skips the ticks of silent clients, decides every request
// as a reference model that runs one event at a time.
func TestReportedAgainstOneEventAtATime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sharding := rapid.SampledFrom([]string{"hash", "{modulo: {propagation: 0s}}", "{modulo: {propagation: 40ms}}"}).Draw(t, "sharding")
		text := strings.Replace(drawFleet(t), "enforcement: batch-reported,", "enforcement: batch-reported, sharding: "+sharding+",", 1)
		plans, problems, err := prepare(context.Background(), load(t, text), &logReader{})
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		p := plans[0]
		j := &job{plan: p, rows: p.rows[1:2]}
		c, _, err := j.build(nil)
		if err != nil {
			t.Fatal(err)
		}
		spy := &spyExecutor{BlockExecutor: c.executors[0].(*engine.BlockExecutor)}
		c.executors[0] = spy
		if err := c.run(context.Background(), func(int64, int64) {}); err != nil {
			t.Fatal(err)
		}
		fleet := newNaiveFleet(t, p)
		for i, now := range spy.time {
			want := fleet.decide(now, spy.client[i], spy.key[i], spy.cost[i])
			if got := spy.decided[i]; got != want {
				t.Fatalf("request %d of %d at %d: admitted %v by %v, want %v by %v\n%s",
					i, len(spy.time), now, got.Admitted(), got.Cause(), want.Admitted(), want.Cause(), text)
			}
		}
	})
}

// naiveFleet is a reference model of the protocol. It keeps messages in lists, runs
// every instant at which anything happens, and asks the timeline for the faults
// each time.
type naiveFleet struct {
	config              batchreported.Config
	conditions          batchreported.Conditions
	setting             *engine.Setting
	options             catalog.Values
	faults              *faults.Timeline
	clients             []*batchreported.Client
	servers             []*batchreported.Server
	busyUntil           []int64
	phases              []int64
	latency             random.Latency
	coin, wire, outcome random.Stream
	now                 int64
	limit               counting.Limit // in force
	owner               []int32
	moved               *faults.Owners // nil unless faults move keys at random
	assignments         []naiveAssignment
	talking             []int32 // clients with pending counts, in the order of their first one
	messages            []*naiveMessage
}

// naiveAssignment is the list of servers that own keys from a time on.
type naiveAssignment struct {
	from    int64
	servers []int32
}

// naiveMessage is a report until it is answered, then its response.
type naiveMessage struct {
	at, back  int64
	where     naiveWhere
	duplicate bool
	dead      bool // its server failed while it waited there
	report    batchreported.Report
	answer    batchreported.Answer
}

type naiveWhere int

const (
	toServer naiveWhere = iota
	inService
	toClient
	nowhere
)

func newNaiveFleet(t *rapid.T, p *plan) *naiveFleet {
	a := p.rows[1].algorithm
	topology := p.scenario.Topology
	setting, err := p.setting(0)
	if err != nil {
		t.Fatal(err)
	}
	config, err := batchreported.ConfigFrom(a.Options, p.limit, topology.Clients, setting.ConformingDepth(0, p.limit))
	if err != nil {
		t.Fatal(err)
	}
	stream := func(what string) random.Stream {
		return random.New(p.scenario.Seed, 0, "algorithm/tested/"+what)
	}
	n := &naiveFleet{config: config, conditions: batchreported.ConditionsFrom(a.Options), limit: p.limit, options: a.Options, coin: stream("coin"), wire: stream("network"), outcome: stream("reports"), now: -1, setting: setting}
	n.faults, n.latency = n.setting.Faults, n.setting.Latency()
	phase := stream("phase")
	n.phases = config.Ticks(&phase)
	for i := range topology.Clients {
		n.clients = append(n.clients, batchreported.NewClient(&n.config, int32(i)))
		n.clients[i].SetClock(n.conditions.Skew(int32(i)))
	}
	for i := range n.setting.AllServers() {
		n.servers = append(n.servers, batchreported.NewServer(&n.config, int32(i), 0))
	}
	n.busyUntil = make([]int64, len(n.servers))
	n.assignments = []naiveAssignment{{0, n.owning(-1)}}
	for key := range n.setting.Keys {
		n.owner = append(n.owner, n.assigned(int32(key), 0))
	}
	if n.faults.Moves() {
		n.moved = faults.NewOwners(n.faults, n.owner, len(n.servers))
	}
	return n
}

func (n *naiveFleet) decide(now int64, client, key int32, cost int64) counting.Verdict {
	for next := n.next(); next <= now; next = n.next() {
		n.instant(next)
	}
	n.now = now
	v := n.clients[client].Decide(now, key, cost, &n.coin)
	n.talk(client)
	return v
}

// talk records that a client has pending counts to report at its next tick.
func (n *naiveFleet) talk(client int32) {
	if !slices.Contains(n.talking, client) {
		n.talking = append(n.talking, client)
	}
}

// next returns the next time after now at which a message arrives, a client with
// pending counts ticks, or faults change.
func (n *naiveFleet) next() int64 {
	next := n.faults.Next(n.now)
	for _, m := range n.messages {
		next = min(next, m.at)
	}
	for _, id := range n.talking {
		tick := n.phases[id]
		for tick <= n.now {
			tick += n.config.Interval
		}
		next = min(next, tick)
	}
	return next
}

// instant runs everything due at now, in this order: faults change; ticks
// send; all reports are counted, then answered; responses are applied.
func (n *naiveFleet) instant(now int64) {
	if n.faults.Next(now-1) == now {
		n.change(now)
	}
	n.now = now
	talking := n.talking
	n.talking = nil
	for _, id := range talking {
		if now >= n.phases[id] && (now-n.phases[id])%n.config.Interval == 0 {
			n.send(now, id)
		} else {
			n.talk(id)
		}
	}
	var counted []*naiveMessage
	for _, m := range n.due(now, toServer) {
		if work := n.options.Duration("server_time"); work > 0 && !n.faults.ServerDown(now, m.report.Server) {
			free := &n.busyUntil[m.report.Server]
			*free = max(*free, now) + n.faults.Slow(now, work)
			n.carry(m, *free, inService)
		} else if n.count(now, m) {
			counted = append(counted, m)
		}
	}
	n.reply(now, counted)
	counted = nil
	for _, m := range n.due(now, inService) {
		if n.count(now, m) {
			counted = append(counted, m)
		}
	}
	n.reply(now, counted)
	for _, m := range n.due(now, toClient) {
		n.readClock(now, m.report.Client)
		n.clients[m.report.Client].Apply(now, &m.answer)
	}
}

// count gives a report to its server and reports whether the server accepts it.
func (n *naiveFleet) count(now int64, m *naiveMessage) bool {
	if m.dead || m.where == toServer && n.faults.ServerDown(now, m.report.Server) {
		n.refuse(m)
		return false
	}
	foreign := &naiveMessage{report: m.report}
	foreign.report.Rows = nil
	var own []batchreported.ReportRow
	for _, row := range m.report.Rows {
		if n.moved == nil || n.moved.Takes(now, row.Key, m.report.Server) {
			own = append(own, row)
		} else {
			foreign.report.Rows = append(foreign.report.Rows, row)
		}
	}
	if own == nil {
		n.refuse(m)
		return false
	}
	m.report.Rows = own
	if foreign.report.Rows != nil && !m.duplicate {
		n.refuse(foreign)
	}
	n.servers[m.report.Server].Receive(now, &m.report)
	return true
}

// refuse ends a report that its server does not accept.
func (n *naiveFleet) refuse(m *naiveMessage) {
	if !m.duplicate {
		n.clients[m.report.Client].Unanswered(&m.report)
	}
	n.lose(m)
}

func (n *naiveFleet) reply(now int64, counted []*naiveMessage) {
	for _, m := range counted {
		n.servers[m.report.Server].Answer(now, &m.report, &m.answer)
		outcome := n.faults.Message(now, &n.outcome, true)
		if outcome.Lost || n.faults.Cut(now, m.report.Client) {
			n.lose(m)
		} else {
			n.carry(m, now+m.back+outcome.Delay, toClient)
		}
	}
}

// change applies the faults that begin or end at now.
func (n *naiveFleet) change(now int64) {
	limit := n.setting.LimitAt(n.setting.Limit, now)
	p, err := n.config.PolicyFrom(limit, 0, len(n.clients), n.setting.ConformingDepth(0, limit))
	if err != nil {
		panic(err)
	}
	for _, l := range n.faults.Lost(now-1, now) {
		if l.Server >= 0 && int(l.Server) < len(n.servers) {
			n.servers[l.Server] = batchreported.NewServer(&n.config, l.Server, now)
			n.servers[l.Server].Relimit(now, 0, p.Limit, p.Bucket)
		}
	}
	n.moveKeys(now)
	for i, s := range n.servers {
		if n.faults.ServerDown(now, int32(i)) {
			n.busyUntil[i] = 0
			for _, m := range n.messages {
				m.dead = m.dead || m.where == inService && m.report.Server == int32(i)
			}
		}
		if limit != n.limit {
			s.Relimit(now, 0, p.Limit, p.Bucket)
		}
	}
	for id, c := range n.clients {
		if limit != n.limit {
			c.Relimit(now, 0, p.Local)
		}
		n.readClock(now, int32(id))
	}
	n.limit = limit
}

func (n *naiveFleet) readClock(now int64, id int32) {
	if n.faults != nil {
		n.clients[id].SetClock(n.conditions.Skew(id) + n.faults.Clock(id, now) - now)
	}
}

// due removes and returns the messages that arrive now.
func (n *naiveFleet) due(now int64, where naiveWhere) (list []*naiveMessage) {
	n.messages = slices.DeleteFunc(n.messages, func(m *naiveMessage) bool {
		if m.at != now || m.where != where {
			return false
		}
		list = append(list, m)
		return true
	})
	return list
}

func (n *naiveFleet) carry(m *naiveMessage, at int64, where naiveWhere) {
	m.at, m.where = at, where
	n.messages = append(n.messages, m)
}

// lose drops a message. The client detects the loss immediately.
func (n *naiveFleet) lose(m *naiveMessage) {
	m.where = nowhere
	if !m.duplicate && n.conditions.Resend {
		n.clients[m.report.Client].Resend(&m.report)
		n.talk(m.report.Client)
	}
}

func (n *naiveFleet) send(now int64, id int32) {
	n.readClock(now, id)
	var reports []*naiveMessage
	owner := func(key int32) int32 { return n.asked(now, id, key) }
	n.clients[id].Flush(now, owner, func(int32) *batchreported.Report {
		reports = append(reports, &naiveMessage{})
		return &reports[len(reports)-1].report
	})
	chance := func(num, den int64) bool { return num > 0 && n.outcome.Chance(uint64(num), uint64(den)) }
	for _, m := range reports {
		if chance(n.conditions.ReportLoss.Num, n.conditions.ReportLoss.Den) {
			n.lose(m)
			continue
		}
		outcome := n.faults.Message(now, &n.outcome, true)
		if outcome.Lost || n.faults.Cut(now, id) {
			n.lose(m)
			continue
		}
		duplicate := &naiveMessage{duplicate: true, report: m.report}
		n.travel(now, m, outcome.Delay)
		if outcome.Twice {
			n.travel(now, duplicate, outcome.Delay)
		}
	}
}

func (n *naiveFleet) travel(now int64, m *naiveMessage, delay int64) {
	distribution := n.faults.Latency(now, n.latency)
	latency := distribution.Draw(&n.wire)
	m.back = latency - latency/2
	n.carry(m, now+latency/2+delay, toServer)
}
