package local_test

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
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

// TestGivenShares checks clients with shares of 50, 30 and 20 % of 100 requests per
// second, each with more requests than its share: they admit 50, 30 and 20 of every
// 100, by window and in the long run by bucket. Shares that add up to more admit more,
// and shares of a limit that changes are shares of the new one.
func TestGivenShares(t *testing.T) {
	for _, c := range []struct {
		shares, faults string
		windows        float64
		least, most    float64 // in percent of the admitted cost
	}{
		{"[50%, 30%, 20%]", "", 10 * 100, 20, 50},
		{"[1/2, 1/2, 1/2]", "", 10 * 150, 100. / 3, 100. / 3},
		{"[100%, 1, 100%]", "", 10 * 300, 100. / 3, 100. / 3},
		{"[50%, 30%, 20%]", "faults: [{policy-change: {from: 5s, factor: 0.5}}]", 5*100 + 5*50, 20, 50},
		{"[33.5%, 0.335, 33%]", "", 10 * (33 + 33 + 33), 100. / 3, 100. / 3},
	} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 10s
algorithms:
  windows: {enforcement: local, counter: fixed-window, shares: %[1]s}
  buckets: {enforcement: local, counter: token-bucket, shares: %[1]s}
scenarios:
  - name: given
    policy: {limit: 100/s, burst: 10}
    topology: {clients: 3}
    traffic: [{pattern: constant, rate: 900/s}]
    algorithms: [windows, buckets]
    %[2]s
`, c.shares, c.faults))
		simtest.Exactly(t, d, "given", "windows", "admitted_requests", c.windows)
		simtest.About(t, d, "given", "windows", "client_share_min_pct", c.least, 0.0001)
		simtest.About(t, d, "given", "windows", "client_share_max_pct", c.most, 0.0001)
		simtest.About(t, d, "given", "buckets", "admitted_requests", c.windows, 0.02)
	}
	// A bucket's rate is its exact share: 2/3 of 7 requests in 3 s, over 9,000 s.
	d := simtest.Run(t, `
version: 1
duration: 9000s
algorithms:
  buckets: {enforcement: local, counter: token-bucket, shares: [2/3, 1/3]}
scenarios:
  - name: exact
    policy: {limit: 7/3s, burst: 30}
    topology: {clients: 2}
    traffic: [{pattern: constant, rate: 20/s}]
    algorithms: [buckets]
`)
	simtest.Exactly(t, d, "exact", "buckets", "admitted_requests", 9000*7/3+20+10-2) // and the bursts; at its last request each has a token that is not whole
}
