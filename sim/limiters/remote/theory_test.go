package remote_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/remote"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestRemoteWithoutDelayIsCentral checks that a remote store without latency and
// service times equals the central counter request by request, for every route,
// batch and store.
func TestRemoteWithoutDelayIsCentral(t *testing.T) {
	for _, name := range remote.Entry().Over {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 20s
replications: 1
algorithms:
  here:   {enforcement: central, counter: %[1]s}
  there:  {enforcement: remote, counter: %[1]s, store_service_time: 0s}
  ring:   {enforcement: remote, counter: %[1]s, store_service_time: 0s, route: ring, connections: 1}
  memory: {enforcement: remote, counter: %[1]s, store: false, route: hash}
  cached: {enforcement: remote, counter: %[1]s, store_service_time: 0s, route: slices, over_limit_cache: true}
scenarios:
  - name: same
    policy: {limit: 50/s, burst: 20}
    topology: {clients: 3, servers: 4}
    traffic:
      - {pattern: poisson, rate: 300/s, keys: {zipf: {count: 5}}, cost: {uniform: {max: 3}}}
      - {pattern: constant, rate: 100/s, keys: {uniform: {count: 2}}}
    algorithms: [here, there, ring, memory, cached]
`, name))
		rows := []string{"there", "ring", "memory"}
		if !rejectionsCost(t, name) { // a cache rejects without asking the counter
			rows = append(rows, "cached")
		}
		for _, metric := range []string{"admitted_requests", "admitted_cost", "rejected_requests", "over_limit_pct", "burst_excess", "under_admission_pct"} {
			want := simtest.Mean(t, d, "same", "here", metric)
			for _, row := range rows {
				simtest.Exactly(t, d, "same", row, metric, want)
			}
		}
		simtest.Exactly(t, d, "same", "there", "calls_per_decision", 1)
		simtest.Exactly(t, d, "same", "there", "fanout_max", 1)
		if got := simtest.Mean(t, d, "same", "cached", "rejected_cache_requests"); got == 0 {
			t.Errorf("%s: nothing was refused by a cache", name)
		}
		asked := simtest.Mean(t, d, "same", "cached", "store_ops_per_s")*20 + simtest.Mean(t, d, "same", "cached", "rejected_cache_requests")
		if offered := simtest.Mean(t, d, "same", "cached", "offered_requests"); math.Abs(asked-offered) > 0.5 {
			t.Errorf("%s: %v requests were answered from the store or a cache, of %v", name, asked, offered)
		}
	}
}

// rejectionsCost reports whether requests that the counter rejects delay the next one
// that it admits, as those of a row do that each call updates.
func rejectionsCost(t *testing.T, name string) bool {
	const ms = int64(1e6)
	retryAt := func(rejected int) int64 {
		table, err := counting.New(name, counting.Limit{Count: 50, Window: 1000 * ms, Burst: 20}, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		for table.Take(0, 0, 1).Admitted() {
		}
		for i := range rejected {
			table.Take(0, int64(i)*ms, 1)
		}
		return table.RetryAt(0, int64(rejected)*ms, 1)
	}
	return retryAt(5) > retryAt(0)
}

// TestTimeoutsOfTwoHops checks two hops of exponential round trips with a p99 of 20
// ms each. Together they take longer than 20 ms in e^-x*(1+x) of calls, x = ln 100:
// 5.605 %.
func TestTimeoutsOfTwoHops(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 100s
replications: 5
algorithms:
  open:   {preset: remote, store_service_time: 0s}
  closed: {preset: remote, store_service_time: 0s, on_timeout: fail-closed}
  far:    {preset: remote, store_service_time: 0s, sidecar: {exponential: {p99: 20ms}}}
scenarios:
  - name: hops
    policy: {limit: 1000000/s}
    topology: {servers: 3, clients: 10, network: {exponential: {p99: 20ms}}}
    traffic: [{pattern: poisson, rate: 2000/s}]
    algorithms: [open, closed, far]
`)
	x := math.Log(100)
	offered := simtest.Mean(t, d, "hops", "open", "offered_requests")
	two, three := math.Exp(-x)*(1+x), math.Exp(-x)*(1+x+x*x/2)
	if math.Abs(two-0.05605) > 1e-5 {
		t.Fatal(two)
	}
	simtest.About(t, d, "hops", "open", "timed_out_requests", two*offered, 0.02)
	simtest.About(t, d, "hops", "open", "admitted_fail_open_requests", two*offered, 0.02)
	simtest.About(t, d, "hops", "closed", "rejected_fail_closed_requests", two*offered, 0.02)
	simtest.About(t, d, "hops", "far", "timed_out_requests", three*offered, 0.02)
	simtest.Exactly(t, d, "hops", "open", "decision_latency_max_ms", 20)
	// The store also counts calls that have timed out.
	if got := simtest.Mean(t, d, "hops", "open", "store_ops_per_s"); math.Abs(got*100-offered) > 0.001*offered {
		t.Errorf("the store served %v of %v calls", got*100, offered)
	}
}

