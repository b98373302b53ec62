package counting

import (
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// WorstExcess returns the least upper bound of what the named counter can admit
// beyond the rate and the burst of a limit, in requests of cost 1: the largest cost
// of a key within two consecutive calendar windows, less the limit's burst and what
// its rate earns from the first request to the last. It is 0 or more. The formula
// has L and w for the limit's count and window, B for its burst, and r for its rate.
// Without a closed form the formula is empty, and Why says why.
func WorstExcess(name string, limit Limit, options catalog.Values) catalog.Predicted {
	k := find(name)
	if k.worst == nil {
		return catalog.Predicted{Why: "counter " + name + " states no largest burst excess in closed form"}
	}
	if options.Set("block") {
		return catalog.Predicted{Why: "counter " + name + " starts anew after a block, which has no closed form"}
	}
	p := k.worst(limit, catalog.WithDefaults(k.entry.Fields, options))
	p.Value = max(0, p.Value)
	return p
}

// excess returns a closed form: an admitted cost beyond the limit's burst.
func excess(limit Limit, admitted float64, formula string) catalog.Predicted {
	return catalog.Predicted{Value: admitted - float64(limit.Burst), Formula: formula}
}

// earned returns the requests that the limit's rate earns in a time of ns.
func earned(limit Limit, ns int64) float64 {
	return float64(limit.Count) * (float64(ns) / float64(limit.Window))
}

// worstFixedWindow has the limit at the end of a window, and again at the beginning
// of the next.
func worstFixedWindow(limit Limit, _ catalog.Values) catalog.Predicted {
	return excess(limit, 2*float64(limit.Count), "2L - B")
}

// worstFirstHitWindow has all but the first request at the end of a window.
func worstFirstHitWindow(limit Limit, v catalog.Values) catalog.Predicted {
	if o := optionsOf[FirstHitOptions](limit, v); o.EachHit || o.LostAt == 1 {
		return excess(limit, float64(limit.Count), "L - B")
	}
	return excess(limit, max(float64(limit.Count), 2*float64(limit.Count)-1), "2L - 1 - B")
}

// worstSlidingWindow has the limit at once. What follows in the log and in the
// weighted counter is at most what the rate earns.
func worstSlidingWindow(limit Limit, _ catalog.Values) catalog.Predicted {
	return excess(limit, float64(limit.Count), "L - B")
}

// worstBucket has a full bucket of depth b, and with debt one request more.
func worstBucket(limit Limit, v catalog.Values) catalog.Predicted {
	depth := float64(burstOf(limit, v))
	if v.Set("debt") && v.Bool("debt") {
		return excess(limit, depth+1, "b + 1 - B, b: depth of the bucket")
	}
	return excess(limit, depth, "b - B, b: depth of the bucket")
}

// worstLeakyBucket has the requests that leave without delay.
func worstLeakyBucket(limit Limit, v catalog.Values) catalog.Predicted {
	o := LeakyBucketOptionsOf(limit, v)
	return excess(limit, float64(o.undelayed())+1, "delay + 1 - B")
}

// undelayed returns the excess requests that are dispatched at once.
func (o LeakyBucketOptions) undelayed() int64 {
	if o.NoDelay {
		return o.Burst
	}
	return min(o.Delay, o.Burst)
}

// worstTimerBucket has a full bucket just before a fill, and what the fill adds.
// Fills that add more than the rate earns, because they are rounded up, add to it.
func worstTimerBucket(limit Limit, v catalog.Values) catalog.Predicted {
	o := TimerBucketOptionsOf(limit, v)
	if err := o.Check(limit); err != nil {
		return catalog.Predicted{Why: err.Error()}
	}
	r := newTimerRule(limit, o)
	fill := float64(min(r.burst, r.perFill))
	more := fill - earned(limit, r.interval) // of each further fill
	if more <= 0 {
		return excess(limit, float64(r.burst)+fill, "b + min(b, f) - B, b: depth, f: tokens per fill")
	}
	if limit.Window%r.interval != 0 {
		return catalog.Predicted{Why: "fills add more than the rate earns, and the window is not a whole number of fill intervals"}
	}
	further := 2 * float64(limit.Window/r.interval-1) // after the first fill, before the end of two windows
	return excess(limit, float64(r.burst)+fill+further*more, "b + m*min(b, f) - (m-1)*r*i - B, b: depth, f: tokens per fill, i: fill interval, m = 2w/i - 1")
}

// worstNginxLimitReq has the requests that leave without delay, and what a clock of
// milliseconds can be ahead of.
func worstNginxLimitReq(limit Limit, v catalog.Values) catalog.Predicted {
	o := LeakyBucketOptionsOf(limit, v)
	if n, p := limit.Rate(); 1000*1_000_000_000%p != 0 || n > Never/(1000*1_000_000_000/p) {
		return catalog.Predicted{Why: "the rate is no whole number of thousandths of a request per second"}
	}
	return excess(limit, float64(o.undelayed())+1+earned(limit, 1_000_000), "delay + 1 + r*1ms - B")
}

// worstSQLTokenBucket has a full bucket less one token, calls that earn half a token
// each, which is rounded up, and the last token.
func worstSQLTokenBucket(limit Limit, v catalog.Values) catalog.Predicted {
	published := v.String("rounding") == "integer" && v.String("ties") == "away" && v.Bool("refusal_writes") && v.String("cap") == "after-take"
	if !published || v.Set("refill") || v.Set("window") {
		return catalog.Predicted{Why: "the closed form is for the published options"}
	}
	admitted := float64(limit.Burst) + 2*float64(limit.Count) + 0.5 + earned(limit, v.Duration("clock"))
	return excess(limit, admitted, "2L + 1/2 + r*clock")
}
