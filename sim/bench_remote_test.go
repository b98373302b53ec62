package sim

import "testing"

// BenchmarkRemote measures the event executor with a call for each request: two
// hops to a store that is busy for 80 % of the time.
func BenchmarkRemote(b *testing.B) {
	benchmarkTrial(b, `
version: 1
duration: 5s
algorithms:
  store: {preset: remote, store_service_time: {exponential: {mean: 1us}}}
scenarios:
  - name: store
    policy: {limit: 500000/s}
    topology: {clients: 100, servers: 10, network: {exponential: {p99: 5ms}}}
    traffic: [{pattern: poisson, rate: 800000/s}]
    algorithms: [store]
`)
}

// BenchmarkRemoteSharded measures calls to owners that count many keys in memory.
func BenchmarkRemoteSharded(b *testing.B) {
	benchmarkTrial(b, `
version: 1
duration: 5s
scenarios:
  - name: owners
    policy: {limit: 500/s}
    topology: {clients: 100, servers: 10, network: {exponential: {p99: 5ms}}}
    traffic: [{pattern: poisson, rate: 800000/s, keys: {uniform: {count: 1000}}}]
    algorithms: [sharded-memory]
`)
}
