package logs

import (
	"math/bits"

	"github.com/limitgauge/limitgauge/internal/random"
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

// sift returns the rows of the kept copies. Copy i of [at, end) belongs to row
// i/copies, and copy at has the number first. It stops when kept is full and
// returns the next copy too.
func (s *sieve) sift(kept []int32, first int64, at, end, copies int) ([]int32, int) {
	draws := s.draws.Jumped(uint64(first))
	row, copied := int32(at/copies), at%copies
	for ; at < end && len(kept) < cap(kept); at++ {
		if s.keepsAll() || draws.Uint64() < s.below {
			kept = append(kept, row)
		}
		if copied++; copied == copies {
			row, copied = row+1, 0
		}
	}
	return kept, at
}
