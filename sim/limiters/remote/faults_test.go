package remote_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestStoreDown checks that every call times out while the store is down, and none
// afterwards.
func TestStoreDown(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 30s
algorithms:
  open:   {preset: remote}
  closed: {preset: remote, on_timeout: fail-closed}
  few:    {preset: remote, connections: 2}
  synced: {preset: remote-cached}
scenarios:
  - name: down
    policy: {limit: 100/s}
    topology: {clients: 5, servers: 3, network: 2ms}
    traffic: [{pattern: constant, rate: 500/s}]
    algorithms: [open, closed, few, synced]
    faults: [{store-down: {from: 10s, to: 20s}}]
`)
	// A call that was sent 1.5 ms before the store goes down is lost on its way
	// there. The last call sent before the store is up again arrives in time.
	simtest.Exactly(t, d, "down", "open", "timed_out_requests", 5000)
	simtest.Exactly(t, d, "down", "open", "admitted_fail_open_requests", 5000)
	simtest.Exactly(t, d, "down", "open", "admitted_requests", 20*100+5000)
	simtest.Exactly(t, d, "down", "closed", "rejected_fail_closed_requests", 5000)
	simtest.Exactly(t, d, "down", "closed", "admitted_requests", 20*100)
	// Connections stay in use until the callers time out.
	simtest.About(t, d, "down", "few", "timed_out_requests", 5000, 0.01)
	// An owner that counts in memory is not affected.
	simtest.Exactly(t, d, "down", "synced", "admitted_requests", 30*100)
}

// TestStoreFailoverForgets checks that a store that restarts without its last
// second counts again what it had counted then.
func TestStoreFailoverForgets(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 60s
algorithms:
  synced: {preset: remote-cached, sync_interval: 100ms, route: any}
scenarios:
  - name: failover
    policy: {limit: 3000/min}
    traffic: [{pattern: constant, rate: 100/s}]
    algorithms: [remote, synced]
    faults: [{store-down: {from: 20s, to: 21s, lose: 1s}}]
`)
	// The 100 requests of the lost second are admitted again, and so are the
	// 100 of the second without a store. A replica counts during that time, but
	// then replaces its count with the store's.
	simtest.Exactly(t, d, "failover", "remote", "admitted_requests", 3000+100+100)
	simtest.Exactly(t, d, "failover", "remote", "admitted_fail_open_requests", 100)
	simtest.Exactly(t, d, "failover", "synced", "admitted_requests", 3000+100)
}

// TestPartition checks that calls of partitioned clients time out and fail open.
func TestPartition(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 30s
scenarios:
  - name: cut
    policy: {limit: 1000000/s}
    topology: {clients: 10, servers: 3, network: 2ms}
    traffic: [{pattern: constant, rate: 1000/s}]
    algorithms: [remote, blocking-batches]
    faults: [{partition: {from: 10s, to: 15s, share: 40%}}]
`)
	simtest.About(t, d, "cut", "remote", "admitted_fail_open_requests", 0.4*5*1000, 0.01)
	simtest.About(t, d, "cut", "blocking-batches", "admitted_fail_open_requests", 0.4*5*1000, 0.01)
}

// TestServerCrash checks that a crashed replica receives its share of calls until
// the crash is noticed. If keys have owners, its keys then move to others, and
// clients know of it a second later.
func TestServerCrash(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 120s
algorithms:
  ring:    {preset: remote, route: {ring: {propagation: 2s}}}
  stuck:   {preset: remote, route: hash}
scenarios:
  - name: crash
    policy: {limit: 10/s}
    topology: {clients: 10, servers: 4, network: 2ms}
    traffic: [{pattern: constant, rate: 1000/s, keys: {uniform: {count: 4000}}}]
    algorithms: [remote, ring, sharded-memory, stuck]
    faults: [{server-crash: {from: 30s, server: 1, down_for: 60s}}]
`)
	share := func(name string) float64 { return simtest.Mean(t, d, "crash", name, "timed_out_requests") / 1000 }
	if got := share("remote"); math.Abs(got-30.0/4) > 0.1 {
		t.Errorf("any route: calls of %v s timed out, want a quarter of 30", got)
	}
	if got := share("ring"); got < 32*0.19 || got > 32*0.31 {
		t.Errorf("ring: calls of %v s timed out, want about a quarter of 32", got)
	}
	if got := share("sharded-memory"); math.Abs(got-31.0/4) > 0.4 {
		t.Errorf("slices: calls of %v s timed out, want a quarter of 31", got)
	}
	if got := share("stuck"); math.Abs(got-60.0/4) > 0.8 {
		t.Errorf("hash: calls of %v s timed out, want a quarter of 60", got)
	}
}

