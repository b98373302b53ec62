package sim_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestRecordedTokens checks the figures that docs/findings.md quotes of the Azure LLM
// inference traces of 2023, which are not part of the repository.
func TestRecordedTokens(t *testing.T) {
	traces, err := filepath.Abs("../../shared/traces")
	if err == nil {
		_, err = os.Stat(filepath.Join(traces, "azure-llm-2023-conv.csv"))
	}
	if err != nil {
		t.Skip("only with recorded traces beside the repository")
	}
	for _, test := range []struct {
		trace, limit string
		longest      int // tokens of an answer
		over, under  map[string]float64
		ownUnder     float64 // of a reservation of the prompt and the longest answer
	}{
		{"conv", "300000/min", 1000,
			map[string]float64{"fixed-window": 15.9, "check-then-deduct": 11.5, "deduct-estimate": 2.66, "reserve-quantile": 0.00503, "reserve-maximum": 0},
			map[string]float64{"fixed-window": 0, "check-then-deduct": 0.274, "deduct-estimate": 0.025, "reserve-quantile": 4.38, "reserve-maximum": 35.6}, 1.29},
		{"code", "200000/min", 1899,
			map[string]float64{"fixed-window": 1.34, "check-then-deduct": 9.90, "deduct-estimate": 0.233, "reserve-quantile": 0, "reserve-maximum": 0},
			map[string]float64{"fixed-window": 0, "check-then-deduct": 0, "deduct-estimate": 0.00503, "reserve-quantile": 3.62, "reserve-maximum": 3.32}, 1.40},
	} {
		scenario := func(name string, plus int, algorithms string) string {
			return fmt.Sprintf(`
  - name: %s
    policy: {limit: %s, shared: true, reference: fixed-window}
    traffic:
      - {pattern: trace, files: [%q], cost_fields: [ContextTokens, GeneratedTokens], estimate_fields: [ContextTokens], estimate_plus: %d, answer: {per_token: 25ms, of: output}}
    algorithms: [%s]`, name, test.limit, filepath.Join(traces, "azure-llm-2023-"+test.trace+".csv"), plus, algorithms)
		}
		d := simtest.Run(t, "version: 1\nscenarios:"+
			scenario("prompt", 0, "fixed-window, check-then-deduct, deduct-estimate, reserve-quantile, reserve-maximum")+
			scenario("own maximum", test.longest, "deduct-estimate"))
		for algorithm, over := range test.over {
			simtest.About(t, d, "prompt", algorithm, "over_limit_pct", over, 0.005)
			simtest.About(t, d, "prompt", algorithm, "under_admission_pct", test.under[algorithm], 0.005)
		}
		simtest.Exactly(t, d, "own maximum", "deduct-estimate", "overspend_cost", 0)
		simtest.About(t, d, "own maximum", "deduct-estimate", "under_admission_pct", test.ownUnder, 0.005)
	}
}
