package table

import (
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

// The command that runs the worst replication selects one scenario and one
// replication, for any selection in the command of the document.
func TestRerunAlone(t *testing.T) {
	for _, c := range []struct{ rerun, scenario, want string }{
		{"limitgauge run basic", "light load", "limitgauge run basic --scenario 'light load' --seed 7 --replication 3"},
		{"limitgauge run basic", "partition", "limitgauge run basic --scenario partition --seed 7 --replication 3"},
		{"limitgauge run a.yaml --scenario 'light load' --scenario other --seed 1", "light load", "limitgauge run a.yaml --scenario 'light load' --seed 7 --replication 3"},
		{`limitgauge run a.yaml --scenario 'it'\''s all' --tier full`, "it's all", `limitgauge run a.yaml --tier full --scenario 'it'\''s all' --seed 7 --replication 3`},
		{"limitgauge run a.yaml --replications 40 --until over_limit_pct=1%", "x", "limitgauge run a.yaml --scenario x --seed 7 --replication 3"},
		{"limitgauge replay access.log --limit 1/s --seed 4", "access.log", "limitgauge replay access.log --limit 1/s --seed 7 --replication 3"},
		{"", "x", ""},
	} {
		if got := rerunAlone(c.rerun, results.Scenario{Name: c.scenario, Seed: 7}, 3); got != c.want {
			t.Errorf("%s, scenario %s: %s, want %s", c.rerun, c.scenario, got, c.want)
		}
	}
}
