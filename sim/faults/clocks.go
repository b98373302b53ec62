package faults

import "math/bits"

// clock is the offset of some clients' clocks.
type clock struct {
	whose members
	since int64
	skew  int64 // ns
	ppm   int64 // of drift since then, in parts per million
}

// Clock returns the time that a client's clock shows at now, in ns. A clock may
// step back and so show a time twice. The result may be negative.
func (t *Timeline) Clock(client int32, now int64) int64 {
	shown := now
	for _, c := range t.at(now).clocks {
		if c.whose.has(client) {
			shown += c.skew + drift(now-c.since, c.ppm)
		}
	}
	return shown
}

// drift returns elapsed*ppm/1e6, rounded towards zero.
func drift(elapsed, ppm int64) int64 {
	sign := int64(1)
	if ppm < 0 {
		sign, ppm = -1, -ppm
	}
	hi, lo := bits.Mul64(uint64(elapsed), uint64(ppm))
	off, _ := bits.Div64(hi, lo, 1_000_000)
	return sign * int64(off)
}
