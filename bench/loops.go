package main

import (
	"context"
	"fmt"
	"math/rand/v2"
)

// The workload of all loops and simulations lasts 60 s. Its sources together
// offer 100,000 requests/s to token buckets with a total limit of 50,000/s and
// a total burst of 5,000. Half of the requests are rejected, in an order that
// no processor can predict.
const (
	offered  = 100_000
	limit    = 50_000
	depth    = 5_000
	span     = int64(60e9)
	sources  = 100
	attempts = offered * 60 // on average
)

// bucket is one token bucket: the time in ns that it needs until it is full.
type bucket struct {
	missing, last int64
}

// take decides a request by plain arithmetic, without a branch on the verdict.
func (b *bucket) take(now, token, room int64) (charge int64) {
	missing := max(b.missing-(now-b.last), 0)
	charge = token &^ ((room - missing) >> 63)
	b.missing, b.last = missing+charge, now
	return charge
}

// poisson returns the bare loop over one bucket.
func poisson() contestant { return bareLoop("bare loop, Poisson", true, 1, nil, half) }

// half is the share of requests admitted if every bucket holds many tokens.
const half = (limit*60.0 + depth) / attempts

// bareLoop runs the workload over a number of keys with one bucket each. pick
// draws the key of an arrival. share is the expected share of admitted
// requests.
func bareLoop(name string, poisson bool, keys int, pick func(*rand.Rand) int, share float64) contestant {
	return contestant{name: name, run: func(context.Context) (int, error) {
		r := rand.New(rand.NewPCG(1, 2))
		token := int64(keys) * 1e9 / limit
		room := max(depth/int64(keys), 1)*token - token
		buckets := make([]bucket, keys)
		mean := 1e9 / float64(offered)
		var admitted [sources]int64
		n, at := 0, 0.0
		for {
			if poisson {
				at += r.ExpFloat64() * mean
			} else {
				at += mean
			}
			now := int64(at)
			if now >= span {
				break
			}
			source := r.Uint32N(sources)
			key := 0
			if keys > 1 {
				key = pick(r)
			}
			admitted[source] += buckets[key].take(now, token, room)
			n++
		}
		return n, plausible(admitted[:], token, share)
	}}
}

// plausible checks the share of admitted requests.
func plausible(charged []int64, token int64, share float64) error {
	total := int64(0)
	for _, c := range charged {
		total += c / token
	}
	if got := float64(total) / attempts; got < share*0.95 || got > share*1.05 {
		return fmt.Errorf("admitted %d of about %d, a share of %.3f, want %.3f", total, attempts, got, share)
	}
	return nil
}
