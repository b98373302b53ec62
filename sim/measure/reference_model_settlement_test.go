package measure

import (
	"math/big"
	"slices"
)

// referenceOverspend adds up each window up to each admission.
func (w *world) referenceOverspend(fig map[string]float64) {
	if !w.cfg.Settles {
		return
	}
	c, all, requests, most := w.cfg, int64(0), 0, int64(0)
	byWindow := map[[2]int64]int64{}
	for i, r := range w.rows {
		if !w.inSpan(r.time) || r.admitted == 0 {
			continue
		}
		window := r.time / c.Window
		upTo := int64(0)
		for _, b := range w.rows[:i+1] {
			if b.key == r.key && b.time/c.Window == window {
				upTo += b.admitted
			}
		}
		limit := w.limitIn(window*c.Window, (window+1)*c.Window)
		part := max(0, upTo-limit) - max(0, upTo-r.admitted-limit)
		if all += part; part > 0 {
			requests++
		}
		id := [2]int64{int64(r.key), window}
		byWindow[id] += part
		most = max(most, byWindow[id])
	}
	fig["overspend_cost"], fig["overspend_requests"] = float64(all), float64(requests)
	if total := w.sum(admitted, func(r row) bool { return w.inSpan(r.time) }); total > 0 {
		fig["overspend_pct"], fig["overspend_window_max"] = asFloat(rat(100*all, total)), float64(most)
	}
}

// referenceRefusedFitting asks, for each rejection, what the policy's exact counter
// holds at that instant, by a loop over all earlier admissions.
func (w *world) referenceRefusedFitting(fig map[string]float64) {
	if !w.cfg.Settles {
		return
	}
	cost, requests := int64(0), 0
	for i, r := range w.rows {
		if w.inSpan(r.time) && r.rejected > 0 && w.roomFor(r, w.rows[:i]).Cmp(rat(r.rejected, 1)) >= 0 {
			cost += r.rejected
			requests++
		}
	}
	fig["refused_fitting_cost"], fig["refused_fitting_requests"] = float64(cost), float64(requests)
	if total := w.sum(offered, func(r row) bool { return w.inSpan(r.time) }); total > 0 {
		fig["refused_fitting_pct"] = asFloat(rat(100*cost, total))
	}
}

// refusedFitting returns the cost rejected although the counters of all policies of
// its keys hold it.
func (w *world) refusedFitting(policies []Policy, carried func(row) []int32) (cost int64) {
	for i, r := range w.rows {
		if !w.inSpan(r.time) || r.rejected == 0 {
			continue
		}
		fits := true
		for _, p := range policies {
			under := world{cfg: Config{Policy: p}}
			for _, key := range carried(r) {
				if key < p.From || key >= p.To {
					continue
				}
				asked := row{time: r.time, key: key, rejected: r.rejected}
				var earlier []row
				for _, b := range w.rows[:i] {
					if slices.Contains(carried(b), key) {
						b.key = key
						earlier = append(earlier, b)
					}
				}
				fits = fits && under.roomFor(asked, earlier).Cmp(rat(r.rejected, 1)) >= 0
			}
		}
		if fits {
			cost += r.rejected
		}
	}
	return cost
}

// roomFor returns what the exact counter of a row's key holds after earlier rows.
func (w *world) roomFor(r row, earlier []row) *big.Rat {
	c := w.cfg
	limit, _ := w.limitAt(r.time)
	if c.Kind == TokenBucket {
		return w.bucketLevel(r, earlier)
	}
	sum := int64(0)
	for _, b := range earlier {
		if b.key == r.key && (c.Kind == FixedWindow && b.time/c.Window == r.time/c.Window || c.Kind == SlidingLog && b.time > r.time-c.Window) {
			sum += b.admitted
		}
	}
	return rat(limit-sum, 1)
}

// bucketLevel returns the level of a bucket that goes into debt.
func (w *world) bucketLevel(r row, earlier []row) *big.Rat {
	depthAt := func(t int64) *big.Rat {
		_, burst := w.limitAt(t)
		return rat(max(burst, w.cfg.LargestCost, 1), 1)
	}
	level, last := depthAt(-1), int64(0)
	fill := func(now int64) {
		level = new(big.Rat).Add(level, w.earned(last, now))
		if depth := depthAt(max(now-1, last)); level.Cmp(depth) > 0 {
			level = depth
		}
		last = now
	}
	changes := slices.Clone(w.cfg.Changes)
	until := func(now int64) {
		for ; len(changes) > 0 && changes[0].At <= now; changes = changes[1:] {
			fill(changes[0].At)
			if depth := depthAt(changes[0].At); level.Cmp(depth) > 0 {
				level = depth
			}
		}
		fill(now)
	}
	for _, b := range earlier {
		if b.key == r.key && b.admitted > 0 {
			until(b.time)
			level = new(big.Rat).Sub(level, rat(b.admitted, 1))
		}
	}
	until(r.time)
	return level
}
