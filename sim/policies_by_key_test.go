package sim

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/sim/simtest/draw"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// TestMultiPolicyKeyByKey compares the totals of each key with three lists of
// counts. Every policy that would admit a rejected request is charged.
func TestMultiPolicyKeyByKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := draw.MorePolicies(t, draw.Scenario(t, 1, "", "fixed-window"))
		f := load(t, text)
		plans, problems, err := prepare(context.Background(), f, &logReader{dir: f.Dir})
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		p := plans[0]
		setting, err := p.setting(0)
		if err != nil {
			t.Fatal(err)
		}
		type window struct {
			key   int32
			index int64
		}
		count := map[window]int64{}
		offered, admitted := map[string]int64{}, map[string]int64{}
		stream, block := p.traffic.Open(p.scenario.Seed, 0), traffic.NewBlock()
		for stream.Fill(block); block.N > 0; stream.Fill(block) {
			for i := range block.N {
				pass, cost := true, block.Cost[i]
				for _, key := range block.Descriptors.Of(i) {
					l := setting.LimitOf(key)
					w := window{key, block.Time[i] / l.Window}
					if count[w]+cost <= l.Count {
						count[w] += cost
					} else {
						pass = false
					}
				}
				if block.Time[i] < p.start {
					continue
				}
				for _, key := range block.Descriptors.Of(i) {
					offered[p.traffic.KeyName(int(key))] += cost
					if pass {
						admitted[p.traffic.KeyName(int(key))] += cost
					}
				}
			}
		}
		_, err = Run(context.Background(), f, Options{Details: Details{Keys: func(k *Key) error {
			if k.Algorithm == "fixed-window" && (k.Offered != offered[k.Key] || k.Admitted != admitted[k.Key]) {
				t.Fatalf("%s: %d of %d admitted, want %d of %d\n%s", k.Key, k.Admitted, k.Offered, admitted[k.Key], offered[k.Key], text)
			}
			return nil
		}}})
		if err != nil {
			t.Fatal(err)
		}
	})
}
