package sql_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestOneCallerTakesTheSum checks that the latency of a call without conflicts is the
// sum of its ways: to its server, to the leader of the row unless that is the same
// server, and to the majority of the replicas.
func TestOneCallerTakesTheSum(t *testing.T) {
	for servers := 1; servers <= 5; servers++ {
		for client := range servers {
			for _, replicas := range []int{1, 3, 5} {
				d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 1s
algorithms:
  tested: {preset: yugabyte-fail-on-conflict, replicas: %d, server_network: 7ms, overhead: 300us, service_time: 2ms}
scenarios:
  - name: alone
    policy: {limit: 1k/s}
    topology: {clients: %d, servers: %d, network: 10ms}
    traffic: [{pattern: list, events: [{at: 100ms, client: %d}, {at: 500ms, client: %d}]}]
    algorithms: [tested]
`, replicas, servers, servers, client, client))
				want := 10 + 0.3 + 2.0
				if int(routing.Owner(0, servers)) != client {
					want += 7
				}
				if min(replicas, servers) > 1 {
					want += 7
				}
				if got := simtest.Mean(t, d, "alone", "tested", "decision_latency_max_ms"); math.Abs(got-want) > 1e-9 {
					t.Errorf("%d servers, client %d, %d replicas: a call takes %v ms, want %v", servers, client, replicas, got, want)
				}
			}
		}
	}
}

// TestAHotRowDoesNotScale compares the commits per second of one row under read
// committed, where transactions take turns, with the closed form, and checks that no
// mode has more commits than the bound without a way to the leader, which transactions
// that the leader commits attain.
func TestAHotRowDoesNotScale(t *testing.T) {
	const service, way = 0.0002, 0.001
	for _, servers := range []int{1, 2, 4, 8, 16, 32} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 2s
replications: 2
algorithms:
  takes-turns: {preset: yugabyte-wait-on-conflict, isolation: read-committed, overhead: 0s, service_time: 200us}
  waits:       {preset: yugabyte-wait-on-conflict, overhead: 10us, service_time: 200us}
  fails:       {preset: yugabyte-fail-on-conflict, overhead: 10us, service_time: 200us}
  locks-first: {preset: yugabyte-fail-on-conflict, overhead: 10us, service_time: 200us, for_update: 100%%}
  single-row:  {preset: yugabyte-wait-on-conflict, isolation: read-committed, overhead: 0s, service_time: 200us, single_row: 100%%}
scenarios:
  - name: hot
    policy: {limit: 1M/s, burst: 1M}
    topology: {clients: 64, servers: %d, network: 1ms}
    traffic: [{pattern: constant, rate: 6k/s}]
    algorithms: [takes-turns, waits, fails, locks-first, single-row]
`, servers))
		round, far := way, way*(1-1/float64(servers))
		if servers == 1 {
			round = 0
		}
		simtest.About(t, d, "hot", "takes-turns", "admitted_requests", 2/(service+far+round), 0.01)
		simtest.About(t, d, "hot", "single-row", "admitted_requests", 2/(service+round), 0.01)
		for _, mode := range []string{"waits", "fails", "locks-first"} {
			if got, most := simtest.Mean(t, d, "hot", mode, "admitted_requests"), 2/(service+round)+1; got > most {
				t.Errorf("%d servers: %s commits %v times, above %v", servers, mode, got, most)
			}
		}
	}
}

// TestHigherPrioritiesWound checks that of two transactions that meet at the leader,
// the later one wins half of the time if the earlier one has not begun to commit, and
// never if it has.
func TestHigherPrioritiesWound(t *testing.T) {
	for _, c := range []struct {
		service string
		share   float64 // of pairs in which the second one wins
	}{{"5ms", 0.5}, {"100us", 0}} {
		near := int(routing.Owner(0, 2)) // a client on the leader's server; near+2 is another
		var events []string
		for i := range 2000 {
			events = append(events, fmt.Sprintf("{at: %dms, client: %d}, {at: %dus, client: %d}", 20*i, near, 20000*i+300, near+2))
		}
		got := simtest.Outcomes(t, fmt.Sprintf(`
version: 1
duration: 40s
replications: 1
algorithms:
  tested: {preset: yugabyte-fail-on-conflict, retries: 0, overhead: 0s, service_time: %s, server_network: 4ms}
scenarios:
  - name: pairs
    policy: {limit: 1M/s, burst: 1M}
    topology: {clients: 4, servers: 2, network: 0s}
    traffic: [{pattern: list, events: [%s]}]
    algorithms: [tested]
`, c.service, strings.Join(events, ", ")), "tested")
		second := 0
		for i := 0; i < len(got); i += 2 {
			if got[i].Verdict == got[i+1].Verdict {
				t.Fatalf("%s: both transactions of pair %d are %s", c.service, i/2, got[i].Verdict)
			}
			if got[i+1].Verdict == "admitted" {
				second++
			}
		}
		if share := float64(second) / 2000; math.Abs(share-c.share) > 0.04 {
			t.Errorf("%s: the second transaction wins %v of the pairs, want about %v", c.service, share, c.share)
		}
	}
}

