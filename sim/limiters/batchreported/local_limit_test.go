package batchreported_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestLocalAutoAdmitsConformingDemand checks that the local limiter "auto" refuses
// nothing of demand that the policy's reference admits whole, whatever its costs and
// keys, the clients' clocks and the spread over clients.
func TestLocalAutoAdmitsConformingDemand(t *testing.T) {
	f := simtest.Load(t, `
version: 1
duration: 1s
scenarios:
  - name: options
    policy: {limit: 1/s}
    topology: {clients: 4}
    traffic: [{pattern: constant, rate: 1/s}]
    algorithms: [batch-debt-local, rejection-rate-local]
`)
	exact := map[string]string{"token-bucket": "token-bucket", "sliding-log": "sliding-window-log", "fixed-window": "fixed-window"}
	rapid.Check(t, func(t *rapid.T) {
		const keys, largest = 3, 30
		limit := counting.Limit{Count: rapid.Int64Range(1, 40).Draw(t, "limit"), Window: rapid.Int64Range(1, 200).Draw(t, "window"), Burst: rapid.Int64Range(0, 40).Draw(t, "burst")}
		reference := rapid.SampledFrom([]string{"token-bucket", "sliding-log", "fixed-window"}).Draw(t, "reference")
		setting := engine.Setting{Scenario: &scenarios.Scenario{Policy: scenarios.Policy{Reference: scenarios.Reference{Kind: reference}}}, Limit: limit, MaxCost: largest}
		options := rapid.SampledFrom(f.Scenarios[0].Algorithms).Draw(t, "algorithm").Options
		config, err := batchreported.ConfigFrom(options, limit, 4, setting.ConformingDepth(0, limit))
		if err != nil {
			t.Fatal(err)
		}
		var clients []*batchreported.Client
		for id := range int32(config.Clients) {
			clients = append(clients, batchreported.NewClient(&config, id))
			clients[id].SetClock(rapid.Int64Range(-500, 500).Draw(t, "clock"))
		}
		demand := limit
		demand.Burst = max(limit.Burst, largest) // of the reference, as in a run
		judge, err := counting.New(exact[reference], demand, nil, keys)
		if err != nil {
			t.Fatal(err)
		}
		now := int64(0)
		for range rapid.IntRange(1, 100).Draw(t, "requests") {
			now += rapid.Int64Range(0, 1<<rapid.IntRange(0, 8).Draw(t, "scale")).Draw(t, "dt")
			key, cost := rapid.Int32Range(0, keys-1).Draw(t, "key"), rapid.Int64Range(1, largest).Draw(t, "cost")
			if !judge.Take(key, now, cost).Admitted() {
				continue // the rest conforms
			}
			client := clients[rapid.IntRange(0, 3).Draw(t, "client")]
			if v := client.Decide(now, key, cost, nil); !v.Admitted() {
				t.Fatalf("%s: a cost of %d at %d is refused, cause %v", reference, cost, now, v.Cause())
			}
		}
	})
}
