package batchreported

import "math/bits"

// sampler selects the requests that a client counts, num of den, and scales their
// cost so that they stand for all requests.
type sampler struct {
	num, den uint64
	keys     []sampledKey // by slot
}

// sampledKey holds the remainders of scaling a key's counts, in units of 1/num.
type sampledKey struct{ hits, rejected uint64 }

// newSampler returns nil if every request is counted.
func newSampler(c *Config) *sampler {
	if c.Sample.Num == c.Sample.Den {
		return nil
	}
	return &sampler{num: uint64(c.Sample.Num), den: uint64(c.Sample.Den)}
}

// takes reports whether a request is counted: whether a uniform 64-bit fraction
// is below num/den.
func (s *sampler) takes(coin Coin) bool {
	hi, _ := bits.Mul64(coin.Uint64(), s.den)
	return hi < s.num
}

// scale returns the cost that a counted request stands for: cost*den/num. It
// carries the remainder to the next request. Config.Check bounds den/num.
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
