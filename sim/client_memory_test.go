package sim

import (
	"fmt"
	"runtime"
	"testing"
)

// TestMemoryOfClients checks for each limiter that clients take at most as much memory at
// the start as the estimate says, which may be a quarter too high.
func TestMemoryOfClients(t *testing.T) {
	const clients = 100_000
	known := map[string]bool{}
	for _, preset := range Catalog().Counting() {
		if known[preset.Enforcement] || preset.Enforcement == "gossip" { // needs the demand of each client at each other
			continue
		}
		known[preset.Enforcement] = true
		p := planned(t, fmt.Sprintf(`version: 1
duration: 3s
scenarios:
  - name: crowd
    policy: {limit: 200k/s, burst: 200k}
    topology: {clients: %d, servers: 3, network: {exponential: {p99: 5ms}}}
    traffic: [{pattern: poisson, rate: 300/s}]
    algorithms: [%s]
`, clients, preset.Name))
		rows := p.rows[len(p.rows)-1:]
		before := held()
		c, runs, err := (&job{plan: p, rows: rows}).build(nil)
		if err != nil {
			t.Fatal(err)
		}
		took, said := (held()-before)/clients, p.memory(rows)/clients
		if took > said+said/8+8 || said > took+took/4+8 {
			t.Errorf("%s: %d bytes a client, the estimate is %d", preset.Name, took, said)
		}
		runtime.KeepAlive(c)
		runtime.KeepAlive(runs)
	}
}
