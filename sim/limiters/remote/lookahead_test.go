package remote_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/simtest"
	"github.com/limitgauge/limitgauge/sim/simtest/draw"
)

// TestLookaheadEqualsEventByEvent checks that a call whose end is computed ahead
// ends as one that is followed event by event, which a decision log requires. Many
// events share an instant, and callers time out while their calls are on the way to
// the store, in its queue or on the way back.
func TestLookaheadEqualsEventByEvent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pick := func(name string, from ...string) string { return rapid.SampledFrom(from).Draw(t, name) }
		text := fmt.Sprintf(`
version: 1
seed: %d
replications: 1
duration: 2s
warmup: %s
metrics: full
algorithms:
  asks: {preset: remote, timeout: %s, on_timeout: %s, abandoned: %s, sidecar: %s, store_network: %s, store_service_time: %s}
scenarios:
  - name: drawn
    policy: {limit: 100/s, burst: 50}
    topology: {clients: %d, servers: %d, network: %s}
%s    traffic:
%s    algorithms: [asks]
`, rapid.Uint32().Draw(t, "seed"), pick("warmup", "0s", "1s"), pick("timeout", "0s", "1ms", "3ms", "20ms"), pick("on timeout", "fail-open", "fail-closed"),
			pick("abandoned", "counted", "dropped"), pick("sidecar", "none", "100us"), pick("store network", "same", "0s", "2ms"),
			pick("service", "0s", "10us", "5ms", "{exponential: {mean: 2ms}}"),
			rapid.IntRange(1, 6).Draw(t, "clients"), rapid.IntRange(1, 3).Draw(t, "servers"),
			pick("network", "0s", "1ms", "{exponential: {p99: 20ms}}", "{lognormal: {p50: 1ms, p99: 15ms}}"),
			pick("guard", "", "    guard: {concurrency: 3, service_time: {exponential: {mean: 10ms}}}\n"), draw.Traffic(t, 3))
		lookahead := simtest.Run(t, text)
		followed, err := sim.Run(context.Background(), simtest.Load(t, text), sim.Options{Details: sim.Details{Decisions: func(*sim.Decision) error { return nil }}})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(lookahead, followed) {
			t.Fatalf("lookahead and event by event differ\n%s", text)
		}
	})
}
