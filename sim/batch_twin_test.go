package sim

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/batch"
	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/sim/lanes"
	"github.com/limitgauge/limitgauge/sim/random"
)

// spyLane keeps what a block lane was given and decided.
type spyLane struct {
	*lanes.BlockLane
	time, cost  []int64
	key, client []int32
	decided     []counters.Verdict
}

func (s *spyLane) Advance(ctx context.Context, a *lanes.Arrivals) {
	s.BlockLane.Advance(ctx, a)
	s.time, s.cost = append(s.time, a.Time...), append(s.cost, a.Cost...)
	s.key, s.client = append(s.key, a.Key...), append(s.client, a.Client...)
	s.decided = append(s.decided, s.Verdicts(len(a.Time))...)
}

// drawFleet draws a scenario of batch-reporting clients with any of the
// protocol's options.
func drawFleet(t *rapid.T) string {
	pick := func(name string, from ...string) string { return rapid.SampledFrom(from).Draw(t, name) }
	options := []string{
		"interval: " + pick("interval", "1ms", "10ms", "37ms", "100ms"),
		"phase: " + pick("phase", "aligned", "staggered", "random", "common-random", "{offsets: {at: [0s, 500us]}}"),
		"report_loss: " + pick("loss", "0%", "20%"),
		"lost_reports: " + pick("lost", "dropped", "resent"),
		"report_duplicate: " + pick("duplicate", "0%", "20%"),
		"clock_skew: " + pick("skew", "{by: 0s}", "{by: 20ms, share: 50%, direction: both}"),
		"reject_til_as: " + pick("as", "absolute", "duration"),
		"unknown: " + pick("unknown", "optimistic", "pessimistic"),
		"local_limit: " + pick("local", "off", "{share: {share: 150%}}"),
	}
	if pick("answer", "reject-til", "rate") == "rate" {
		options = append(options, "rejection_rate: true", "reject_til: "+pick("also til", "true", "false"),
			"thinning: "+pick("thinning", "coin", "diffusion"), "rate_ttl: "+pick("ttl", "1s", "30ms"),
			"estimate: "+pick("estimate", "previous-second", "trailing-second", "{ewma: {a: 0.3}}"),
			"count_rejected_in_estimate: "+pick("rejected", "true", "false"))
	}
	if pick("counter", "windows", "debt") == "debt" {
		options = append(options, "counter: token-bucket", "debt: true", "burst: "+pick("burst", "0", "7"), "order: "+pick("order", "debit-refill", "refill-debit"))
	} else {
		options = append(options, "counter: fixed-window", "count_in: "+pick("count in", "arrival", "sent"))
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
`, rapid.Uint32().Draw(t, "seed"), strings.Join(options, ", "), pick("limit", "30/s", "20/100ms", "200/s"),
		rapid.IntRange(1, 9).Draw(t, "clients"), rapid.IntRange(1, 4).Draw(t, "servers"),
		pick("network", "0s", "1ms", "7ms", "{exponential: {p99: 20ms}}", "{lognormal: {p50: 5ms, p99: 60ms}}"),
		pick("pattern", "constant", "poisson"), pick("rate", "200/s", "1000/s", "1500/s"),
		pick("keys", "one", "{uniform: {count: 30}}", "{zipf: {count: 500}}"), pick("cost", "1", "{uniform: {max: 3}}"))
}

// The block lane, cut at control instants and with the ticks of silent clients
// left out, decides every request as the protocol does one event at a time.
func TestReportedAgainstOneEventAtATime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawFleet(t)
		plans, problems, err := prepare(context.Background(), load(t, text), nil, nil)
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		p := plans[0]
		j := &job{plan: p, rows: []int{1}}
		c, _, err := j.build()
		if err != nil {
			t.Fatal(err)
		}
		spy := &spyLane{BlockLane: c.lanes[0].(*lanes.BlockLane)}
		c.lanes[0] = spy
		if err := c.run(context.Background(), func(int, int64) {}); err != nil {
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

// naiveFleet carries the messages of the protocol in one list and runs every
// instant at which anything happens.
type naiveFleet struct {
	config           batch.Config
	clients          []*batch.Client
	servers          []*batch.Server
	phases           []int64
	latency          random.Latency
	coin, wire, fate random.Stream
	now              int64
	talking          []int32 // clients with something to report, in the order in which they got it
	wireList         []*naiveMessage
}

// naiveMessage is a report until it has arrived, then its answer.
type naiveMessage struct {
	at, back int64
	report   batch.Report
	answer   *batch.Answer
}

func newNaiveFleet(t *rapid.T, p *plan) *naiveFleet {
	a := p.rows[1].algorithm
	topology := p.scenario.Topology
	config, err := batch.ConfigFrom(a.Options, p.limit, topology.Clients)
	if err != nil {
		t.Fatal(err)
	}
	stream := func(what string) random.Stream {
		return random.New(p.scenario.Seed, 0, "algorithm/tested/"+what)
	}
	n := &naiveFleet{config: config, coin: stream("coin"), wire: stream("network"), fate: stream("reports")}
	if n.latency, err = p.setting().Latency(); err != nil {
		t.Fatal(err)
	}
	phase := stream("phase")
	n.phases = config.Ticks(&phase)
	for i := range topology.Clients {
		n.clients = append(n.clients, batch.NewClient(&n.config, int32(i)))
	}
	for i := range topology.Servers {
		n.servers = append(n.servers, batch.NewServer(&n.config, int32(i), 0))
	}
	return n
}

func (n *naiveFleet) decide(now int64, client, key int32, cost int64) counters.Verdict {
	for next := n.next(); next <= now; next = n.next() {
		n.instant(next)
	}
	n.now = now
	v := n.clients[client].Decide(now, key, cost, &n.coin)
	n.talk(client)
	return v
}

// talk notes that a client has something to report at its next tick.
func (n *naiveFleet) talk(client int32) {
	if !slices.Contains(n.talking, client) {
		n.talking = append(n.talking, client)
	}
}

// next is the next instant after now at which a message arrives or a client
// that has something to report ticks.
func (n *naiveFleet) next() int64 {
	next := lanes.Never
	for _, m := range n.wireList {
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

// instant runs everything due at now: ticks send; all reports are counted,
// then answered; answers are applied.
func (n *naiveFleet) instant(now int64) {
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
	reports := n.due(now, false)
	for _, m := range reports {
		n.servers[m.report.Server].Receive(now, &m.report)
	}
	for _, m := range reports {
		m.answer = &batch.Answer{}
		n.servers[m.report.Server].Answer(now, &m.report, m.answer)
		m.at = now + m.back
		n.wireList = append(n.wireList, m)
	}
	for _, m := range n.due(now, true) {
		n.clients[m.report.Client].Apply(now, m.answer)
	}
}

// due takes the reports, or the answers, that arrive now off the wire.
func (n *naiveFleet) due(now int64, answers bool) (list []*naiveMessage) {
	n.wireList = slices.DeleteFunc(n.wireList, func(m *naiveMessage) bool {
		if m.at != now || (m.answer != nil) != answers {
			return false
		}
		list = append(list, m)
		return true
	})
	return list
}

func (n *naiveFleet) send(now int64, id int32) {
	var reports []*naiveMessage
	n.clients[id].Flush(now, len(n.servers), func(int32) *batch.Report {
		reports = append(reports, &naiveMessage{})
		return &reports[len(reports)-1].report
	})
	chance := func(num, den int64) bool { return num > 0 && n.fate.Chance(uint64(num), uint64(den)) }
	for _, m := range reports {
		if chance(n.config.ReportLoss.Num, n.config.ReportLoss.Den) {
			if n.config.Resend {
				n.clients[id].Resend(&m.report)
				n.talk(id)
			}
			continue
		}
		n.travel(now, m)
		if chance(n.config.ReportDuplicate.Num, n.config.ReportDuplicate.Den) {
			n.travel(now, &naiveMessage{report: m.report})
		}
	}
}

func (n *naiveFleet) travel(now int64, m *naiveMessage) {
	latency := n.latency.Draw(&n.wire)
	m.at, m.back = now+latency/2, latency-latency/2
	n.wireList = append(n.wireList, m)
}