// TestStoreIsAQueue checks the waits at the store: rho*s/(1-rho) on average for
// M/M/1, half as long for M/D/1. The latency is the wait plus the service.
func TestStoreIsAQueue(t *testing.T) {
	const s = 10.0 // ms
	for _, rho := range []float64{0.5, 0.8} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 630s
warmup: 30s
replications: 12
algorithms:
  mm1: {preset: remote, timeout: 0s, store_service_time: {exponential: {mean: 10ms}}}
  md1: {preset: remote, timeout: 0s, store_service_time: 10ms}
scenarios:
  - name: queue
    policy: {limit: 1000000/s}
    traffic: [{pattern: poisson, rate: %v/s}]
    algorithms: [mm1, md1]
`, 100*rho))
		for name, want := range map[string]float64{"mm1": rho * s / (1 - rho), "md1": rho * s / (2 * (1 - rho))} {
			wait := simtest.Summary(t, d, "queue", name, "store_wait_mean_ms")
			// Of four 95 % intervals one may miss by chance; 1.5 times as far is 99.7 %.
			if math.Abs(*wait.Mean-want) > 1.5*wait.Spread() || *wait.Hi-*wait.Lo > want/8 {
				t.Errorf("%s, rho %v: waits %v ms (%v to %v), want %v", name, rho, *wait.Mean, *wait.Lo, *wait.Hi, want)
			}
			simtest.About(t, d, "queue", name, "decision_latency_mean_ms", *wait.Mean+s, 0.01)
		}
		// The 99th percentile of M/M/1's time in the system is that of an
		// exponential with mean s/(1-rho).
		simtest.About(t, d, "queue", "mm1", "decision_latency_p99_ms", math.Log(100)*s/(1-rho), 0.1)
	}
}

// TestConnectionsBoundThroughput checks that with c connections and a store latency
// of d a replica passes on c/d calls. Faster traffic waits for a connection and
// times out.
func TestConnectionsBoundThroughput(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 20s
warmup: 5s
algorithms:
  few:    {preset: remote, store_network: 10ms, connections: 3, timeout: 100ms}
  closer: {preset: remote, store_network: 10ms, connections: 3, timeout: 100ms, abandoned: dropped}
  enough: {preset: remote, store_network: 10ms, connections: 11, timeout: 100ms}
scenarios:
  - name: connections
    policy: {limit: 1000000/s}
    topology: {servers: 2}
    traffic: [{pattern: constant, rate: 2000/s}]
    algorithms: [few, closer, enough]
`)
	// 2 replicas * 3 connections / 10 ms (and 10 us at the store).
	simtest.About(t, d, "connections", "few", "store_ops_per_s", 600, 0.01)
	simtest.Exactly(t, d, "connections", "enough", "timed_out_requests", 0)
	// The queue for connections grows without bound, so in the end no call is
	// answered in time. Dropping abandoned calls does not help here: a call that
	// gets a connection has waited so long that its caller times out while the
	// call is on the way to the store, which drops it.
	simtest.Exactly(t, d, "connections", "few", "timed_out_requests", 15*2000-200)
	simtest.Exactly(t, d, "connections", "closer", "timed_out_requests", 15*2000-200)
	simtest.Exactly(t, d, "connections", "few", "waiting_requests", 200)
}

