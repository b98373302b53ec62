package sim_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/simtest"
	"github.com/limitgauge/limitgauge/sim/simtest/draw"
)

// TestSanity checks invariants under any traffic. Every attempt ends as admitted,
// rejected or waiting. The reference has no error against itself. Limiters that are
// equal by definition have equal metrics. A central fixed window never exceeds its
// limit.
func TestSanity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := draw.Scenario(t, 2, "", draw.EveryAlgorithm)
		d := simtest.Run(t, text)
		rows := map[string]results.Result{}
		for _, r := range d.Results {
			rows[r.Algorithm] = r
			for i := range r.Replications {
				for _, unit := range []string{"requests", "cost"} {
					of := func(name string) float64 { return *r.Metrics[name+"_"+unit].Values[i] }
					if of("offered") != of("admitted")+of("rejected")+of("waiting") {
						t.Fatalf("%s: %v %s offered, %v admitted, %v rejected, %v waiting\n%s", r.Algorithm, of("offered"), unit,
							of("admitted"), of("rejected"), of("waiting"), text)
					}
					first := rows["reference"].Metrics["offered_"+unit].Values // only one where nothing is drawn
					if offered := *first[min(i, len(first)-1)]; of("offered") != offered {
						t.Fatalf("%s: %v %s offered, the reference %v\n%s", r.Algorithm, of("offered"), unit, offered, text)
					}
				}
			}
		}
		zero := func(algorithm string, metrics ...string) {
			for _, m := range metrics {
				for i, x := range rows[algorithm].Metrics[m].Values {
					if x != nil && *x != 0 {
						t.Fatalf("%s: %s is %v in replication %d\n%s", algorithm, m, *x, i, text)
					}
				}
			}
		}
		zero("reference", "over_admission_pct", "under_admission_pct", "burst_excess", "accumulated_excess", "long_run_error_pct", "lead_max", "lag_max", "false_reject_pct")
		zero("reference-shaper", "over_admission_pct", "under_admission_pct", "long_run_error_pct", "lead_max", "lag_max", "false_reject_pct")
		zero("reference-shaper-2", "over_admission_pct", "under_admission_pct", "burst_excess", "long_run_error_pct", "lead_max", "lag_max", "false_reject_pct")
		zero("leaky-bucket", "over_admission_pct", "under_admission_pct", "long_run_error_pct", "lead_max", "lag_max", "false_reject_pct")
		zero("fixed-window", "over_limit_pct", "over_limit_pct_max", "over_limit_share_gt_0")
		zero("sliding-window-log", "over_limit_pct", "worst_sliding_pct")
		same(t, text, rows["token-bucket"], rows["reference"])
		same(t, text, rows["gcra"], rows["token-bucket"])
		same(t, text, rows["sql-token-bucket-exact"], rows["token-bucket"])
	})
}

// same checks that two rows have equal values of all metrics in every replication.
func same(t *rapid.T, text string, a, b results.Result) {
	for name := range a.Metrics {
		x, y := a.Metrics[name], b.Metrics[name]
		equal := slices.EqualFunc(x.Values, y.Values, func(x, y *float64) bool {
			return (x == nil) == (y == nil) && (x == nil || *x == *y)
		})
		if !equal || x.Reason != y.Reason {
			t.Fatalf("%s of %s and %s differ\n%s", name, a.Algorithm, b.Algorithm, text)
		}
	}
}

// TestOtherReferences checks that a central fixed window and a sliding log equal
// the reference of the same kind, which has no burst excess.
func TestOtherReferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for reference, algorithm := range map[string]string{"fixed-window": "fixed-window", "sliding-log": "sliding-window-log"} {
			text := draw.Scenario(t, 1, ", reference: "+reference, algorithm)
			d := simtest.Run(t, text)
			same(t, text, d.Results[1], d.Results[0])
			for _, x := range d.Results[0].Metrics["burst_excess"].Values {
				if x != nil && *x != 0 {
					t.Fatalf("the burst excess of the reference is %v\n%s", *x, text)
				}
			}
		}
	})
}
