package scenarios

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBlocks compares scenarios that name traffic and faults with the same
// scenarios written out.
func TestBlocks(t *testing.T) {
	const head = "version: 1\nduration: 60s\n"
	const scenario = `
scenarios:
  - {name: a, policy: {limit: 10/s}, traffic: TRAFFIC, faults: FAULTS, algorithms: [batch-reported], expect: EXPECT}
  - {name: b, policy: {limit: 10/s}, traffic: TRAFFIC, faults: FAULTS, algorithms: [batch-reported], expect: EXPECT}
`
	const blocks = `
traffic:
  steady: {pattern: constant, rate: 1/s}
  pair: [{pattern: constant, rate: 2/s}, {name: third, pattern: constant, rate: 3/s}]
faults:
  lossy: {report-loss: {p: 5%}}
expect:
  tight: {"batch-*": {over_limit_pct: "<= 5"}}
`
	fill := strings.NewReplacer("TRAFFIC", "[pair, {pattern: constant, rate: 4/s}, steady]", "FAULTS", "[lossy, {report-loss: {p: 1%, from: 9s}}]",
		"EXPECT", `[tight, {batch-reported: {under_admission_pct: "<= 9"}}]`)
	written := strings.NewReplacer(
		"TRAFFIC", "[{pattern: constant, rate: 2/s}, {name: third, pattern: constant, rate: 3/s}, {pattern: constant, rate: 4/s}, {pattern: constant, rate: 1/s}]",
		"FAULTS", "[{report-loss: {p: 5%}}, {report-loss: {p: 1%, from: 9s}}]",
		"EXPECT", `{batch-reported: {over_limit_pct: "<= 5", under_admission_pct: "<= 9"}}`)
	named, plain := load(t, head+blocks+fill.Replace(scenario)), load(t, head+written.Replace(scenario))
	if diff := cmp.Diff(plain.Scenarios, named.Scenarios, equal); diff != "" {
		t.Errorf("named and written out differ (-out +named):\n%s", diff)
	}
	if diff := cmp.Diff(string(plain.Effective()), string(named.Effective())); diff != "" {
		t.Errorf("effective files differ (-out +named):\n%s", diff)
	}
	for _, c := range []struct{ old, new, want string }{
		{"rate: 1/s", "rate: none", `test.yaml:5:37: traffic.steady.rate: `},
		{"[pair,", "[pairs,", `no entry of traffic is called pairs (did you mean "pair"?)`},
		{", steady]", "]", "traffic.steady: no scenario names it"},
		{`"<= 5"`, `"< five"`, "expect.tight.batch-*.over_limit_pct: "},
		{"[tight,", "[loose,", `no entry of expect is called loose`},
	} {
		source := strings.ReplaceAll(head+blocks+fill.Replace(scenario), c.old, c.new)
		_, problems := Load("test.yaml", []byte(source), ".", testCatalog())
		var texts []string
		for _, p := range problems {
			texts = append(texts, p.String())
		}
		if n := strings.Count(strings.Join(texts, "\n"), c.want); n < 1 || n > 2 {
			t.Errorf("%s: got %q, want %q", c.new, texts, c.want)
		}
		if c.old == "rate: 1/s" && len(problems) != 1 {
			t.Errorf("a mistake in a block of two scenarios is reported %d times: %q", len(problems), texts)
		}
	}
}
