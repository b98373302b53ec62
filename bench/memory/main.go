// Command memory measures how much memory a key needs in `limitgauge run`: the
// largest resident set of the whole process for one key, one million and two
// million keys, for a token bucket and for the reference, without tenants and with a
// hundred that share the keys. GOMAXPROCS=1 runs both rows one after the other.
//
//	cd bench && go run ./memory
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/limitgauge/limitgauge/bench/process"
)

func main() { process.Measure(bench, "../cmd/limitgauge") }

// keyed is a scenario with a given number of keys and about six requests for
// each key.
const keyed = `version: 1
duration: 60s
replications: 1
scenarios:
  - name: keys
    policy: {limit: 3/min, burst: 1}
    traffic: [{pattern: poisson, rate: %d/s, keys: {%s: {count: %d%s}}%s}]
    algorithms: [token-bucket]
`

func bench(ctx context.Context, dir string) error {
	fmt.Printf("%9s  %8s  %7s  %7s  %11s\n", "keys", "law", "tenants", "peak MB", "bytes a key")
	const tenants = ", tenants: {uniform: {count: 100}}"
	for _, law := range []struct{ name, more, tenants string }{{"uniform", "", ""}, {"zipf", ", s: 1.1", ""}, {"uniform", "", tenants}} {
		alone := 0.0
		for _, keys := range []int{1, 1_000_000, 2_000_000} {
			file := filepath.Join(dir, "keys.yaml")
			text := fmt.Sprintf(keyed, max(1000, keys/10), law.name, keys, law.more, law.tenants)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				return err
			}
			used, err := process.Run(ctx, filepath.Join(dir, "limitgauge"), "run", file, "--no-plots", "-q", "-o", filepath.Join(dir, "results.json"))
			if err != nil {
				return err
			}
			if keys == 1 {
				alone = used.PeakMB
			}
			count := "-"
			if law.tenants != "" {
				count = "100"
			}
			fmt.Printf("%9d  %8s  %7s  %7.0f  %11.0f\n", keys, law.name, count, used.PeakMB, (used.PeakMB-alone)*1e6/float64(keys))
		}
	}
	return nil
}
