package main

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"sync"
)

// The parameters of buckets of one token that refills in 20 s. If a million
// keys are equally likely, most keys have had one or two requests within the
// minute. With Zipf's distribution, most requests are for keys that had a
// request just before.
const (
	shareUniform = 0.3715
	shareZipf    = 0.1018
)

// keyed returns the central workload over many keys, each with its share of the
// limit. A simulation and its bare loop draw keys from the same distribution.
func keyed() []group {
	const million, slow = 1_000_000, "{limit: 3/min, burst: 1}"
	var groups []group
	for _, w := range []struct {
		name, what   string
		count        int
		pick         func(*rand.Rand) int
		share        float64
		policy, keys string
	}{
		{"keys 100", "the same over 100 keys", 100, uniform(100), half, "{limit: 500/s, burst: 50}", "uniform: {count: 100}"},
		{"keys million", "the same over 1,000,000 keys", million, uniform(million), shareUniform, slow, "uniform: {count: 1000000}"},
		{"keys million, Zipf", "the same over 1,000,000 keys, asked for by Zipf's law with exponent 1.1", million, zipf(million), shareZipf, slow, "zipf: {count: 1000000, s: 1.1}"},
	} {
		groups = append(groups, group{name: w.name, unit: "decision", what: w.what, contestants: []contestant{
			bareLoop("bare loop, Poisson", true, w.count, w.pick, w.share),
			engine("limitgauge", centralText("basic", w.policy, "keys: {"+w.keys+"}")),
			engine("limitgauge, metric set full", centralText("full", w.policy, "keys: {"+w.keys+"}")),
			engine("limitgauge, no tenants", withoutTenants(centralText("basic", w.policy, "keys: {"+w.keys+"}"))),
		}})
	}
	return groups
}

func uniform(keys int) func(*rand.Rand) int {
	return func(r *rand.Rand) int { return int(r.Uint32N(uint32(keys))) }
}

// zipf returns a function that draws keys from a table. The table is made once,
// in the warm-up round, so that its cost is not measured.
func zipf(keys int) func(*rand.Rand) int {
	table := sync.OnceValue(func() aliases { return layOut(keys) })
	return func(r *rand.Rand) int { return table().choose(r) }
}

// aliases draws key k with a probability proportional to (k+1)^-1.1. Each cell
// has its own key below its cut and another key above.
type aliases []struct{ cut, other uint32 }

// choose draws a key without a branch. A branch would be mispredicted half of
// the time, and the next load could not start early.
func (a aliases) choose(r *rand.Rand) int {
	cell, place := bits.Mul64(r.Uint64(), uint64(len(a)))
	c := &a[cell]
	own := uint32((int64(place>>32) - int64(c.cut)) >> 63) // all ones if the key is the cell's own
	return int(c.other ^ (c.other^uint32(cell))&own)
}

func layOut(keys int) aliases {
	cells, weights, total := make(aliases, keys), make([]float64, keys), 0.0
	for k := range weights {
		weights[k] = math.Pow(float64(k+1), -1.1)
		total += weights[k]
	}
	var poor, rich []int
	for k := range weights {
		if weights[k] *= float64(keys) / total; weights[k] < 1 {
			poor = append(poor, k)
		} else {
			rich = append(rich, k)
		}
	}
	for len(poor) > 0 && len(rich) > 0 {
		p, r := poor[len(poor)-1], rich[len(rich)-1]
		poor = poor[:len(poor)-1]
		cells[p].cut, cells[p].other = uint32(weights[p]*(1<<32)), uint32(r)
		if weights[r] -= 1 - weights[p]; weights[r] < 1 {
			rich = rich[:len(rich)-1]
			poor = append(poor, r)
		}
	}
	for _, k := range append(poor, rich...) {
		cells[k].other = uint32(k)
	}
	return cells
}
