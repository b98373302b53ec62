package measure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// ofWholePolicies lists the beginnings of the names of metrics that see the keys of
// a policy together, as their texts say. All others take one key at a time.
var ofWholePolicies = []string{
	"lead_", "lag_", // of the total of all keys
	"over_limit_pct_equal_keys", // keys of different policies are not equal
	"fault_", "reenforce_",      // until the first window in which all keys of the policy are within the limit
}

// TestEqualPoliciesAreOnePolicy checks that metrics of keys do not depend on how
// equal limits are divided into policies: a pool function that takes the largest of
// two shares, or their mean, differs from the share of all keys. Where the reason
// for a missing value differs, the value is missing in both.
func TestEqualPoliciesAreOnePolicy(t *testing.T) {
	tb := t
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		w.cfg.TenantIsKey = false
		one := NewRecorder(w.cfg)
		divided := w.cfg
		for from, keys := int32(0), int32(w.cfg.Keys); from < keys; {
			p := w.cfg.Policy
			p.From, p.To = from, rapid.Int32Range(from+1, keys).Draw(t, "to")
			divided.Policies = append(divided.Policies, p)
			from = p.To
		}
		several := NewRecorder(divided)
		one.Flow(flow(w.rows))
		several.Flow(withKeys(w.rows, func(r row) []int32 { return []int32{r.key} }))
		for _, r := range []*Recorder{one, several} {
			r.Outcomes(w.immediate)
			r.Outcomes(w.outcomes)
			r.Close(w.cfg.End)
		}
		want, got := values(tb, one), values(tb, several)
		for _, s := range sources {
			if s.pool == nil {
				continue
			}
			for _, m := range s.metrics {
				if slices.ContainsFunc(ofWholePolicies, func(begin string) bool { return strings.HasPrefix(m.Name, begin) }) {
					continue
				}
				a, b := want[m.Name], got[m.Name]
				if (a.NoData == "") != (b.NoData == "") || math.Abs(a.X-b.X) > 1e-9*(1+math.Abs(a.X)) {
					t.Fatalf("%s of %d keys under one policy is %+v, under %d equal policies %+v: see pool in registry.go", m.Name, w.cfg.Keys, a, len(divided.Policies), b)
				}
			}
		}
		for part, figures := range several.Halves() {
			for i, b := range figures {
				a := one.Halves()[part][i]
				if (a.Value.NoData == "") != (b.Value.NoData == "") || math.Abs(a.Value.X-b.Value.X) > 1e-9*(1+math.Abs(a.Value.X)) {
					t.Fatalf("%s of half %d is %+v, under %d equal policies %+v", a.Name, part, a.Value, len(divided.Policies), b.Value)
				}
			}
		}
	})
}
