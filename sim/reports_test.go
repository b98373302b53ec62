package sim

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/scenarios"
)

// logReports runs a scenario file and returns the reports and the decisions of its
// algorithms, without those of references.
func logReports(t tester, text string, workers int) (reports []Report, decisions []Decision) {
	t.Helper()
	_, err := Run(context.Background(), load(t, text), Options{Workers: workers, Details: Details{
		Reports: func(r *Report) error { reports = append(reports, *r); return nil },
		Decisions: func(d *Decision) error {
			if d.Algorithm != "reference" {
				decisions = append(decisions, *d)
			}
			return nil
		},
	}})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return reports, decisions
}

// drawStore moves the counts of a drawn fleet to a store, or leaves them in memory.
func drawStore(t *rapid.T, text string) string {
	if rapid.Bool().Draw(t, "store") {
		write := rapid.SampledFrom([]string{"script", "batch", "descriptor"}).Draw(t, "write")
		text = strings.Replace(text, "enforcement: batch-reported,",
			"enforcement: batch-reported, store: {redis: {write: "+write+", network: 1ms, service_time: 20us}},", 1)
	}
	return text
}

// forgetful are the faults that change what servers have counted.
var forgetful = regexp.MustCompile(`faults:.*(restart|crash|reshard|server-added|server-removed|policy-change)`)

// TestReportsReplay feeds the rows that a run reports to new servers: they give the
// answers that the run's servers gave, for all options of the protocol and with
// lost, late and duplicated reports.
func TestReportsReplay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawFleet(t)
		if forgetful.MatchString(text) {
			text, _, _ = strings.Cut(text, "faults:")
		}
		text = drawStore(t, text)
		reports, _ := logReports(t, text, 1)
		checkReplay(t, load(t, text), reports)
	})
}

// checkReplay replays the reports of a file with one scenario and one algorithm.
func checkReplay(t tester, f *scenarios.File, reports []Report) {
	t.Helper()
	s := &f.Scenarios[0]
	const keysEach = 1000 // keys of a policy
	policies := s.Policies()
	config, err := batchreported.ConfigFrom(s.Algorithms[0].Options, limitOf(&policies[0]), s.Topology.Clients, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range policies[1:] {
		further, err := config.PolicyFrom(limitOf(&policies[i+1]), int32(i+1)*keysEach, s.Topology.Clients, 1)
		if err != nil {
			t.Fatal(err)
		}
		config.Further = append(config.Further, further)
	}
	numbers := map[string]int32{}
	number := func(key string) int32 {
		if n, ok := numbers[key]; ok {
			return n
		}
		policy := 0
		for i := range policies {
			if name, _, several := strings.Cut(key, "/"); several && name == policies[i].Name {
				policy = i
			}
		}
		numbers[key] = int32(policy*keysEach + len(numbers))
		return numbers[key]
	}

	counted := slices.DeleteFunc(slices.Clone(reports), func(r Report) bool { return r.ComputedNs < 0 })
	slices.SortStableFunc(counted, func(a, b Report) int { return int(a.ComputedNs - b.ComputedNs) })
	if len(counted) == 0 && len(reports) > 50 {
		t.Fatal("no report was counted")
	}
	servers := make([]*batchreported.Server, s.Topology.Servers)
	for i := range servers {
		servers[i] = batchreported.NewServer(&config, int32(i), 0)
	}
	of := func(r *Report) *batchreported.Server {
		if s.Algorithms[0].Options.Choice("store").Name != "memory" {
			return servers[0]
		}
		return servers[r.Server]
	}
	for len(counted) > 0 {
		now, n := counted[0].ComputedNs, 0
		for n < len(counted) && counted[n].ComputedNs == now {
			r := &counted[n]
			of(r).ReceiveRows(now, r.ClientClockNs, []batchreported.ReportRow{{Key: number(r.Key), Hits: r.OutstandingHits, Rejected: r.RejectedHits}})
			n++
		}
		for i := range counted[:n] {
			r := &counted[i]
			var a batchreported.Answer
			of(r).AnswerRows(now, []batchreported.ReportRow{{Key: number(r.Key)}}, &a)
			til, lasting, rate := int64(-1), int64(-1), int64(-1)
			switch reject := a.Rows[0].Reject; {
			case reject == 0:
			case config.AsDuration:
				lasting = reject
			default:
				til = reject
			}
			if config.RejectionRate {
				rate = int64(a.Rows[0].RejectionRate)
			}
			if til != r.RejectTilNs || lasting != r.RejectForNs || rate != r.RejectionRate {
				t.Fatalf("the replay answers til %d, for %d, rate %d to %+v", til, lasting, rate, *r)
			}
		}
		counted = counted[n:]
	}
}

var steadyTraffic = regexp.MustCompile(`\{pattern: (constant|poisson), rate: ([^,]*),`)

// TestReportsAddUp compares the sums of what clients report with what they decided,
// key by key, under all faults. Reports that a client sends again count once.
func TestReportsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Replace(drawStore(t, drawFleet(t)), "sample: 30%", "sample: 100%", 1)
		text = steadyTraffic.ReplaceAllString(text, "{pattern: stages, stages: [{rate: $2, for: 1500ms}],")
		text = strings.Replace(text, "duration: 2200ms", "duration: 8s", 1) // until lost counts have arrived
		reports, decisions := logReports(t, text, 1)
		checkSums(t, text, reports, decisions)
	})
}

