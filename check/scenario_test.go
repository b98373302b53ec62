package check_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// rulesOf writes configurations of systems with one to three rules that hold for all requests.
var rulesOf = []func(draw *rand.Rand) string{
	func(draw *rand.Rand) string {
		zones, uses, modes := "", "", []string{"", "nodelay", "delay=1"}
		burst, mode := 1+draw.IntN(4), modes[draw.IntN(3)]
		for i := range 1 + draw.IntN(3) {
			zones += fmt.Sprintf("limit_req_zone $binary_remote_addr zone=z%d:1m rate=%dr/%c; ", i, 1+draw.IntN(90), "sm"[draw.IntN(2)])
			uses += fmt.Sprintf("limit_req zone=z%d burst=%d %s; ", i, burst, mode)
		}
		return zones + "server { " + uses + "}"
	},
	func(draw *rand.Rand) string {
		text, units := "domain: d\ndescriptors:\n", []string{"second", "minute", "hour"}
		for i := range 1 + draw.IntN(3) {
			text += fmt.Sprintf("- {key: k%d, rate_limit: {unit: %s, requests_per_unit: %d}}\n", i, units[draw.IntN(3)], 1+draw.IntN(40))
		}
		return text
	},
	func(draw *rand.Rand) string {
		text, denies, tables := "frontend f\n  mode http\n  bind :1\n", "", ""
		keys, periods := []string{"src", "int(1)"}, []string{"1s", "10s", "1m"}
		for i := range 1 + draw.IntN(3) {
			text += fmt.Sprintf("  http-request track-sc%d %s table t%d\n", i, keys[draw.IntN(2)], i)
			denies += fmt.Sprintf("  http-request deny if { sc_http_req_rate(%d) gt %d }\n", i, 1+draw.IntN(40))
			tables += fmt.Sprintf("backend t%d\n  stick-table type string size 1k expire 1h store http_req_rate(%s)\n", i, periods[draw.IntN(3)])
		}
		return text + denies + tables
	},
}

// TestScenarioDecides checks that a run of the scenario of several rules refuses as many
// requests of a log as the rules do.
func TestScenarioDecides(t *testing.T) {
	draw := rand.New(rand.NewPCG(6, 0))
	dir := t.TempDir()
	for range 40 {
		for _, rules := range rulesOf {
			text := rules(draw)
			var lines []string
			now := 0
			for range 300 {
				now += draw.IntN(3) * draw.IntN(400)
				lines = append(lines, at(now, fmt.Sprint("192.0.2.", draw.IntN(3)), "/", ""))
			}
			c := configured(t, text)
			want := judged(t, c, lines, map[string]string{"k0": "client", "k1": "client", "k2": "client"}, alone)
			if err := os.WriteFile(filepath.Join(dir, "log.json"), []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			scenario := c.Scenario(1, `{"files":["log.json"],"pattern":"trace"}`)
			f, problems := scenarios.Load("-", []byte(scenario), dir, sim.Catalog())
			if problems != nil {
				t.Fatalf("%s\n%s\n%v", text, scenario, problems)
			}
			d, err := sim.Run(t.Context(), f, sim.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range d.Results {
				if got := int64(*r.Metrics["rejected_requests"].Mean); !r.Reference && got != want.Refused {
					t.Errorf("%s\n%s\n%d refused, check refuses %d", text, scenario, got, want.Refused)
				}
			}
		}
	}
}
