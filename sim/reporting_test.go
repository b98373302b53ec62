package sim

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/reporting"
)

// TestReportingDecidesAsSimulated plays the requests and the times of the messages of a
// simulation to package reporting: every process with a clock of its own, it decides
// every request as the simulation does.
func TestReportingDecidesAsSimulated(t *testing.T) {
	base := reporting.Config{Limit: 100, Window: time.Second, Interval: 100 * time.Millisecond}
	for options, change := range map[string]func(c *reporting.Config){
		"counter: fixed-window":                        func(*reporting.Config) {},
		"counter: fixed-window, rejection_rate: true":  func(c *reporting.Config) { c.RejectionRate = true },
		"counter: fixed-window, local_limit: auto":     func(c *reporting.Config) { c.Local = true },
		"counter: token-bucket, debt: true":            func(c *reporting.Config) { c.Debt, c.Burst = true, 20 },
		"counter: token-bucket, debt: true, burst: 50": func(c *reporting.Config) { c.Debt, c.Burst = true, 50 },
		"counter: token-bucket, debt: true, local_limit: auto, rejection_rate: true": func(c *reporting.Config) {
			c.Debt, c.Burst, c.Local, c.RejectionRate = true, 20, true, true
		},
	} {
		config := base
		change(&config)
		reference := "fixed-window"
		if config.Debt {
			reference = "token-bucket"
		}
		reports, decisions := logReports(t, fmt.Sprintf(`
version: 1
duration: 20s
algorithms:
  tested: {enforcement: batch-reported, reject_til_as: duration, thinning: diffusion, %s}
scenarios:
  - name: fleet
    policy: {limit: 100/s, burst: 20, reference: %s}
    topology: {clients: 5, servers: 1, network: {lognormal: {p50: 5ms, p99: 60ms}}}
    traffic: [{pattern: poisson, rate: 1000/s, keys: {zipf: {count: 20}}, cost: {uniform: {max: 3}}}]
    algorithms: [tested]
`, options, reference), 1)
		checkReporting(t, options, config, reports, decisions)
	}
}

// moment is what happens at one time: a report is sent, arrives or is answered, or a
// request is decided, in this order at one time.
type moment struct {
	at     int64
	kind   int
	report *Report
	decide *Decision
}

func checkReporting(t *testing.T, options string, config reporting.Config, reports []Report, decisions []Decision) {
	t.Helper()
	var moments []moment
	for i := range reports {
		r := &reports[i]
		if i > 0 && r.Report == reports[i-1].Report {
			continue // another row of it
		}
		for kind, at := range []int64{r.SentNs, r.ArrivedNs, r.AppliedNs} {
			if at >= 0 {
				moments = append(moments, moment{at: at, kind: kind, report: r})
			}
		}
	}
	for i := range decisions {
		moments = append(moments, moment{at: decisions[i].DecidedNs, kind: 3, decide: &decisions[i]})
	}
	slices.SortStableFunc(moments, func(a, b moment) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind)) })

	start := time.Unix(1_700_000_000, 0)
	server, err := reporting.NewServer(config, start)
	if err != nil {
		t.Fatal(err)
	}
	clock := func(client int32, at int64) time.Time {
		return start.Add(time.Duration(client)*7*time.Hour + time.Duration(at))
	}
	var clients []*reporting.Client
	for i := range int32(5) {
		c, err := reporting.NewClient(config, clock(i, 0))
		if err != nil {
			t.Fatal(err)
		}
		clients = append(clients, c)
	}
	sent, answers := map[*Report]reporting.Report{}, map[*Report]reporting.Answer{}
	rejected := 0
	for _, m := range moments {
		err = nil
		switch m.kind {
		case 0:
			sent[m.report], _ = clients[m.report.Client].Flush(clock(m.report.Client, m.at))
		case 1:
			answers[m.report], err = server.Receive(start.Add(time.Duration(m.at)), sent[m.report])
		case 2:
			err = clients[m.report.Client].Apply(clock(m.report.Client, m.at), answers[m.report])
		default:
			d := m.decide
			var admitted bool
			admitted, err = clients[d.Client].Decide(clock(d.Client, m.at), d.Key, d.Cost)
			if want := d.Verdict == "admitted"; admitted != want {
				t.Fatalf("%s: at %d client %d admits key %s: %v, simulated %v", options, m.at, d.Client, d.Key, admitted, want)
			}
			if !admitted {
				rejected++
			}
		}
		if err != nil {
			t.Fatalf("%s: %v", options, err)
		}
	}
	if rejected == 0 || rejected == len(decisions) {
		t.Errorf("%s: %d of %d requests are rejected, which shows nothing", options, rejected, len(decisions))
	}
}
