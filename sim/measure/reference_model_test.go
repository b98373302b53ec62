package measure

import (
	"math"
	"math/big"
	"sort"
	"strings"
)

// The reference model computes every figure from its definition, by loops over all
// rows for each instant, window and key, in rationals.

func rat(a, b int64) *big.Rat { return big.NewRat(a, b) }

func asFloat(x *big.Rat) float64 { f, _ := x.Float64(); return f }

// sum adds up a column over the rows for which a condition holds.
func (w *world) sum(column func(row) int64, when func(row) bool) int64 {
	total := int64(0)
	for _, r := range w.rows {
		if when(r) {
			total += column(r)
		}
	}
	return total
}

func offered(r row) int64   { return r.offered }
func admitted(r row) int64  { return r.admitted }
func rejected(r row) int64  { return r.rejected }
func reference(r row) int64 { return r.reference }
func net(r row) int64       { return r.offered - r.admitted - r.rejected }

func (w *world) inSpan(t int64) bool { return w.cfg.Start <= t && t < w.cfg.End }

// referenceModels compute metrics from their definitions and store the values by
// name, without those that have no data. The test file of a metric may add its
// model in an init function.
var referenceModels = []func(w *world, fig map[string]float64){
	(*world).referenceTallies,
	(*world).referenceWindows,
	(*world).referenceOverLimit,
	(*world).referenceBurst,
	(*world).referenceFairness,
	(*world).referenceClientShares,
	(*world).referenceSliding,
	(*world).referenceLead,
	(*world).referenceWaiting,
	(*world).referenceSteps,
	(*world).referenceFaults,
	(*world).referenceRetries,
}

// referenceModel returns the metrics that have data, by name.
func (w *world) referenceModel() map[string]float64 {
	fig := map[string]float64{}
	for _, model := range referenceModels {
		model(w, fig)
	}
	return fig
}

func (w *world) referenceTallies(fig map[string]float64) {
	for _, name := range []string{"offered", "admitted", "rejected", "waiting", "delayed", "timed_out",
		"admitted_limiter", "admitted_local", "admitted_cache", "admitted_fail_open",
		"rejected_limiter", "rejected_local", "rejected_cache", "rejected_fail_closed", "rejected_max_wait"} {
		fig[name+"_requests"], fig[name+"_cost"] = 0, 0
	}
	var decisions, waits []int64
	for _, o := range append(append([]Outcome{}, w.immediate...), w.outcomes...) {
		if !w.inSpan(o.Arrival) {
			continue
		}
		count := func(name string) {
			fig[name+"_requests"]++
			fig[name+"_cost"] += float64(o.Cost)
		}
		count("offered")
		if o.TimedOut {
			count("timed_out")
		}
		if o.Waiting {
			count("waiting")
			continue
		}
		ended := "rejected"
		if o.Verdict.Admitted() {
			ended = "admitted"
			waits = append(waits, o.Waited)
			if o.Waited > 0 {
				count("delayed")
			}
		}
		count(ended)
		count(ended + "_" + strings.ReplaceAll(o.Verdict.Cause().String(), "-", "_"))
		decisions = append(decisions, o.Decided-o.Arrival)
	}
	if n := fig["offered_requests"]; n > 0 {
		fig["rejected_pct"] = 100 * fig["rejected_requests"] / n
		fig["timed_out_pct"] = 100 * fig["timed_out_requests"] / n
	}
	for name, times := range map[string][]int64{"decision_latency": decisions, "wait": waits} {
		if len(times) == 0 {
			continue
		}
		sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
		total := int64(0)
		for _, t := range times {
			total += t
		}
		fig[name+"_mean_ms"] = float64(total) / float64(len(times)) / 1e6
		for q, p := range map[string]float64{"p50": .5, "p90": .9, "p99": .99, "p999": .999, "max": 1} {
			fig[name+"_"+q+"_ms"] = float64(times[int(math.Ceil(p*float64(len(times))-1e-9))-1]) / 1e6
		}
	}
}

