package main

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"sync"
)

// Buckets of one token that takes 20 s: of a million keys that are asked for
// alike most have had one or two within the minute; with Zipf's law most
// requests are for keys that were just served.
const (
	shareUniform = 0.3715
	shareZipf    = 0.1018
)

// keyed is the central workload over many keys, each with its share of the
// limit. A simulation and its bare loop choose keys by the same law.
func keyed() []group {
	text := func(policy, law string, count int, more string) string {
		return centralText("basic", policy, fmt.Sprintf("keys: {%s: {count: %d%s}}", law, count, more))
	}
	const million, slow = 1_000_000, "{limit: 3/min, burst: 1}"
	return []group{
		{
			name: "keys 100", unit: "decision", what: "the same over 100 keys",
			contestants: []contestant{
				bareLoop("bare loop, Poisson", true, 100, uniform(100), half),
				engine("limitgauge", text("{limit: 500/s, burst: 50}", "uniform", 100, "")),
			},
		},
		{
			name: "keys million", unit: "decision", what: "the same over 1,000,000 keys",
			contestants: []contestant{
				bareLoop("bare loop, Poisson", true, million, uniform(million), shareUniform),
				engine("limitgauge", text(slow, "uniform", million, "")),
			},
		},
		{
			name: "keys million, Zipf", unit: "decision", what: "the same over 1,000,000 keys, asked for by Zipf's law with exponent 1.1",
			contestants: []contestant{
				bareLoop("bare loop, Poisson", true, million, zipf(million), shareZipf),
				engine("limitgauge", text(slow, "zipf", million, ", s: 1.1")),
			},
		},
	}
}

func uniform(keys int) func(*rand.Rand) int {
	return func(r *rand.Rand) int { return int(r.Uint32N(uint32(keys))) }
}

// zipf chooses by a table that is made once, in the round that does not count:
// a loop that had it at hand is the yardstick.
func zipf(keys int) func(*rand.Rand) int {
	table := sync.OnceValue(func() aliases { return layOut(keys) })
	return func(r *rand.Rand) int { return table().choose(r) }
}

// aliases chooses key k in proportion to (k+1)^-1.1. Each cell has a key of its
// own, up to its cut, and another one beyond.
type aliases []struct{ cut, other uint32 }

// choose has no branch: half of the time it would be mispredicted, and the next
// load could not start.
func (a aliases) choose(r *rand.Rand) int {
	cell, place := bits.Mul64(r.Uint64(), uint64(len(a)))
	c := &a[cell]
	own := uint32((int64(place>>32) - int64(c.cut)) >> 63) // all ones where the key is the cell's own
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
