package measure

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawCarried draws the keys of the requests of a world. All rows of one key,
// tenant and client have the same keys, so offered and admitted requests have
// the same keys.
func drawCarried(t *rapid.T, w *world) (first func(r row) []int32) {
	c, next := &w.cfg, int32(0)
	for p := range rapid.IntRange(1, 3).Draw(t, "policies") {
		n := int32(rapid.IntRange(1, 3).Draw(t, "keys"))
		policy := Policy{Kind: c.Kind, Limit: c.Limit, Window: c.Window, Burst: c.Burst, LargestCost: c.LargestCost, From: next, To: next + n, Steps: c.Steps, Changes: c.Changes}
		if p > 0 {
			policy.Kind = rapid.SampledFrom([]Kind{TokenBucket, SlidingLog, FixedWindow}).Draw(t, "kind")
			policy.Limit, policy.Burst = int64(rapid.IntRange(1, 6).Draw(t, "limit")), int64(rapid.IntRange(0, 6).Draw(t, "burst"))
			policy.Window = tick * rapid.SampledFrom([]int64{3, 5, 10}).Draw(t, "window")
		}
		c.Policies = append(c.Policies, policy)
		next += n
	}
	sets := map[[3]int32][]int32{}
	return func(r row) []int32 {
		id := [3]int32{r.key, r.tenant, r.client}
		if _, known := sets[id]; !known {
			sets[id] = []int32{}
			for k := range next {
				if rapid.Bool().Draw(t, "carries") {
					sets[id] = append(sets[id], k)
				}
			}
		}
		return sets[id]
	}
}

func withKeys(rows []row, carried func(row) []int32) *Flow {
	f := flow(rows)
	f.First = []int32{0}
	for _, r := range rows {
		f.Keys = append(f.Keys, carried(r)...)
		f.First = append(f.First, int32(len(f.Keys)))
	}
	return f
}

// Per-policy metrics equal those of a run with that policy alone. Metrics over
// all policies pool the windows or are the largest value. Metrics of requests
// count each request once.
func TestSeveralPolicies(t *testing.T) {
	tb := t
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		w.cfg.TenantIsKey = false
		carried := drawCarried(t, w)
		several := w.cfg
		policyOf := func(w Window) Policy {
			return several.Policies[slices.IndexFunc(several.Policies, func(p Policy) bool { return w.Key < p.To })]
		}
		var seen []Window
		several.OnWindow = func(w Window) {
			p := policyOf(w)
			under := world{cfg: Config{Policy: p}}
			if want := under.limitIn(w.StartNs, w.StartNs+p.Window); w.Limit != want {
				t.Fatalf("a limit of %d at %d, want %d", w.Limit, w.StartNs, want)
			}
			seen = append(seen, w)
		}
		r := (&world{cfg: several}).newRecorder()
		for lo := 0; lo < len(w.rows); lo += 7 {
			r.Flow(withKeys(w.rows[lo:min(lo+7, len(w.rows))], carried))
		}
		r.Outcomes(w.immediate)
		r.Outcomes(w.outcomes)
		r.Close(w.cfg.End)
		all := values(tb, r)

		fairness := map[string]float64{}
		w.cfg.Policies = several.Policies
		w.referenceFairness(fairness)
		for name, v := range all {
			want, known := fairness[name]
			if strings.HasPrefix(name, "fairness_") && (known != (v.NoData == "") || math.Abs(v.X-want) > 1e-9*max(1, want)) {
				t.Fatalf("%s is %+v, by the reference of each request %v", name, v, want)
			}
		}

		w.cfg.Policies = nil
		plain := w.newRecorder()
		plain.Flow(flow(w.rows))
		plain.Outcomes(w.immediate)
		plain.Outcomes(w.outcomes)
		plain.Close(w.cfg.End)
		once := values(tb, plain)

		if want := w.refusedFitting(several.Policies, carried); several.Settles && all["refused_fitting_cost"].X != float64(want) {
			t.Fatalf("refused_fitting_cost is %+v, by the counters of all policies %v", all["refused_fitting_cost"], want)
		}

		largest := map[string]Value{}
		for i, p := range several.Policies {
			c := w.cfg
			c.Policy, c.Keys = p, int(p.To-p.From)
			alone := (&world{cfg: c}).newRecorder()
			for _, one := range w.rows {
				for _, key := range carried(one) {
					if key >= p.From && key < p.To {
						one.key = key - p.From
						alone.Flow(flow([]row{one}))
					}
				}
			}
			alone.Close(w.cfg.End)
			want := values(tb, alone)
			for _, f := range r.Policies()[i].Figures() {
				if w := want[f.Name]; f.Value.X != w.X || f.Value.NoData != w.NoData {
					t.Fatalf("policy %d: %s %+v, alone %+v", i, f.Name, f.Value, want[f.Name])
				}
				if v, known := largest[f.Name]; !known || v.NoData != "" || f.Value.NoData == "" && f.Value.X > v.X {
					largest[f.Name] = f.Value
				}
			}
			if a, b := r.Policies()[i].Series(), alone.Series(); !slices.Equal(a.Offered, b.Offered) || !slices.Equal(a.Admitted, b.Admitted) {
				t.Fatalf("policy %d: series %v, alone %v", i, a, b)
			}
		}
		keyed := map[string]bool{}
		for _, s := range sources {
			for _, m := range s.metrics {
				keyed[m.Name] = s.pool != nil
			}
		}
		for name, v := range all {
			if !keyed[name] && !strings.HasPrefix(name, "fairness_") && !strings.HasPrefix(name, "refused_fitting_") && v != once[name] {
				t.Fatalf("%s is %+v, of each request once %+v", name, v, once[name])
			}
		}
		for _, name := range []string{"burst_excess", "burst_excess_s", "accumulated_excess", "worst_sliding_pct", "lead_max", "lag_max"} {
			if v := largest[name]; v.NoData == "" && all[name] != v {
				t.Fatalf("%s is %+v, the largest over the policies %+v", name, all[name], v)
			}
		}
		first := func(w Window) bool {
			length := policyOf(w).Window
			return w.StartNs < (several.Start+length-1)/length*length+3*length
		}
		if worst, ok := r.WorstKey(); ok {
			of := slices.DeleteFunc(slices.Clone(seen), func(w Window) bool { return w.Key != worst.Key })
			if want := pooledModel(of, first)["over_limit_pct"]; math.Abs(all["over_limit_pct_worst_key"].X-want) > 1e-9*want {
				t.Fatalf("the worst key is %d with %v, its windows have %v", worst.Key, all["over_limit_pct_worst_key"], want)
			}
		} else if all["over_limit_pct"].X > 0 && several.Policies[len(several.Policies)-1].To > 1 {
			t.Fatalf("no worst key, but an over-limit of %v", all["over_limit_pct"])
		}
		for name, want := range pooledModel(seen, first) {
			if name == "over_limit_pct_worst_key" && several.Policies[len(several.Policies)-1].To == 1 {
				continue
			}
			if got := all[name]; got.NoData != "" || math.Abs(got.X-want) > 1e-9*(1+math.Abs(want)) {
				t.Fatalf("%s is %+v, want %v of %v", name, got, want, seen)
			}
		}
	})
}