func (w *world) referenceWindows(fig map[string]float64) {
	c := w.cfg
	var as, ls []int64 // A and L of saturated windows
	var lacking, surplus, refs, offers, admits, beyond, falsely, total, totalRef, keys int64
	for key := int32(0); key < int32(c.Keys); key++ {
		of := func(lo, hi int64) func(row) bool {
			return func(r row) bool { return r.key == key && lo <= r.time && r.time < hi }
		}
		for j := (c.Start + c.Window - 1) / c.Window; (j+1)*c.Window <= c.End; j++ {
			in := of(j*c.Window, (j+1)*c.Window)
			o, a, r := w.sum(offered, in), w.sum(admitted, in), w.sum(reference, in)
			l := w.limitIn(j*c.Window, (j+1)*c.Window)
			beyond += max(0, a-l)
			admits += a
			if o+w.sum(net, of(0, j*c.Window)) >= l {
				as, ls = append(as, a), append(ls, l)
			}
			lacking += max(0, r-a)
			surplus += max(0, a-r)
			refs += r
			offers += o
			if c.ReferenceShapes || o == r {
				falsely += w.sum(rejected, in)
			}
		}
		span := of(c.Start, c.End)
		total += w.sum(admitted, span)
		totalRef += w.sum(reference, span)
		if w.sum(func(row) int64 { return 1 }, span) > 0 || w.sum(net, of(0, c.Start)) > 0 {
			keys++
		}
	}
	if refs > 0 {
		fig["under_admission_pct"] = asFloat(rat(100*lacking, refs))
		fig["over_admission_pct"] = asFloat(rat(100*surplus, refs))
	}
	if offers > 0 {
		fig["false_reject_pct"] = asFloat(rat(100*falsely, offers))
	}
	if admits > 0 {
		fig["excess_share_pct"] = asFloat(rat(100*beyond, admits))
	}
	if totalRef > 0 {
		fig["long_run_error_pct"] = 100 * (float64(total)/float64(totalRef) - 1)
	}
	if keys > 0 {
		fig["admitted_over_limit"] = float64(total*c.Window) / (asFloat(w.earned(c.Start, c.End)) * float64(c.Window) * float64(keys))
	}
	if len(as) == 0 {
		return
	}
	n := float64(len(as))
	var over []float64
	mean, squares := 0.0, 0.0
	for i, a := range as {
		e := 100 * (float64(a)/float64(ls[i]) - 1)
		over = append(over, max(0, e))
		mean += e / n
	}
	for i, a := range as {
		d := 100*(float64(a)/float64(ls[i])-1) - mean
		squares += d * d
	}
	sort.Float64s(over)
	sum := 0.0
	for _, x := range over {
		sum += x
	}
	fig["over_limit_pct"] = sum / n
	for q, p := range map[string]float64{"p50": .5, "p95": .95, "p99": .99, "max": 1} {
		fig["over_limit_pct_"+q] = over[int(math.Ceil(p*n-1e-9))-1]
	}
	for name, x := range map[string]int64{"0": 0, "1": 1, "5": 5, "10": 10} {
		count := 0.0
		for i, a := range as {
			if 100*(a-ls[i]) > x*ls[i] {
				count++
			}
		}
		fig["over_limit_share_gt_"+name] = 100 * count / n
	}
	fig["window_error_mean_pct"] = mean
	fig["window_error_sd_pct"] = math.Sqrt(squares / n)
}

// referenceOverLimit computes the mean excess of some of the saturated windows:
// of the first three windows, of the others, and of each key.
func (w *world) referenceOverLimit(fig map[string]float64) {
	c := w.cfg
	saturated := false
	mean := func(name string, keys []int32, from, to int64) {
		sum, n := rat(0, 1), int64(0)
		for _, key := range keys {
			for at := from; at+c.Window <= min(to, c.End); at += c.Window {
				in := func(r row) bool { return r.key == key && at <= r.time && r.time < at+c.Window }
				l, waiting := w.limitIn(at, at+c.Window), w.sum(net, func(r row) bool { return r.key == key && r.time < at })
				if waiting+w.sum(offered, in) >= l {
					sum.Add(sum, rat(100*max(0, w.sum(admitted, in)-l), l))
					n++
				}
			}
		}
		if n > 0 {
			fig[name] = max(fig[name], asFloat(sum.Quo(sum, rat(n, 1))))
			saturated = true
		}
	}
	var all []int32
	for key := range int32(c.Keys) {
		all = append(all, key)
	}
	first := (c.Start + c.Window - 1) / c.Window * c.Window
	early := first + 3*c.Window
	mean("over_limit_first_windows_pct", all, first, early)
	mean("over_limit_rest_pct", all, early, c.End)
	if len(all) > 1 && saturated {
		for _, key := range all {
			mean("over_limit_pct_worst_key", []int32{key}, first, c.End)
		}
	}
}

