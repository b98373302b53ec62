package logs

import (
	"math/bits"

	"github.com/limitgauge/limitgauge/random"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// sieve selects a share of the played requests. Every copy of a request has a
// number and a pseudo-random draw, which depends neither on the seed nor on the
// start of the play.
type sieve struct {
	draws random.Stream
	below uint64 // a copy is kept if its draw is below this; 0 keeps all
}

func newSieve(share units.Fraction) sieve {
	if share.Num == share.Den {
		return sieve{}
	}
	below, _ := bits.Div64(uint64(share.Num), 0, uint64(share.Den))
	return sieve{random.New(0, 0, "trace/keep"), below}
}

// keepsAll reports whether every request is kept.
func (s *sieve) keepsAll() bool { return s.below == 0 }

// sift appends the rows of the kept copies. Copy i of [at, end) belongs to row
// i/copies, and copy at has the number first. It stops when kept is full and
// returns the next copy.
func (s *sieve) sift(kept []int32, first int64, at, end, copies int) ([]int32, int) {
	draws := s.draws.Jumped(uint64(first))
	for ; at < end && len(kept) < cap(kept); at++ {
		if draws.Uint64() < s.below {
			kept = append(kept, int32(at/copies))
		}
	}
	return kept, at
}

// fillKept implements Fill if only a share of the requests is kept.
func (c *Cursor) fillKept(times []int64, p *player) int {
	n := 0
	for n < len(times) {
		from := &c.unpacked.rows
		end := len(from.time) * p.copies
		if c.at == end {
			if !c.next() {
				break
			}
			continue
		}
		if cap(c.kept) < len(times) {
			c.kept = make([]int32, len(times))
		}
		kept := c.kept[: 0 : len(times)-n]
		kept, c.at = p.sieve.sift(kept, c.first+int64(c.at), c.at, end, p.copies)
		c.rows.cut(n)
		c.rows.pick(from, kept)
		n += copy(times[n:], c.rows.time[n:])
	}
	c.rows.cut(n)
	return n
}
