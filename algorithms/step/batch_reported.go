package step

import (
	"encoding/json"
	"math/rand/v2"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// reporting is a session with the clients and servers of batch-reported.
type reporting struct {
	keyNames
	last    int64
	state   func(state *reply) // of the half that the call concerns
	config  batchreported.Config
	resend  bool
	clients []*batchreported.Client
	servers []*batchreported.Server
	reports box[batchreported.Report]
	answers box[batchreported.Answer]
	asked   []int32 // by answer: the client of its report
	coins   *rand.PCG
}

func (s *Session) stepBatchReported(limit counting.Limit, v catalog.Values) error {
	clients, servers := int(v.Int("clients")), int(v.Int("servers"))
	config, err := batchreported.ConfigFrom(v, limit, clients, limit.Burst)
	if err != nil {
		return err
	}
	conditions := batchreported.ConditionsFrom(v)
	r := &reporting{config: config, resend: conditions.Resend, coins: rand.NewPCG(1, 1)}
	for i := range int32(clients) {
		client := batchreported.NewClient(&r.config, i)
		client.SetClock(conditions.Skew(i))
		r.clients = append(r.clients, client)
	}
	for i := range servers {
		r.servers = append(r.servers, batchreported.NewServer(&r.config, int32(i), 0))
	}
	r.reports = box[batchreported.Report]{name: "report", read: r.readReport, write: r.writeReport}
	r.answers = box[batchreported.Answer]{name: "answer", read: r.readAnswer, write: r.writeAnswer}
	s.ops = []op{{"decide", r.decide}, {"flush", r.flush}, {"receive", r.receive}, {"answer", r.answer}, {"apply", r.apply}, {"give_up", r.giveUp}}
	s.begin, s.state = r.begin, func(state *reply) { r.state(state) }
	return nil
}

func (r *reporting) decide(c *call) func() {
	client := c.node("client", len(r.clients))
	key := r.keyOf(&c.object, c.key())
	cost := c.boundedCost()
	draw := c.coin(r.coins)
	return func() {
		v := r.clients[client].Decide(c.at, key, cost, draw)
		draw.show(c)
		c.setVerdict(v.Admitted())
		if !v.Admitted() {
			c.set("cause", v.Cause().String())
		}
		r.showClient(c, client, key)
	}
}

func (r *reporting) flush(c *call) func() {
	client := c.node("client", len(r.clients))
	return func() {
		var sent []*batchreported.Report
		r.clients[client].Flush(c.at, r.owner(), func(int32) *batchreported.Report {
			sent = append(sent, &batchreported.Report{})
			return sent[len(sent)-1]
		})
		list, keys := []json.RawMessage{}, []int32{}
		for _, report := range sent {
			list = append(list, r.reports.add(report))
			keys = append(keys, keysOf(report)...)
		}
		c.set("reports", list)
		r.showClient(c, client, keys...)
	}
}

// owner returns the assignment of keys to servers, nil if there is one server.
func (r *reporting) owner() func(key int32) int32 {
	if len(r.servers) == 1 {
		return nil
	}
	return func(key int32) int32 { return routing.Owner(key, len(r.servers)) }
}

func keysOf(r *batchreported.Report) []int32 {
	return lists.Map(r.Rows, func(row batchreported.ReportRow) int32 { return row.Key })
}

// report reads the report of a call.
func (r *reporting) report(c *call) (*batchreported.Report, func()) {
	return r.reports.argument(c, batchreported.Report{SentAt: c.at, LeftAt: c.at})
}

func (r *reporting) receive(c *call) func() {
	report, keep := r.report(c)
	return func() {
		keep()
		r.servers[report.Server].Receive(c.at, report)
		r.showServer(c, report)
	}
}

func (r *reporting) answer(c *call) func() {
	report, keep := r.report(c)
	return func() {
		keep()
		a := &batchreported.Answer{}
		r.servers[report.Server].Answer(c.at, report, a)
		r.asked = append(lists.Reach(r.asked, len(r.answers.seen)-1), report.Client)
		c.set("answer", r.answers.add(a))
		r.showServer(c, report)
	}
}

func (r *reporting) apply(c *call) func() {
	answer, keep := r.answers.argument(c, batchreported.Answer{ComputedAt: c.at, LeftAt: c.at})
	n, numbered := unsigned(31)(c.fields["answer"])
	client := int32(0)
	if numbered && !c.given("client") && n > 0 && int(n) <= len(r.asked) {
		client = r.asked[n-1]
		c.set("client", client)
	} else {
		client = c.node("client", len(r.clients))
	}
	return func() {
		keep()
		r.clients[client].Apply(c.at, answer)
		keys := lists.Map(answer.Rows, func(row batchreported.AnswerRow) int32 { return row.Key })
		r.showClient(c, client, keys...)
	}
}

func (r *reporting) giveUp(c *call) func() {
	report, keep := r.report(c)
	return func() {
		keep()
		client := r.clients[report.Client]
		if r.resend {
			client.Resend(report)
		}
		client.Unanswered(report)
		r.showClient(c, report.Client, keysOf(report)...)
	}
}

// showClient makes the reply end with a client's state of keys.
func (r *reporting) showClient(c *call, client int32, keys ...int32) {
	r.state = r.statesOf("client", client, keys, func(out *reply, key int32) {
		s := r.clients[client].State(key)
		out.set("outstanding_hits", s.Hits)
		out.set("rejected_hits", s.Rejected)
		out.setUnless("answered_ns", s.AnsweredAt, batchreported.NoAnswer)
		if r.config.RejectTil {
			out.setUnless("reject_til_ns", s.RejectUntil, 0)
		}
		if r.config.RejectionRate {
			out.setShare("rejection_rate", s.RejectionRate)
			out.setUnless("rate_until_ns", s.RateUntil, 0)
		}
		if level, ok := r.clients[client].LocalLevel(c.at, key); ok {
			out.set("local_level", level)
		}
	})
}

// showServer makes the reply end with a server's state of the keys of a report.
func (r *reporting) showServer(c *call, report *batchreported.Report) {
	server := r.servers[report.Server]
	r.state = r.statesOf("server", report.Server, keysOf(report), func(out *reply, key int32) {
		out.setFields(server.State(key))
		if estimate, ok := server.Estimate(c.at, key); ok {
			out.set("estimated_qps", json.Number(decimal(estimate)))
		}
	})
}