func (w *world) referenceBurst(fig map[string]float64) {
	seen := false
	for _, r := range w.rows {
		seen = seen || w.inSpan(r.time)
	}
	if !seen {
		return
	}
	bucket := w.cfg.Kind == TokenBucket
	short, all, longest := rat(0, 1), rat(0, 1), rat(0, 1)
	raise := func(to *big.Rat, x *big.Rat) {
		if x.Cmp(to) > 0 {
			to.Set(x)
		}
	}
	over := func(x *big.Rat, limit int64) {
		raise(short, x)
		raise(longest, new(big.Rat).Mul(x, rat(w.cfg.Window, limit)))
	}
	w.bucketExcess(func(x *big.Rat, to, windows int64) {
		raise(all, x)
		if limit, _ := w.limitAt(to); bucket && windows <= 1 {
			over(x, limit)
		}
	})
	if bucket {
		fig["accumulated_excess"] = asFloat(all)
	}
	switch w.cfg.Kind {
	case SlidingLog:
		w.slidingSums(over)
	case FixedWindow:
		for key := int32(0); key < int32(w.cfg.Keys); key++ {
			v := w.cfg.Window
			for j := (w.cfg.Start + v - 1) / v; (j+1)*v <= w.cfg.End; j++ {
				limit := w.limitIn(j*v, (j+1)*v)
				sum := w.sum(admitted, func(r row) bool { return r.key == key && r.time/v == j })
				over(rat(sum-limit, 1), limit)
			}
		}
	}
	fig["burst_excess"], fig["burst_excess_s"] = asFloat(short), asFloat(longest)/1e9
}

// slidingSums calls over with the excess of each window (t-w, t] that ends at an
// admission in the span, and with its limit.
func (w *world) slidingSums(over func(excess *big.Rat, limit int64)) {
	for _, at := range w.rows {
		if v := w.cfg.Window; w.inSpan(at.time) && at.admitted > 0 {
			limit := w.limitIn(at.time-v+1, at.time+1)
			sum := w.sum(admitted, func(r row) bool {
				return r.key == at.key && at.time-v < r.time && r.time <= at.time
			})
			over(rat(sum-limit, 1), limit)
		}
	}
}

// bucketExcess calls over with the excess of each interval of a key over rate and
// burst, with its end and with the number of calendar windows from its beginning to
// its end. Ends are rows in the span and, of a whole span or first half, its beginning.
func (w *world) bucketExcess(over func(excess *big.Rat, to, windows int64)) {
	c := w.cfg
	first := (c.Start/c.Window - 1) * c.Window
	known := first // rows from then on count
	if w.secondHalfOf != nil {
		known = (w.secondHalfOf.Start/c.Window - 1) * c.Window
	}
	// begin evaluates the intervals of a key that begin at an instant in a calendar
	// window, with the burst at that instant.
	begin := func(key int32, from, window, burst int64) {
		sum := int64(0)
		end := func(to int64) {
			x := new(big.Rat).Sub(rat(sum-max(burst, c.LargestCost), 1), w.earned(from, to))
			over(x, to, to/c.Window-window)
		}
		before := from < c.Start && w.secondHalfOf == nil
		for _, to := range w.rows {
			if to.key != key || to.time < from || to.time >= c.End {
				continue
			}
			if before && to.time >= c.Start {
				end(c.Start)
				before = false
			}
			if sum += to.admitted; to.time >= c.Start {
				end(to.time)
			}
		}
		if before {
			end(c.Start)
		}
	}
	for _, from := range w.rows {
		if from.time < known || from.time >= c.End {
			continue
		}
		if _, burst := w.limitAt(from.time); from.time >= first {
			begin(from.key, from.time, from.time/c.Window, burst)
		}
		// An interval may also begin right before a change of the limit, if the key
		// has occurred before.
		for _, change := range c.Changes {
			if change.At > from.time {
				_, burst := w.limitAt(change.At - 1)
				begin(from.key, change.At, (change.At-1)/c.Window, burst)
			}
		}
	}
}

// fair returns the max-min fair share of each demand. It serves the demands in
// ascending order: each gets at most an even part of what is left.
func fair(demands []int64, total int64) []*big.Rat {
	shares := make([]*big.Rat, len(demands))
	left := rat(total, 1)
	for done := 0; done < len(demands); done++ {
		smallest := -1
		for g, d := range demands {
			if shares[g] == nil && (smallest < 0 || d < demands[smallest]) {
				smallest = g
			}
		}
		even := new(big.Rat).Quo(left, rat(int64(len(demands)-done), 1))
		share := rat(demands[smallest], 1)
		if share.Cmp(even) > 0 {
			share = even
		}
		shares[smallest] = share
		left = new(big.Rat).Sub(left, share)
	}
	return shares
}

