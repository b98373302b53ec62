package main

import "slices"

// figures say how late requests were, in us, and how many there were.
type figures struct {
	p50, p99, max float64
	requests      int
}

// lateness measures requests that were planned every 1/perS seconds, by the times in ns
// at which they arrived. The first to arrive is taken as the first planned one, and so
// on. The time of the first planned one is unknown. It is taken to be the latest for
// which no request is early, which makes all figures as small as they can be.
func lateness(arrivedNs []int64, perS int) figures {
	late := slices.Sorted(slices.Values(arrivedNs))
	for k := range late {
		late[k] -= int64(k) * 1e9 / int64(perS)
	}
	slices.Sort(late)
	f := figures{requests: len(late)}
	if f.requests > 0 {
		at := func(percent int) float64 { return float64(late[(len(late)*percent+99)/100-1]-late[0]) / 1e3 }
		f.p50, f.p99, f.max = at(50), at(99), at(100)
	}
	return f
}

// typical returns the medians of the percentiles of several rounds, the largest
// maximum, and the smallest number of requests.
func typical(rounds []figures) figures {
	t := rounds[0]
	var p50, p99 []float64
	for _, f := range rounds {
		p50, p99 = append(p50, f.p50), append(p99, f.p99)
		t.max, t.requests = max(t.max, f.max), min(t.requests, f.requests)
	}
	slices.Sort(p50)
	slices.Sort(p99)
	t.p50, t.p99 = p50[len(p50)/2], p99[len(p99)/2]
	return t
}