// TestOwnerRestarts checks that an owner that restarts without state grants the
// limit once more.
func TestOwnerRestarts(t *testing.T) {
	for state, want := range map[string]float64{"lost": 300, "kept": 200} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 120s
scenarios:
  - name: restart
    policy: {limit: 100/min}
    topology: {servers: 4}
    traffic: [{pattern: constant, rate: 10/s}]
    algorithms: [sharded-memory]
    faults: [{server-restart: {from: 30s, state: %s, expect_no_effect: true}}]
`, state))
		simtest.Exactly(t, d, "restart", "sharded-memory", "admitted_requests", want)
	}
}

// TestReshard checks that a key that moves loses its count unless the state moves
// too. With two owners, and with clients that use an old map, the old owner counts
// it for some time; an old owner that no longer answers lets calls time out.
func TestReshard(t *testing.T) {
	for _, c := range []struct {
		fault                   string
		lost, kept, failingOpen float64
	}{
		{"", 200, 100, 0},
		{"two_owners_for: 5s, stale_for: 5s", 200, 100, 0},
		{"two_owners_for: 1s, stale_for: 3s", 200 + 20, 100 + 20, 20},
	} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 60s
algorithms:
  lost: {preset: sharded-memory}
  kept: {preset: sharded-memory, moved_state: kept}
scenarios:
  - name: move
    policy: {limit: 100/min}
    topology: {servers: 4}
    traffic: [{pattern: constant, rate: 10/s}]
    algorithms: [lost, kept]
    faults: [{reshard: {from: 30s, share: 100%%, %s}}]
`, c.fault))
		simtest.Exactly(t, d, "move", "lost", "admitted_requests", c.lost)
		simtest.Exactly(t, d, "move", "kept", "admitted_requests", c.kept)
		simtest.Exactly(t, d, "move", "kept", "admitted_fail_open_requests", c.failingOpen)
	}
}

// TestSlowStoreAndNetworkFaults checks that calls time out at a store that is 16
// times slower, and on hops that follow another latency distribution for some time.
func TestSlowStoreAndNetworkFaults(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 40s
replications: 5
algorithms:
  slow: {preset: remote, store_service_time: 1ms, timeout: 15ms, store_network: 0s}
  hops: {preset: remote, store_service_time: 0s}
scenarios:
  - name: slow
    policy: {limit: 1000000/s}
    traffic: [{pattern: constant, rate: 50/s}]
    algorithms: [slow]
    faults: [{slow-server: {from: 10s, to: 20s, factor: 16}}]
  - name: network
    policy: {limit: 1000000/s}
    traffic: [{pattern: constant, rate: 2000/s}]
    algorithms: [hops]
    faults: [{network: {from: 10s, to: 30s, latency: {exponential: {p99: 20ms}}}}]
`)
	simtest.Exactly(t, d, "slow", "slow", "timed_out_requests", 500)
	simtest.About(t, d, "network", "hops", "timed_out_requests", 0.05605*20*2000, 0.03)
}

// TestRemoteResponders checks that a store that answers later makes calls longer
// by exactly that time, and a server by its factor on the network's latency, and
// that neither makes other calls queue.
func TestRemoteResponders(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 40s
metrics: full
algorithms:
  asked: {preset: remote, timeout: 0s, store_service_time: 100us, store_network: 2ms}
scenarios:
  - name: store
    policy: {limit: 1000000/s}
    topology: {network: 10ms}
    traffic: [{pattern: constant, rate: 5000/s}]
    algorithms: [asked]
    faults: [{store-latency: {from: 10s, to: 30s, add: 200ms, factor: 2}}]
  - name: server
    policy: {limit: 1000000/s}
    topology: {network: 10ms}
    traffic: [{pattern: constant, rate: 5000/s}]
    algorithms: [asked]
    faults: [{server-latency: {from: 10s, to: 30s, factor: 3}}]
`)
	usual := 10 + 2 + 0.1
	simtest.About(t, d, "store", "asked", "decision_latency_max_ms", usual+2+200, 0.001)
	simtest.About(t, d, "store", "asked", "decision_latency_mean_ms", usual+202./2, 0.001)
	simtest.About(t, d, "server", "asked", "decision_latency_max_ms", usual+20, 0.001)
	simtest.About(t, d, "server", "asked", "decision_latency_mean_ms", usual+20./2, 0.001)
}

