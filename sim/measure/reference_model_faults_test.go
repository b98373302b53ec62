package measure

import (
	"math"
	"math/big"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// limitAt returns the limit and the burst at an instant.
func (w *world) limitAt(t int64) (limit, burst int64) {
	limit, burst = w.cfg.Limit, w.cfg.Burst
	for _, change := range w.cfg.Changes {
		if change.At <= t {
			limit, burst = change.Limit.Count, change.Limit.Burst
		}
	}
	return limit, burst
}

// limitIn returns the largest limit between two instants, without the second
// one.
func (w *world) limitIn(from, to int64) int64 {
	largest, _ := w.limitAt(from)
	for _, change := range w.cfg.Changes {
		if from < change.At && change.At < to {
			largest = max(largest, change.Limit.Count)
		}
	}
	return largest
}

// earned returns the cost that the rate allows in a span of time.
func (w *world) earned(from, to int64) *big.Rat {
	sum := rat(0, 1)
	for at := from; at < to; {
		next := to
		for _, change := range w.cfg.Changes {
			if change.At > at {
				next = min(next, change.At)
			}
		}
		limit, _ := w.limitAt(at)
		sum.Add(sum, new(big.Rat).Mul(rat(limit, w.cfg.Window), rat(next-at, 1)))
		at = next
	}
	return sum
}

// referenceFaults determines for each calendar window whether it is during a
// fault or after one, and evaluates its rows.
func (w *world) referenceFaults(fig map[string]float64) {
	c := w.cfg
	failedOpen, all := 0.0, 0.0
	for _, o := range append(append([]Outcome{}, w.immediate...), w.outcomes...) {
		during := false
		for _, f := range c.Faults {
			during = during || f.From <= o.Arrival && o.Arrival < f.To
		}
		if w.inSpan(o.Arrival) && during {
			all++
			if !o.Waiting && o.Verdict == counting.MakeVerdict(true, counting.ByFailOpen) {
				failedOpen++
			}
		}
	}
	if all > 0 {
		fig["fail_open_share"] = failedOpen / all
	}

	first, last := (c.Start+c.Window-1)/c.Window, c.End/c.Window
	over := map[int64]bool{}
	worst := map[int64]float64{}
	extra, refused := map[int64]int64{}, map[int64]int64{}
	for j := first; j < last; j++ {
		from, to := j*c.Window, (j+1)*c.Window
		limit := w.limitIn(from, to)
		for key := int32(0); key < int32(c.Keys); key++ {
			in := func(r row) bool { return r.key == key && from <= r.time && r.time < to }
			a := w.sum(admitted, in)
			extra[j] += max(0, a-limit)
			refused[j] += min(w.sum(rejected, in), max(0, w.sum(reference, in)-a))
			if float64(a-limit) > float64(limit)*max(0.05, 3/math.Sqrt(float64(limit)))+1e-9 {
				worst[j] = max(worst[j], float64(a-limit)/float64(limit))
			}
		}
	}
	before := 0.0
	for j, x := range worst {
		if len(c.Faults) > 0 && j < c.Faults[0].From/c.Window {
			before = max(before, x)
		}
	}
	for j, x := range worst {
		over[j] = x > before
	}
	begins := func(t, end int64) bool {
		for _, f := range c.Faults {
			if t <= f.From && f.From < end {
				return true
			}
		}
		return false
	}
	concerned := map[int64]bool{}
	longest, healed, lost := int64(0), false, false
	for _, f := range c.Faults {
		for j := first; j < last; j++ {
			if f.From < (j+1)*c.Window && (f.To > j*c.Window || f.From == f.To && f.From >= j*c.Window) {
				concerned[j] = true
			}
		}
		// If another fault is in force when this one ends, or begins at that
		// instant, the two count as one fault.
		goesOn := false
		for _, g := range c.Faults {
			goesOn = goesOn || g.From <= f.To && f.To < g.To
		}
		if goesOn || f.To < first*c.Window || f.To >= last*c.Window {
			continue
		}
		healed = true
		j := f.To / c.Window
		for over[j] && !begins(max(f.To+1, j*c.Window), (j+1)*c.Window) && j < last {
			concerned[j] = true
			j++
		}
		if over[j] || j == last {
			lost = true
		} else {
			longest = max(longest, j*c.Window-f.To)
		}
	}
	var sums [2]int64
	for j := range concerned {
		sums[0] += extra[j]
		sums[1] += refused[j]
	}
	if len(concerned) == 0 {
		return
	}
	fig["fault_extra_admitted"], fig["fault_false_rejected"] = float64(sums[0]), float64(sums[1])
	if healed && !lost {
		fig["reenforce_s"] = float64(longest) / 1e9
	}
}

func (w *world) referenceRetries(fig map[string]float64) {
	fresh, retried, let := 0.0, 0.0, 0.0
	for _, o := range append(append([]Outcome{}, w.immediate...), w.outcomes...) {
		if !w.inSpan(o.Arrival) {
			continue
		}
		if o.Try == 0 {
			fresh++
		} else {
			retried++
		}
		if !o.Waiting && o.Verdict.Admitted() {
			let++
		}
	}
	fig["fresh_requests"], fig["retried_requests"] = fresh, retried
	if fresh > 0 {
		fig["retry_amplification"] = (fresh + retried) / fresh
		fig["fresh_admitted_pct"] = 100 * let / fresh
	}
}