// TestOneServerIsThePresentModel checks that hashed tablets on one server decide as
// without, if processors have no other work and are never short: the same instants,
// the same verdicts.
func TestOneServerIsThePresentModel(t *testing.T) {
	for _, isolation := range []string{"serializable", "read-committed"} {
		text := func(tablets string) string {
			return fmt.Sprintf(`
version: 1
duration: 1s
replications: 1
algorithms:
  tested: {enforcement: sql, counter: sql-token-bucket, isolation: %s, retries: 3, processors: 100, tablets: %s, `+free+`}
scenarios:
  - name: one server
    policy: {limit: 500/s, burst: 50}
    topology: {clients: 9, network: {exponential: {p99: 2ms}}}
    traffic: [{pattern: poisson, rate: 4k/s, keys: {uniform: {count: 3}}}]
    algorithms: [tested]
`, isolation, tablets)
		}
		one, hashed := simtest.Outcomes(t, text("one"), "tested"), simtest.Outcomes(t, text("hashed"), "tested")
		for i := range one {
			if one[i] != hashed[i] {
				t.Fatalf("%s, attempt %d: %+v without tablets, %+v with", isolation, i, one[i], hashed[i])
			}
		}
	}
}

// TestServerCrash checks what happens to the calls of a row whose leader crashes: they
// time out until the crash is noticed, then another replica leads. Without a replica
// they time out until the server is back.
func TestServerCrash(t *testing.T) {
	for _, c := range []struct {
		preset   string
		replicas int
		lost     float64 // seconds
	}{
		{"yugabyte-fail-on-conflict", 3, 1}, {"yugabyte-wait-on-conflict", 3, 1}, {"yugabyte-wait-on-conflict", 1, 4},
	} {
		leader := int(routing.Owner(0, 4))
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 10s
algorithms:
  tested: {preset: %s, replicas: %d, connections: 1000, timeout: 1ms, overhead: 0s, service_time: 10us, server_network: 100us}
scenarios:
  - name: crash
    policy: {limit: 1M/s, burst: 1M}
    topology: {clients: 4, servers: 4, network: 0s}
    traffic: [{pattern: constant, rate: 200/s, spread: {skewed: {shares: [%s]}}}]
    faults: [{server-crash: {from: 2s, server: owner, noticed_after: 1s, down_for: 4s}}]
    algorithms: [tested]
`, c.preset, c.replicas, shares((leader+2)%4)))
		simtest.Exactly(t, d, "crash", "tested", "rejected_fail_closed_requests", 200*c.lost)
		simtest.Exactly(t, d, "crash", "tested", "admitted_requests", 2000-200*c.lost)
	}
}

// shares returns shares of four clients, of which one gets everything.
func shares(client int) string {
	list := []string{"0%", "0%", "0%", "0%"}
	list[client] = "100%"
	return strings.Join(list, ", ")
}

// TestServersMatter checks that the number of servers changes the figures of a database
// on several servers, and that it is warned about where it changes none.
func TestServersMatter(t *testing.T) {
	for _, c := range []struct {
		tablets  string
		warnings []string
	}{
		{"hashed", nil},
		{"one", []string{"has no effect without algorithms with servers or tablets: hashed", "has no effect without tablets: hashed"}},
	} {
		text := func(servers int) string {
			return fmt.Sprintf(`
version: 1
duration: 1s
algorithms:
  tested: {preset: sql-serializable, tablets: %s, replicas: 5}
scenarios:
  - name: servers
    policy: {limit: 1k/s, burst: 100}
    topology: {clients: 8, servers: %d, network: 1ms}
    traffic: [{pattern: poisson, rate: 2k/s}]
    algorithms: [tested]
`, c.tablets, servers)
		}
		var found []string
		for _, w := range simtest.Load(t, text(4)).Scenarios[0].Warnings {
			found = append(found, w.Message)
		}
		slices.Sort(found)
		if !slices.Equal(found, c.warnings) {
			t.Errorf("tablets: %s is warned about %q, want %q", c.tablets, found, c.warnings)
		}
		few, many := simtest.Outcomes(t, text(1), "tested"), simtest.Outcomes(t, text(4), "tested")
		if same := slices.Equal(few, many); same != (c.tablets == "one") {
			t.Errorf("tablets: %s, 1 and 4 servers: same outcomes is %v", c.tablets, same)
		}
	}
}
