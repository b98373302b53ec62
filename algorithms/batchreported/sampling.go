package batchreported

import "math/bits"

// sampler picks the requests that a client counts, num of den, and makes each
// stand for those that it does not.
type sampler struct {
	num, den uint64
	keys     []sampledKey // by slot
}

// sampledKey is what scaling a key's counts has left over, in units of 1/num.
type sampledKey struct{ hits, rejected uint64 }

// newSampler is nil where every request is counted.
func newSampler(c *Config) *sampler {
	if c.Sample.Num == c.Sample.Den {
		return nil
	}
	return &sampler{num: uint64(c.Sample.Num), den: uint64(c.Sample.Den)}
}

// takes says whether a request is counted: where a uniform fraction of 64 bits
// is below num/den.
func (s *sampler) takes(coin Coin) bool {
	hi, _ := bits.Mul64(coin.Uint64(), s.den)
	return hi < s.num
}

// scale is the cost that a counted request stands for: cost*den/num, with what
// that leaves over carried to the next. Config.Check bounds den/num.
func (s *sampler) scale(slot int32, cost int64, admitted bool) int64 {
	over := &s.keys[slot].hits
	if !admitted {
		over = &s.keys[slot].rejected
	}
	hi, lo := bits.Mul64(uint64(cost), s.den)
	lo, carry := bits.Add64(lo, *over, 0)
	q, left := bits.Div64(hi+carry, lo, s.num)
	*over = left
	return int64(q)
}