func checkSums(t tester, text string, reports []Report, decisions []Decision) {
	t.Helper()
	got, want := map[string]int64{}, map[string]int64{}
	sent := int64(0)
	for i, r := range reports {
		if r.SentNs < sent && r.Algorithm == reports[i-1].Algorithm {
			t.Fatalf("row %d was sent before the one above", i)
		}
		sent = r.SentNs
		if !r.Duplicate && !r.Resent {
			got[fmt.Sprint(r.Algorithm, r.Client, r.Key, " admitted")] += r.OutstandingHits
			got[fmt.Sprint(r.Algorithm, r.Client, r.Key, " rejected")] += r.RejectedHits
		}
		switch {
		case r.ArrivedNs >= 0 && r.ArrivedNs < r.SentNs, r.ComputedNs >= 0 && r.ComputedNs < r.ArrivedNs, r.AppliedNs >= 0 && r.AppliedNs < r.ComputedNs,
			(r.Outcome == "applied") != (r.AppliedNs >= 0),
			r.Outcome == "lost" && r.ArrivedNs >= 0,
			r.Outcome == "answer-lost" && r.ComputedNs < 0,
			r.ComputedNs < 0 && (r.RejectTilNs >= 0 || r.RejectForNs >= 0 || r.RejectionRate >= 0):
			t.Fatalf("row %d: %+v", i, r)
		}
	}
	for _, d := range decisions {
		for _, key := range d.Keys {
			want[fmt.Sprint(d.Algorithm, d.Client, key, " ", d.Verdict)] += d.Cost
		}
	}
	for at, n := range want {
		if got[at] != n {
			t.Fatalf("%s: reports add up to %d, decisions to %d\n%s", at, got[at], n, text)
		}
	}
	for at, n := range got {
		if want[at] != n {
			t.Fatalf("%s: reports add up to %d, decisions to %d\n%s", at, n, want[at], text)
		}
	}
}

// TestReportsOfSeveralPolicies checks reports of requests under several policies,
// that any number of workers writes the same rows, and which replication is written.
func TestReportsOfSeveralPolicies(t *testing.T) {
	text := `
version: 1
duration: 3s
replications: 3
policies:
  users: {limit: 20/s, burst: 5}
  total: {limit: 90/s, shared: true}
scenarios:
  - name: several
    topology: {clients: 4, servers: 2, network: {exponential: {p99: 15ms}}}
    policies: [users, total]
    traffic:
      - {pattern: stages, stages: [{rate: 200/s, for: 2s}], cost: {uniform: {min: 1, max: 3}}, descriptors: {users: {keys: {uniform: 9}, count: 2, applies: 70%}, total: {applies: 60%}}}
    faults: [{report-duplicate: {p: 10%}}]
    algorithms: [tested]
algorithms:
  tested: {preset: rejection-rate, charge: none, reject_til: true, report_loss: 10%, lost_reports: resent}
`
	reports, decisions := logReports(t, text, 1)
	// A request that one policy rejects is charged to none: all of its keys count it as rejected.
	checkSums(t, text, reports, decisions)
	checkReplay(t, load(t, text), reports)
	again, _ := logReports(t, text, 3)
	if !slices.Equal(reports, again) {
		t.Error("another number of workers writes other rows")
	}
	first, duplicates, resent := 0, 0, 0
	for _, r := range reports {
		if r.Replication == 1 {
			first++
		}
		if r.Duplicate {
			duplicates++
		}
		if r.Resent {
			resent++
		}
	}
	if first != len(reports) || duplicates == 0 || resent == 0 {
		t.Errorf("%d rows: %d of the first replication, %d duplicates, %d sent again", len(reports), first, duplicates, resent)
	}
	_, err := Run(context.Background(), load(t, text), Options{Only: 3, Details: Details{Reports: func(r *Report) error {
		if r.Replication != 3 {
			t.Errorf("replication %d, want 3", r.Replication)
		}
		return nil
	}}})
	if err != nil {
		t.Fatal(err)
	}
}

// TestReportsOfARollout checks that the reports of both algorithms of a rollout are
// written in the order of sending, and that their servers have different numbers.
func TestReportsOfARollout(t *testing.T) {
	text := `
version: 1
duration: 4s
replications: 1
algorithms:
  fleet: {preset: batch-reported, rollout: {to: batch-debt-local, share: 50%, from: 1s, until: 2s}}
scenarios:
  - name: rollout
    topology: {clients: 4, network: 10ms}
    policy: {limit: 100/s, per: user}
    traffic: [{pattern: stages, stages: [{rate: 900/s, for: 3s}], keys: {uniform: 3}}]
    algorithms: [fleet]
`
	reports, decisions := logReports(t, text, 1)
	checkSums(t, text, reports, decisions)
	servers := map[int32]bool{}
	for _, r := range reports {
		servers[r.Server] = true
	}
	if !servers[0] || !servers[1] || len(servers) != 2 {
		t.Errorf("servers %v, want 0 of the old algorithm and 1 of the new one", servers)
	}
}