func (w *world) referenceFairness(fig map[string]float64) {
	tenant, client := func(r row) int32 { return r.tenant }, func(r row) int32 { return r.client }
	several := len(w.cfg.Policies) > 0
	w.referenceRunFairness(fig, "tenant", tenant, w.cfg.Tenants, several || w.cfg.TenantIsKey)
	w.referenceRunFairness(fig, "client", client, w.cfg.Clients, several)
	w.referenceSecondFairness(fig, "tenant", tenant, w.cfg.Tenants, several || w.cfg.TenantIsKey)
	w.referenceSecondFairness(fig, "client", client, w.cfg.Clients, several)
}

// fairShares returns the fair share of each flow, by the cost of rows in [from, to).
// own states that every flow has a limit of its own.
func (w *world) fairShares(of func(row) int32, flows int, own bool, from, to int64) []*big.Rat {
	shares := make([]*big.Rat, flows)
	for id := range shares {
		shares[id] = rat(0, 1)
		if own {
			shares[id] = rat(w.sum(reference, func(r row) bool { return of(r) == int32(id) && from <= r.time && r.time < to }), 1)
		}
	}
	if own {
		return shares
	}
	for key := int32(0); key < int32(w.cfg.Keys); key++ {
		in := func(r row) bool { return r.key == key && from <= r.time && r.time < to }
		var demands []int64
		var ids []int
		for id := range flows {
			d := w.sum(offered, func(r row) bool { return in(r) && of(r) == int32(id) }) +
				w.sum(net, func(r row) bool { return r.key == key && of(r) == int32(id) && r.time < from })
			if d > 0 {
				demands, ids = append(demands, d), append(ids, id)
			}
		}
		divided := fair(demands, w.sum(admitted, in))
		if len(ids) == 1 && w.cfg.Keys > 1 {
			divided[0] = rat(w.sum(reference, in), 1)
		}
		for i, id := range ids {
			shares[id].Add(shares[id], divided[i])
		}
	}
	return shares
}

// fairness returns Jain's index, the minimum and the maximum of x. ok is false
// if they are undefined.
func (w *world) fairness(of func(row) int32, flows int, own bool, from, to int64) (jain, low, high float64, ok bool) {
	active, total, n := 0, int64(0), 0.0
	sum, squares := 0.0, 0.0
	for id, f := range w.fairShares(of, flows, own, from, to) {
		in := func(r row) bool { return of(r) == int32(id) && from <= r.time && r.time < to }
		got := w.sum(admitted, in)
		total += got
		if w.sum(offered, in)+w.sum(net, func(r row) bool { return of(r) == int32(id) && r.time < from }) == 0 {
			continue
		}
		active++
		if f.Sign() == 0 {
			continue
		}
		x := float64(got) / asFloat(f)
		if n == 0 {
			low, high = x, x
		}
		low, high = min(low, x), max(high, x)
		sum += x
		squares += x * x
		n++
	}
	if active < 2 || total == 0 || n == 0 {
		return 0, 0, 0, false
	}
	if squares == 0 {
		return 0, low, high, true
	}
	return sum * sum / n / squares, low, high, true
}

func (w *world) referenceRunFairness(fig map[string]float64, name string, of func(row) int32, flows int, own bool) {
	if jain, low, high, ok := w.fairness(of, flows, own, w.cfg.Start, w.cfg.End); ok {
		p := "fairness_" + name + "_run_"
		fig[p+"jain"], fig[p+"min"], fig[p+"max"] = jain, low, high
	}
}

func (w *world) referenceClientShares(fig map[string]float64) {
	var got []float64
	total := 0.0
	for id := int32(0); id < int32(w.cfg.Clients); id++ {
		in := func(r row) bool { return r.client == id && w.inSpan(r.time) }
		if w.sum(offered, in)+w.sum(net, func(r row) bool { return r.client == id && r.time < w.cfg.Start }) > 0 {
			got = append(got, float64(w.sum(admitted, in)))
			total += got[len(got)-1]
		}
	}
	if len(got) < 2 || total == 0 {
		return
	}
	sort.Float64s(got)
	fig["client_share_min_pct"], fig["client_share_max_pct"] = 100*got[0]/total, 100*got[len(got)-1]/total
	if got[0] > 0 {
		fig["client_share_max_over_min"] = got[len(got)-1] / got[0]
	}
}

