package trial

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/live/bounds"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/send"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Of equal counts, a measured figure equals the simulated one to the last bit: if a limiter
// decides at once as the prediction does, no figure is off.
func TestEqualCountsAreEqualFigures(t *testing.T) {
	compared := 0
	rapid.Check(t, func(r *rapid.T) {
		reference := rapid.SampledFrom([]string{"token-bucket", "fixed-window", "sliding-log"}).Draw(r, "reference")
		algorithm := rapid.SampledFrom([]string{"token-bucket", "fixed-window", "sliding-window-log"}).Draw(r, "algorithm")
		limit := counting.Limit{Count: rapid.Int64Range(1, 60).Draw(r, "limit"), Window: 1e9}
		limit.Burst = rapid.Int64Range(1, 20).Draw(r, "burst")
		text := fmt.Sprintf(`{"version": 1, "seed": %d, "duration": "%ds", "metrics": "full", "scenarios": [{"name": "s",
			"policy": {"limit": "%d/s", "burst": %d, "reference": %q}, "topology": {"clients": 3}, "algorithms": [%q],
			"traffic": [{"pattern": "poisson", "rate": "%d/s", "keys": {"uniform": {"count": %d}}}]}]}`,
			rapid.Int64Range(0, 1e6).Draw(r, "seed"), rapid.IntRange(3, 20).Draw(r, "duration"), limit.Count, limit.Burst, reference,
			algorithm, rapid.IntRange(10, 200).Draw(r, "rate"), rapid.IntRange(1, 3).Draw(r, "keys"))
		f, problems := scenarios.Load("s", []byte(text), ".", sim.Catalog())
		if len(problems) > 0 {
			r.Fatal(problems)
		}
		trial := &Trial{File: f, Target: "go", Promise: promised[reference], Simulation: sim.Options{Stamp: sim.StampOf(f)}}
		if err := trial.Check(); err != nil {
			r.Fatal(err)
		}
		planned, err := trial.Plan(t.Context())
		if err != nil {
			r.Fatal(err)
		}
		keys := []string{}
		table, err := counting.New(algorithm, limit, nil, 3)
		if err != nil {
			r.Fatal(err)
		}
		for i := range planned {
			x := &planned[i]
			if !slices.Contains(keys, x.Key) {
				keys = append(keys, x.Key)
			}
			x.SentNs, x.AnsweredNs, x.Verdict = x.IntendedNs, x.IntendedNs, exchange.Rejected
			if table.Take(int32(slices.Index(keys, x.Key)), x.SentNs, x.Cost).Admitted() {
				x.Verdict, x.Admit = exchange.Admitted, true
			}
		}
		settings := trial.settings()
		settings.Phase = &bounds.Phase{}
		d, err := trial.document(t.Context(), &send.Result{Exchanges: planned}, settings)
		if err != nil {
			r.Fatal(err)
		}
		measured := d.Results[slices.IndexFunc(d.Results, func(row results.Result) bool { return row.Live != nil })]
		for metric, off := range measured.Live.Off {
			if off != 0 && !strings.HasPrefix(metric, "decision_latency_") {
				r.Errorf("%s\n%s is off by %v", text, metric, off)
			}
		}
		compared += len(measured.Live.Off)
	})
	if compared == 0 {
		t.Error("nothing is compared")
	}
}
