package remote_test

import (
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestStoreCommands checks how many commands operations consist of, with 100 requests
// per second. One pipeline of INCRBY and EXPIRE for each is 100 operations and 200
// commands. A batch of 10 requests is 10 operations as scripts, 100 as one pipeline
// per key, with as many commands. A request that a replica's cache rejects has none;
// a sync has those of each row.
func TestStoreCommands(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 20s
algorithms:
  ahead:   {preset: remote}
  scripts: {preset: remote, batch_size: 10, batch_time: 1s, store_commands: 3}
  keys:    {preset: remote, batch_size: 10, batch_time: 1s, store_commands: 3, store_writes: per-key}
  cached:  {preset: remote, over_limit_cache: true, store_commands: 5}
  synced:  {preset: remote-cached, sync_interval: 1s, store_commands: 7}
  event:   {preset: remote, connections: 5}
policies: {a: {limit: 30/s}, b: {limit: 30/s}}
scenarios:
  - name: commands
    policy: {limit: 30/s, burst: 30}
    traffic: [{pattern: constant, rate: 100/s}]
    algorithms: [ahead, scripts, keys, cached, synced, event]
  - name: two policies
    policies: [a, b]
    traffic: [{pattern: constant, rate: 100/s, descriptors: {b: {applies: 50%}}}]
    algorithms: [ahead]
`)
	for name, want := range map[string][2]float64{
		"ahead": {100, 200}, "event": {100, 200}, "scripts": {10, 300}, "keys": {100, 300},
		"cached": {31, 31 * 5}, "synced": {1, 7},
	} {
		simtest.About(t, d, "commands", name, "store_ops_per_s", want[0], 0.051)
		ops, commands := simtest.Mean(t, d, "commands", name, "store_ops_per_s"), simtest.Mean(t, d, "commands", name, "store_commands_per_s")
		if diff := commands - ops*want[1]/want[0]; diff > 1e-9 || diff < -1e-9 {
			t.Errorf("%s: %v commands in %v operations per second, want %v in %v", name, commands, ops, want[1], want[0])
		}
	}
	// Every request has one key, every other one has two.
	simtest.About(t, d, "two policies", "ahead", "store_commands_per_s", 300, 0.05)
	simtest.Exactly(t, d, "two policies", "ahead", "store_ops_per_s", 100)
}
