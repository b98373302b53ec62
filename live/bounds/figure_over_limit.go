package bounds

import (
	"cmp"
	"slices"
)

// overLimit is what saturated windows admit beyond the limit, in tokens. Windows are
// saturated by what was sent in them.
type overLimit struct {
	windows     int64   // that are certainly saturated
	optional    []int64 // of each window that may be saturated, the largest excess
	least, most int64   // the sum of the excesses of the first kind
	leastOver   int64   // the number of windows of the first kind that are over the limit
	mostOver    int64
	leastMax    int64 // the largest excess of a window
	mostMax     int64
}

// overLimitOf returns what the saturated windows of one key admit beyond the limit.
func (c *scope) overLimitOf(f flow) overLimit {
	limit := c.s.Limit.Count
	p := c.placesOf(f)
	demand, admitted := c.loadsOf(&p, f.sent, nil), c.loadsOf(&p, f.admitted, f.failed)
	var o overLimit
	var missing []int64 // of each window that what is loose can bring over the limit
	var each int64
	for i := range p.windows {
		over := max(0, admitted.all[i]-limit)
		switch {
		case demand.sure[i] >= limit:
			o.windows++
			each += over
			o.leastMax = max(o.leastMax, admitted.sure[i]-limit)
			if admitted.sure[i] > limit {
				o.leastOver++
			}
			if admitted.touch[i] > limit {
				o.mostOver++
			} else if over > 0 {
				missing = append(missing, limit+1-admitted.touch[i])
			}
		case demand.touch[i] >= limit:
			o.optional = append(o.optional, over)
		default:
			over = 0
		}
		o.mostMax = max(o.mostMax, over)
	}
	o.least, _ = admitted.fill(func(i int) int64 {
		if demand.sure[i] >= limit {
			return limit
		}
		return unset
	})
	o.most = min(each, admitted.loose+admitted.most(func(i int, cost int64) int64 {
		if demand.sure[i] >= limit {
			return max(0, cost-limit)
		}
		return 0
	}))
	slices.Sort(missing)
	loose := admitted.loose
	for _, m := range missing {
		if loose -= m; loose >= 0 {
			o.mostOver++
		}
	}
	return o
}

func (o *overLimit) add(p *overLimit) {
	o.windows += p.windows
	o.optional = append(o.optional, p.optional...)
	o.least += p.least
	o.most += p.most
	o.leastOver += p.leastOver
	o.mostOver += p.mostOver
	o.leastMax = max(o.leastMax, p.leastMax)
	o.mostMax = max(o.mostMax, p.mostMax)
}

// mean returns the bounds of a mean over the saturated windows in percent of a unit, given
// the sums over those that are certainly saturated and the largest values of the others.
// There must be a window of one kind, of the first kind for a lower bound.
func (o *overLimit) mean(unit, least, most int64, optional []int64) (lo, hi float64) {
	slices.SortFunc(optional, func(a, b int64) int { return cmp.Compare(b, a) })
	n := o.windows
	if n > 0 {
		lo = ratio(100, least, unit*(n+int64(len(optional))))
		hi = ratio(100, most, unit*n)
	}
	for _, x := range optional {
		n++
		most += x
		hi = max(hi, ratio(100, most, unit*n))
	}
	return lo, hi
}

// excess returns the bounds of the mean excess in percent of a limit.
func (o *overLimit) excess(limit int64) (lo, hi float64) {
	return o.mean(limit, o.least, o.most, slices.Clone(o.optional))
}

// share returns the bounds of the share of saturated windows that are over the limit,
// in percent.
func (o *overLimit) share() (lo, hi float64) {
	over := make([]int64, len(o.optional))
	for i, x := range o.optional {
		over[i] = min(x, 1)
	}
	return o.mean(1, o.leastOver, o.mostOver, over)
}

// overLimitBounds returns the bounds of the metrics of saturated windows, and the
// number of the key that was certainly furthest over its limit, or -1.
func (c *scope) overLimitBounds(flows []flow) (list []bound, worst int) {
	limit := c.s.Limit.Count
	var all overLimit
	worst = -1
	var key bound // the worst one
	none := noPhase
	if c.known {
		for i, f := range flows {
			o := c.overLimitOf(f)
			all.add(&o)
			lo, hi := o.excess(limit)
			if lo > key.lo && len(flows) > 1 {
				worst = i
			}
			key.lo, key.hi = max(key.lo, lo), max(key.hi, hi)
		}
		none = ""
		switch {
		case all.windows == 0 && len(all.optional) > 0:
			none = "no window is saturated for every phase that is possible"
		case all.windows == 0:
			none = "no saturated window"
		}
	}
	lo, hi := all.excess(limit)
	mean := bound{"over_limit_pct", lo, hi, none}
	most := bound{"over_limit_pct_max", ratio(100, all.leastMax, limit), ratio(100, all.mostMax, limit), none}
	lo, hi = all.share()
	share := bound{"over_limit_share_gt_0", lo, hi, none}
	if len(flows) == 1 {
		none = "there is one key"
	}
	return []bound{mean, most, share, {"over_limit_pct_worst_key", key.lo, key.hi, none}}, worst
}
