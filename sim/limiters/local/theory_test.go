package local_test

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/internal/simtest"
)

// TestLocalFullMultiplies checks that N replicas with the full limit grant N times
// the limit. In issue 8061 of traefik three replicas with a limit of 10 grant 30.
func TestLocalFullMultiplies(t *testing.T) {
	for _, clients := range []int{1, 3, 8} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 1min
algorithms:
  windows: {enforcement: local, counter: fixed-window, share: full}
scenarios:
  - name: issue 8061
    policy: {limit: 10/min}
    topology: {clients: %d}
    traffic: [{pattern: herd, count: 100}]
    algorithms: [local-full, windows]
`, clients))
		want := float64(10 * clients)
		simtest.Exactly(t, d, "issue 8061", "local-full", "admitted_requests", want)
		simtest.Exactly(t, d, "issue 8061", "windows", "admitted_requests", want)
		simtest.Exactly(t, d, "issue 8061", "windows", "over_limit_pct", 100*(want/10-1))
	}
}

// TestLocalDividedSkewed checks a limit divided by four. It is exact under even
// traffic. If client 0 receives 70 % of traffic at the limit, it admits its quarter
// and the others admit all that they receive: 25 + 3*10 of every 100.
func TestLocalDividedSkewed(t *testing.T) {
	text := `
version: 1
duration: 40s
algorithms:
  windows: {enforcement: local, counter: fixed-window}
scenarios:
  - name: divided
    policy: {limit: 100/s}
    topology: {clients: 4}
    traffic: [{pattern: constant, rate: %s, spread: %s}]
    algorithms: [windows]
`
	const skewed = "{skewed: {shares: [70%, 10%, 10%, 10%]}}"
	even := simtest.Run(t, fmt.Sprintf(text, "300/s", "even"))
	simtest.Exactly(t, even, "divided", "windows", "admitted_requests", 4000)
	simtest.Exactly(t, even, "divided", "windows", "over_limit_pct", 0)
	// The requests of a small client in a window never reach its quarter of the
	// limit: the distance is five standard deviations.
	simtest.About(t, simtest.Run(t, fmt.Sprintf(text, "100/s", skewed)), "divided", "windows", "admitted_requests", 40*55, 0.02)
	// Three times the limit fills the quarters of the small clients, except for
	// the mean by which the draws of a window, 30 on average, fall short of 25:
	// E(25-X)+ = 0.43.
	simtest.About(t, simtest.Run(t, fmt.Sprintf(text, "300/s", skewed)), "divided", "windows", "admitted_requests", 40*(100-3*0.43), 0.005)
}

// TestEnvoyLocalRoundsUp checks that Envoy rounds a client's share of the limit up
// in each fill.
func TestEnvoyLocalRoundsUp(t *testing.T) {
	for _, x := range []struct{ limit, clients, want int }{{10, 3, 12}, {10, 1, 10}, {100, 7, 105}, {2, 5, 5}} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 10min
scenarios:
  - name: fills
    policy: {limit: %d/min}
    topology: {clients: %d}
    traffic: [{pattern: constant, rate: 100/s, spread: even}]
    algorithms: [envoy-local]
`, x.limit, x.clients))
		simtest.Exactly(t, d, "fills", "envoy-local", "admitted_requests", float64(10*x.want))
	}
}

// TestAutoscale checks that clients that divide a limit by their number grant all
// of it at every size of the fleet. Clients with the whole limit each grant it, and
// the requests of removed clients reach others.
func TestAutoscale(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 30s
metrics: full
algorithms:
  windows: {enforcement: local, counter: fixed-window}
  whole: {enforcement: local, counter: fixed-window, share: full}
scenarios:
  - name: scaled
    policy: {limit: 1200/s}
    topology: {clients: 12}
    traffic: [{pattern: constant, rate: 6000/s}]
    faults: [{autoscale: {stages: [{clients: 3}, {from: 10s, clients: 12}, {from: 20s, clients: 2}]}}]
    algorithms: [windows, whole, fixed-window]
`)
	simtest.Exactly(t, d, "scaled", "windows", "admitted_requests", 30*1200)
	simtest.Exactly(t, d, "scaled", "fixed-window", "admitted_requests", 30*1200)
	simtest.Exactly(t, d, "scaled", "whole", "admitted_requests", 10*3*1200+10*6000+10*2*1200)
	simtest.Exactly(t, d, "scaled", "whole", "fault_extra_admitted", 10*2*1200+10*4800+10*1200)
}

// TestStickyTenantsKeepOneClient checks that a tenant whose client is removed moves
// to one other client: clients with the whole limit grant it once, at every size of
// the fleet.
func TestStickyTenantsKeepOneClient(t *testing.T) {
	for _, tenant := range []string{"acme", "globex", "initech"} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 30s
algorithms: {whole: {enforcement: local, counter: fixed-window, share: full}}
scenarios:
  - name: scaled
    policy: {limit: 1200/s, shared: true}
    topology: {clients: 12}
    traffic: [{pattern: constant, rate: 6000/s, spread: sticky, tenant: %s}]
    faults: [{autoscale: {stages: [{clients: 3}, {from: 10s, clients: 12}, {from: 20s, clients: 2}]}}]
    algorithms: [whole]
`, tenant))
		simtest.Exactly(t, d, "scaled", "whole", "admitted_requests", 30*1200)
	}
}