// TestRemoteLimitChanges checks that a new limit holds at once, wherever it is
// counted.
func TestRemoteLimitChanges(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 20s
scenarios:
  - name: tenth
    policy: {limit: 100/s}
    traffic: [{pattern: constant, rate: 500/s}]
    algorithms: [remote, remote-cached, sharded-memory, blocking-batches]
    faults: [{policy-change: {from: 10s, factor: 0.1}}]
`)
	for _, name := range []string{"remote", "remote-cached", "sharded-memory"} {
		simtest.Exactly(t, d, "tenth", name, "admitted_requests", 10*100+10*10)
	}
	simtest.About(t, d, "tenth", "blocking-batches", "admitted_requests", 10*100+10*10, 0.01)
}

// TestSyncsSurviveTheStore checks that replicas count alone while the store is
// unreachable and add their counts when it recovers: no count is lost or counted
// twice.
func TestSyncsSurviveTheStore(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 60s
algorithms:
  synced: {preset: remote-cached, route: any, sync_interval: 1s, store_service_time: 10ms}
scenarios:
  - name: outage
    policy: {limit: 4000/min}
    topology: {servers: 4, clients: 4}
    traffic: [{pattern: constant, rate: 100/s}]
    algorithms: [synced]
    faults: [{store-down: {from: 10s, to: 20s}}, {server-restart: {from: 50s, servers: 1, state: kept, down_for: 1ms}}]
`)
	// 100 requests per second reach the limit after 40 s. Each replica knows
	// the counts of the three others except for the last second.
	simtest.About(t, d, "outage", "synced", "admitted_requests", 4000, 0.02)
	if got := simtest.Mean(t, d, "outage", "synced", "admitted_requests"); got < 4000 {
		t.Errorf("%v admitted: a count was added twice", got)
	}
}

// TestFaultsOfARemoteStore checks faults of 10 s in 30 s. A limiter that fails open
// admits 3000/s instead of 1000/s, one that fails closed lacks 1000/s, and the half
// of the clients that is partitioned adds 1500/s.
func TestFaultsOfARemoteStore(t *testing.T) {
	for _, c := range []struct {
		fault, mode                            string
		extra, refused, share, admitted, whole float64
	}{
		{"store-down: {from: 10s, to: 20s}", "fail-open", 20000, 0, 1, 20*1000 + 10*3000, 30},
		{"store-down: {from: 10s, to: 20s}", "fail-closed", 0, 10000, 0, 20 * 1000, 30},
		{"partition: {from: 10s, to: 20s, clients: [0]}", "fail-open", 15000, 0, 0.5, 30*1000 + 10*1500, 30},
		{"partition: {from: 10s, to: 20s, clients: [1]}", "fail-closed", 0, 0, 0, 30 * 1000, 30},
		{"store-down: {from: 10s, to: 12s, every: 8s}", "fail-open", 3 * 4000, 0, 1, 30*1000 + 3*4000, 30},
	} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 30s
metrics: full
algorithms:
  asks: {preset: remote, on_timeout: %s, store_service_time: 0s}
scenarios:
  - name: store
    policy: {limit: 1000/s, burst: 1, reference: fixed-window}
    topology: {clients: 2}
    traffic: [{pattern: constant, rate: 3000/s}]
    faults: [{%s}]
    algorithms: [asks]
`, c.mode, c.fault))
		t.Log(c.fault, c.mode)
		// A call in flight when the fault begins is admitted later, and a call in
		// flight when it ends is admitted after it.
		simtest.About(t, d, "store", "asks", "fault_extra_admitted", c.extra, 0.02)
		simtest.About(t, d, "store", "asks", "fault_false_rejected", c.refused, 0.02)
		simtest.About(t, d, "store", "asks", "fail_open_share", c.share, 0.02)
		simtest.About(t, d, "store", "asks", "admitted_requests", c.admitted, 0.02)
		simtest.Exactly(t, d, "store", "asks", "reenforce_s", 0)
		simtest.Exactly(t, d, "store", "reference", "fault_extra_admitted", 0)
	}
}

// TestLateAnswersAreForgotten checks that a call whose answer would be late does not stay: a run
// may hold about a million calls at a time, and any number one after the other.
func TestLateAnswersAreForgotten(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 1100ms
replications: 1
algorithms:
  late: {enforcement: remote, counter: fixed-window, store: false, service_time: 0s, timeout: 3ms}
scenarios:
  - name: late
    policy: {limit: 1/s}
    topology: {network: 4ms}
    traffic: [{pattern: constant, rate: 1000000/s}]
    algorithms: [late]
`)
	simtest.Exactly(t, d, "late", "late", "timed_out_requests", 1_100_000-3_000) // those of the last 3 ms still wait
}
