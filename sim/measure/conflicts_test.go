package measure

import "testing"

// Two calls commit, one of them at its second try, and one gives up after two
// tries. Calls that end outside the span do not count.
func TestConflicts(t *testing.T) {
	r := NewRecorder(Config{Policy: Policy{Limit: 1, Window: 10, Burst: 1, LargestCost: 1}, Start: 10, End: 20, Keys: 1, Tenants: 1, Clients: 1, Servers: 1})
	c := r.Conflicts()
	figures := func() map[string]Value {
		found := map[string]Value{}
		for i, v := range valuesOf(conflictMetrics, c) {
			found[conflictMetrics[i].Name] = v
		}
		return found
	}
	if v := figures()["first_try_pct"]; v.NoData != "no transactions" {
		t.Errorf("unused: %+v", v)
	}
	c.Failed(9, true, true)
	if v := figures()["first_try_pct"]; v.NoData != "no transaction ended in the span" {
		t.Errorf("before the span: %+v", v)
	}
	c.Committed(10, true)
	c.Committed(11, true)
	c.Failed(12, true, true)
	c.Committed(13, false)
	c.Failed(14, true, false)
	c.Failed(15, false, false)
	c.GaveUp(15)
	c.Committed(20, true)
	c.GaveUp(20)
	for name, want := range map[string]float64{
		"first_try_pct": 50, "conflicts_per_call": 0.75, "tries_per_call": 1.5, "duplicate_keys": 1, "gave_up_pct": 25,
	} {
		if v := figures()[name]; v.X != want || v.NoData != "" {
			t.Errorf("%s is %+v, want %v", name, v, want)
		}
	}
}