func (w *world) referenceSecondFairness(fig map[string]float64, name string, of func(row) int32, flows int, own bool) {
	var n, sumJ, sumL, sumH float64
	worstJ, worstL, worstH := math.Inf(1), math.Inf(1), math.Inf(-1)
	for s := int64(0); s+second <= w.cfg.End; s += second {
		if s < w.cfg.Start {
			continue
		}
		if jain, low, high, ok := w.fairness(of, flows, own, s, s+second); ok {
			n++
			sumJ, sumL, sumH = sumJ+jain, sumL+low, sumH+high
			worstJ, worstL, worstH = min(worstJ, jain), min(worstL, low), max(worstH, high)
		}
	}
	if n > 0 {
		p := "fairness_" + name + "_1s_"
		fig[p+"jain_mean"], fig[p+"min_mean"], fig[p+"max_mean"] = sumJ/n, sumL/n, sumH/n
		fig[p+"jain_worst"], fig[p+"min_worst"], fig[p+"max_worst"] = worstJ, worstL, worstH
	}
}

func (w *world) referenceSliding(fig map[string]float64) {
	w.slidingSums(func(excess *big.Rat, limit int64) {
		fig["worst_sliding_pct"] = max(fig["worst_sliding_pct"], 100*asFloat(excess)/float64(limit))
	})
	for _, at := range w.rows {
		if w.inSpan(at.time) {
			fig["worst_sliding_pct"] += 0
		}
	}
}

func (w *world) referenceLead(fig map[string]float64) {
	for _, at := range w.rows {
		if w.inSpan(at.time) {
			d := float64(w.sum(func(r row) int64 { return r.admitted - r.reference }, func(r row) bool {
				return r.key == at.key && w.cfg.Start <= r.time && r.time <= at.time
			}))
			fig["lead_max"] = max(fig["lead_max"], d)
			fig["lag_max"] = max(fig["lag_max"], -d)
		}
	}
}

func (w *world) referenceWaiting(fig map[string]float64) {
	c := w.cfg
	known := len(w.waiting) > 0
	for _, o := range w.outcomes {
		known = known || w.inSpan(o.Arrival)
	}
	if !known {
		return
	}
	sum, most := int64(0), int64(0)
	for t := c.Start; t < c.End; t += tick { // changes happen on ticks
		n := int64(0)
		for _, l := range w.waiting {
			if l.time <= t {
				n = l.n
			}
		}
		sum += n
		most = max(most, n)
	}
	fig["waiting_mean"] = float64(sum) * float64(tick) / float64(c.End-c.Start)
	fig["waiting_max"] = float64(most)
}

func (w *world) referenceSteps(fig map[string]float64) {
	c := w.cfg
	if c.Keys != 1 || len(c.Changes) > 0 {
		return
	}
	settled, any := true, false
	var settle int64
	overshoot, payback := rat(0, 1), rat(0, 1)
	for i, s := range c.Steps {
		end := c.End
		if i+1 < len(c.Steps) {
			end = min(end, c.Steps[i+1].At)
		}
		if s.At < c.Start || s.At >= c.End {
			continue
		}
		any = true
		// Only windows that lie completely between the step and its end count.
		bad, looked, lastEnd := s.At, false, int64(0)
		for j := int64(0); (j+1)*c.Window <= end; j++ {
			if j*c.Window < s.At {
				continue
			}
			a := w.sum(admitted, func(r row) bool { return j*c.Window <= r.time && r.time < (j+1)*c.Window })
			off := math.Abs(float64(a - s.Target))
			looked, lastEnd = true, (j+1)*c.Window
			if off > float64(s.Target)*max(0.05, 3/math.Sqrt(float64(c.Limit)))+1e-9 {
				bad = lastEnd
			}
		}
		settled = settled && looked && bad != lastEnd
		settle = max(settle, bad-s.At)
		// The curve has two values at each instant: before and after the cost
		// admitted there.
		peak, low := rat(0, 1), rat(0, 1)
		for t := s.At; t <= end; t += tick {
			at := func(upTo func(int64) bool) *big.Rat {
				a := w.sum(admitted, func(r row) bool { return r.time > s.At && upTo(r.time) })
				return new(big.Rat).Sub(rat(a, 1), rat(c.Limit*(t-s.At), c.Window))
			}
			before := at(func(x int64) bool { return x < t })
			if before.Cmp(low) < 0 {
				low = before
			}
			if t < end {
				if x := at(func(x int64) bool { return x <= t }); x.Cmp(peak) > 0 {
					peak, low = x, x
				}
			}
			if fall := new(big.Rat).Sub(peak, low); t == end && fall.Cmp(payback) > 0 {
				payback = fall
			}
		}
		if peak.Cmp(overshoot) > 0 {
			overshoot = peak
		}
	}
	if !any {
		return
	}
	fig["overshoot"], fig["payback"] = asFloat(overshoot), asFloat(payback)
	if settled {
		fig["settle_s"] = float64(settle) / 1e9
	}
}
