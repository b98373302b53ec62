package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/sim/results"
)

// TestTokenTraces reads the traces of a language model beside the repository, with two
// columns of tokens, as a pattern and by replay: both offer the same cost and give the
// same results. A reservation of the largest cost never goes over the limit.
func TestTokenTraces(t *testing.T) {
	traces, err := filepath.Abs("../../../shared/traces")
	if err != nil {
		t.Fatal(err)
	}
	for name, offered := range map[string]float64{"azure-llm-2023-code.csv": 18059974 + 245896, "azure-llm-2023-conv.csv": 22361870 + 4088665} {
		log := filepath.Join(traces, name)
		if _, err := os.Stat(log); err != nil {
			t.Skip("only with recorded traces beside the repository")
		}
		scenario := fmt.Sprintf(`
version: 1
scenarios:
  - name: replay
    policy: {limit: 400000/min, reference: fixed-window, shared: true}
    traffic:
      - {pattern: trace, file: %s, cost_fields: [ContextTokens+GeneratedTokens], estimate_fields: [ContextTokens], answer: {per_token: 20ms, base: 0s, of: output}}
    algorithms: [check-then-deduct, reserve-maximum]
`, log)
		runs := map[string][]string{
			"run": {"run", "-"},
			"replay": {"replay", log, "--limit", "400000/min", "--shared", "--reference", "fixed-window", "--cost-field", "ContextTokens+GeneratedTokens", "--estimate-field", "ContextTokens",
				"--answer-per-token", "20ms", "--algorithms", "check-then-deduct,reserve-maximum"},
		}
		over := map[string]float64{}
		for command, args := range runs {
			var out, errs bytes.Buffer
			args = append(args, "--no-plots", "-q", "--format", "json")
			if code := Run(t.Context(), args, terminal.Host{In: bytes.NewBufferString(scenario), Out: &out, Err: &errs, Lookup: os.LookupEnv}); code != 0 {
				t.Fatalf("%s %s: exit code %d\n%s", command, name, code, errs.String())
			}
			var d results.Document
			if err := json.Unmarshal(out.Bytes(), &d); err != nil {
				t.Fatal(err)
			}
			for _, row := range d.Results {
				figures := row.Metrics
				if row.Algorithm == "reference" {
					continue
				}
				if got := figures["offered_cost"].Mean; got == nil || *got != offered {
					t.Errorf("%s %s: %s has an offered cost of %v, want %.0f", command, name, row.Algorithm, figures["offered_cost"], offered)
				}
				excess := *figures["burst_excess"].Mean
				if row.Algorithm == "reserve-maximum" && excess != 0 || row.Algorithm == "check-then-deduct" && excess == 0 {
					t.Errorf("%s %s: %s has a burst excess of %.0f", command, name, row.Algorithm, excess)
				}
				if before, has := over[row.Algorithm]; has && before != excess {
					t.Errorf("%s: %s has a burst excess of %.0f by run and %.0f by replay", name, row.Algorithm, before, excess)
				}
				over[row.Algorithm] = excess
			}
		}
	}
}