// TestOverloadedStore checks that an overloaded store answers no call in time,
// unless it drops calls whose callers have timed out.
func TestOverloadedStore(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 30s
warmup: 5s
algorithms:
  counted: {preset: remote, store_service_time: 1ms}
  dropped: {preset: remote, store_service_time: 1ms, abandoned: dropped, timeout: 20ms}
scenarios:
  - name: overload
    policy: {limit: 100000/s}
    traffic: [{pattern: constant, rate: 1600/s}]
    algorithms: [counted, dropped]
`)
	simtest.Exactly(t, d, "overload", "counted", "timed_out_requests", 25*1600-32) // the last ones still wait
	simtest.About(t, d, "overload", "counted", "store_ops_per_s", 1000, 0.001)
	simtest.About(t, d, "overload", "dropped", "store_ops_per_s", 1000, 0.001)
}

// TestBlockingBatches checks requests 1 ms apart. They wait until the time of their
// batch ends or the batch is full; then the call takes its time.
func TestBlockingBatches(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 10s
algorithms:
  time:    {preset: blocking-batches, batch_size: 1000, batch_time: 10ms, store_network: 0s, store_service_time: 0s}
  size:    {preset: blocking-batches, batch_size: 5, batch_time: 10ms, store_network: 0s, store_service_time: 0s}
  scripts: {preset: blocking-batches, batch_size: 10, batch_time: 1s, store_network: 0s, store_service_time: 10us}
  keys:    {preset: blocking-batches, batch_size: 10, batch_time: 1s, store_network: 0s, store_service_time: 10us, store_writes: per-key}
  owners:  {preset: blocking-batches, batch_size: 200, batch_time: 1s, route: hash, timeout: 0s}
scenarios:
  - name: one gateway
    policy: {limit: 1000000/s}
    topology: {network: 4ms, servers: 4}
    traffic: [{pattern: constant, rate: 1000/s, keys: {uniform: {count: 1000}}}]
    algorithms: [time, size, scripts, keys, owners]
`)
	// The first request of a batch opens it and waits 10 ms, the tenth waits 1
	// ms. In a batch of five the first waits 4 ms and the last does not wait.
	simtest.About(t, d, "one gateway", "time", "wait_mean_ms", 5.5, 0.001)
	simtest.Exactly(t, d, "one gateway", "time", "wait_max_ms", 10)
	simtest.About(t, d, "one gateway", "time", "decision_latency_mean_ms", 9.5, 0.001)
	simtest.Exactly(t, d, "one gateway", "size", "wait_max_ms", 4)
	simtest.Exactly(t, d, "one gateway", "size", "decision_latency_mean_ms", 6)
	simtest.Exactly(t, d, "one gateway", "size", "server_calls_per_s", 200)
	simtest.Exactly(t, d, "one gateway", "size", "server_entries_per_s", 1000)
	simtest.About(t, d, "one gateway", "scripts", "store_ops_per_s", 100, 0.002)
	simtest.Exactly(t, d, "one gateway", "scripts", "decision_latency_max_ms", 9+4+0.01)
	simtest.About(t, d, "one gateway", "keys", "store_ops_per_s", 1000, 0.002)
	simtest.Exactly(t, d, "one gateway", "keys", "decision_latency_max_ms", 9+4+0.1)
	simtest.Exactly(t, d, "one gateway", "owners", "fanout_max", 4)
	simtest.Exactly(t, d, "one gateway", "owners", "calls_per_decision", 4.0/200)
}

// TestSyncedReplicas checks that replicas that count alone and sync every d exceed
// the limit by k*d/w, as clients that report every d do. Owners do not exceed it.
func TestSyncedReplicas(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 30s
algorithms:
  any:   {preset: remote-cached, route: any}
  owned: {preset: remote-cached}
scenarios:
  - name: synced
    policy: {limit: 10000/s}
    topology: {clients: 20, servers: 20}
    traffic: [{pattern: constant, rate: 30000/s}]
    algorithms: [any, owned]
`)
	simtest.About(t, d, "synced", "any", "over_limit_pct", 100*3*0.1/1, 0.15)
	simtest.Exactly(t, d, "synced", "owned", "over_limit_pct", 0)
	simtest.Exactly(t, d, "synced", "owned", "admitted_requests", 30*10000)
	// One key has one owner. Each operation contains the counts of a tenth of a
	// second, until the window is used up after a third of it.
	simtest.About(t, d, "synced", "owned", "store_ops_per_s", 4, 0.01)
	simtest.Exactly(t, d, "synced", "owned", "server_load_max_over_mean", 20)
}

// TestHotKeyOverloadsItsOwner checks a hot key with share p of the traffic. Its
// owner, of n replicas, has p*n + 1-p times the mean load. An autosharder moves
// other keys away from it, down to p*n.
func TestHotKeyOverloadsItsOwner(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 400s
warmup: 250s
replications: 1
algorithms:
  hash:   {preset: remote, route: hash}
  ring:   {preset: remote, route: {ring: {virtual_nodes: 1000}}}
  slices: {preset: sharded-memory}
scenarios:
  - name: hot
    policy: {limit: 1000000/s}
    topology: {servers: 5}
    traffic: [{pattern: poisson, rate: 500/s, keys: {hot: {count: 20000, share: 40%}}}]
    algorithms: [hash, ring, slices]
`)
	simtest.About(t, d, "hot", "hash", "server_load_max_over_mean", 0.4*5+0.6, 0.03)
	simtest.About(t, d, "hot", "ring", "server_load_max_over_mean", 0.4*5+0.6, 0.05)
	simtest.About(t, d, "hot", "slices", "server_load_max_over_mean", 0.4*5, 0.03)
}
