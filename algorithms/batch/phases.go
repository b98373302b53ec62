package batch

import "math/bits"

// Phase says when, within the interval, each client reports.
type Phase uint8

const (
	Aligned      Phase = iota // all at multiples of the interval
	Staggered                 // client i of N at (i+0.5)/N of it
	RandomPhase               // each anywhere in it
	CommonRandom              // all at the same place anywhere in it
	Offsets                   // as listed
)

// Ticks returns the instant, of 0 to Interval-1, of each client's first report;
// the others follow it every Interval. Only RandomPhase draws from the coin
// (once a client, in order) and CommonRandom (once): floor(draw*Interval/2^64).
// A list of offsets that is shorter than the number of clients starts over.
func (c *Config) Ticks(coin Coin) []int64 {
	ticks := make([]int64, c.Clients)
	anywhere := func() int64 {
		hi, _ := bits.Mul64(coin.Uint64(), uint64(c.Interval))
		return int64(hi)
	}
	switch c.Phase {
	case Staggered:
		for i := range ticks {
			hi, lo := bits.Mul64(uint64(2*i+1), uint64(c.Interval))
			at, _ := bits.Div64(hi, lo, uint64(2*c.Clients))
			ticks[i] = int64(at)
		}
	case RandomPhase:
		for i := range ticks {
			ticks[i] = anywhere()
		}
	case CommonRandom:
		at := anywhere()
		for i := range ticks {
			ticks[i] = at
		}
	case Offsets:
		for i := range ticks {
			ticks[i] = c.Offsets[i%len(c.Offsets)]
		}
	}
	return ticks
}
