package scenarios

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// expecting returns a file with one scenario and these thresholds.
func expecting(expect string) string {
	return `
version: 1
duration: 10s
scenarios:
  - name: a
    policy: {limit: 10/s}
    traffic: [{pattern: constant, rate: 1/s}]
    algorithms: [fixed-window, token-bucket, batch-reported, batch-debt]
    expect: ` + expect + "\n"
}

// TestWildcards checks which thresholds hold for which algorithm: for each
// metric those of the most specific name, and none for the reference.
func TestWildcards(t *testing.T) {
	for _, c := range []struct{ expect, want string }{
		{`{"*": {over_limit_pct: "<= 9"}}`, "fixed-window <= 9, token-bucket <= 9, batch-reported <= 9, batch-debt <= 9"},
		{`{"batch-*": {over_limit_pct: "<= 5"}, "*": {over_limit_pct: "<= 9"}, batch-debt: {over_limit_pct: ["<= 7", "> 1"]}}`,
			"fixed-window <= 9, token-bucket <= 9, batch-reported <= 5, batch-debt <= 7, batch-debt > 1"},
		{`{"*-*-*": {over_limit_pct: "<= 5"}, reference: {over_limit_pct: "== 0"}, "t*n-b*t": {over_limit_pct: "< 1"}}`, "matches none"},
		{`{reference: {over_limit_pct: "== 0"}, "t*n-b*t": {over_limit_pct: "< 1"}}`, "reference == 0, token-bucket < 1"},
		{`{"batch*batch": {over_limit_pct: "< 1"}}`, "matches none"},
		{`{"*window": {over_limit_pct: "< 1"}, "fixed-*": {over_limit_pct: "< 2"}, "fixed*": {over_limit_pct: "< 3"}}`,
			"fixed-window < 1, fixed-window < 2"},
	} {
		f, problems := Load("test.yaml", []byte(expecting(c.expect)), ".", testCatalog())
		if c.want == "matches none" {
			if len(problems) != 1 || !strings.Contains(problems[0].String(), c.want) || problems[0].Pos.Line != 9 {
				t.Errorf("%s: got problems %v, want one that a name matches none, in line 9", c.expect, problems)
			}
			continue
		}
		if problems != nil {
			t.Errorf("%s: %v", c.expect, problems)
			continue
		}
		var got []string
		for _, e := range f.Scenarios[0].Expect {
			got = append(got, e.Algorithm+" "+e.Text)
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.expect, text, c.want)
		}
		again := load(t, string(f.Effective()))
		if diff := cmp.Diff(f.Scenarios, again.Scenarios, equal); diff != "" {
			t.Errorf("%s: effective file differs (-want +got):\n%s", c.expect, diff)
		}
	}
}

// TestExpectationsNeedMetrics checks that a threshold on a metric of the set full makes a
// scenario measure that set, and no other threshold does.
func TestExpectationsNeedMetrics(t *testing.T) {
	for metric, full := range map[string]bool{"over_limit_pct": false, "worst_sliding_pct": true} {
		f, problems := Load("test.yaml", []byte(expecting(`{token-bucket: {`+metric+`: "< 1"}}`)), ".", testCatalog())
		if len(problems) > 0 || f.Scenarios[0].Full != full {
			t.Errorf("%s: %v, full %v", metric, problems, !full)
		}
	}
}