// pooledModel computes the metrics of windows from their definitions. It leaves
// out metrics without data.
func pooledModel(seen []Window, first func(Window) bool) map[string]float64 {
	fig := map[string]float64{}
	var over, signed, early, rest []*big.Rat
	byKey := map[int32][]*big.Rat{}
	lacking, surplus, reference, beyond, admitted := int64(0), int64(0), int64(0), int64(0), int64(0)
	for _, s := range seen {
		surplus += max(0, s.Admitted-s.Reference)
		lacking += max(0, s.Reference-s.Admitted)
		reference += s.Reference
		beyond += max(0, s.Admitted-s.Limit)
		admitted += s.Admitted
		if s.Saturated {
			x := rat(100*max(0, s.Admitted-s.Limit), s.Limit)
			over = append(over, x)
			byKey[s.Key] = append(byKey[s.Key], x)
			if first(s) {
				early = append(early, x)
			} else {
				rest = append(rest, x)
			}
			signed = append(signed, rat(100*(s.Admitted-s.Limit), s.Limit))
		}
	}
	if reference > 0 {
		fig["under_admission_pct"] = asFloat(rat(100*lacking, reference))
		fig["over_admission_pct"] = asFloat(rat(100*surplus, reference))
	}
	if admitted > 0 {
		fig["excess_share_pct"] = asFloat(rat(100*beyond, admitted))
	}
	n := int64(len(over))
	if n == 0 {
		return fig
	}
	mean := func(list []*big.Rat) *big.Rat {
		sum := new(big.Rat)
		for _, x := range list {
			sum.Add(sum, x)
		}
		return sum.Quo(sum, rat(int64(len(list)), 1))
	}
	if len(early) > 0 {
		fig["over_limit_first_windows_pct"] = asFloat(mean(early))
	}
	if len(rest) > 0 {
		fig["over_limit_rest_pct"] = asFloat(mean(rest))
	}
	for _, list := range byKey {
		fig["over_limit_pct_worst_key"] = max(fig["over_limit_pct_worst_key"], asFloat(mean(list)))
	}
	fig["over_limit_pct"], fig["window_error_mean_pct"] = asFloat(mean(over)), asFloat(mean(signed))
	var squares []*big.Rat
	for _, x := range signed {
		d := new(big.Rat).Sub(x, mean(signed))
		squares = append(squares, d.Mul(d, d))
	}
	fig["window_error_sd_pct"] = math.Sqrt(asFloat(mean(squares)))
	slices.SortFunc(over, func(a, b *big.Rat) int { return a.Cmp(b) })
	for name, permille := range map[string]int64{"p50": 500, "p95": 950, "p99": 990, "max": 1000} {
		fig["over_limit_pct_"+name] = asFloat(over[(n*permille+999)/1000-1])
	}
	for _, pct := range []int64{0, 1, 5, 10} {
		above := int64(0)
		for _, x := range over {
			if x.Cmp(rat(pct, 1)) > 0 {
				above++
			}
		}
		fig[fmt.Sprint("over_limit_share_gt_", pct)] = asFloat(rat(100*above, n))
	}
	return fig
}
