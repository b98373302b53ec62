package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/internal/stats"
)

// alike is the difference of costs, as a part of them, up to which two candidates cost
// the same. The one with the larger margin is then preferred.
const alike = 0.01

// rivalry is by how much a candidate must be able to cost less than the answer, as a part
// of its cost, so that the search asks whether it does.
const rivalry = 0.02

// mostLooks limits the replications of rivals, as a multiple of rounds.
const mostLooks = 8

// dearer returns by how much c costs more than d, as a part of the cost of d. Both are
// compared over the replications that both have, which drew the same random numbers.
func (s *search) dearer(c, d *Candidate) float64 {
	n, m := min(len(c.Costs), len(d.Costs)), 0
	sumC, sumD := stats.Mean(c.Costs[:n])*float64(n), stats.Mean(d.Costs[:n])*float64(n)
	for i := range min(len(c.Fresh), len(d.Fresh)) {
		if c.Fresh[i].NoData == "" && d.Fresh[i].NoData == "" {
			m += s.Replications
			sumC += float64(c.Fresh[i].Cost * float64(s.Replications))
			sumD += float64(d.Fresh[i].Cost * float64(s.Replications))
		}
	}
	return part((sumC-sumD)/float64(n+m), sumD/float64(n+m))
}

// part returns a difference as a part of a base, infinite if the base is 0.
func part(difference, base float64) float64 {
	switch {
	case difference == 0:
		return 0
	case base == 0:
		return math.Copysign(math.Inf(1), difference)
	}
	return difference / math.Abs(base)
}

// leastDearer returns by how much c costs more than d at least, as a part of the cost of d,
// if the means over replications of the search are as wrong as doubt allows.
func (s *search) leastDearer(c, d *Candidate) float64 {
	n := min(len(c.Costs), len(d.Costs))
	differences := make([]float64, n)
	for i := range differences {
		differences[i] = c.Costs[i] - d.Costs[i]
	}
	base := stats.Mean(d.Costs[:n])
	se := s.noise.costSD(differences, base) / math.Sqrt(float64(n))
	return part(stats.Mean(differences)-float64(doubt(n)*se), base)
}

// rival returns the cheapest candidate that seems to cost less than an answer and can keep
// the promise, nil if there is none. It gives those that can cost less ever more
// replications first.
func (s *search) rival(ctx context.Context, answer *Candidate) (*Candidate, error) {
	for n := s.rounds(); ; n *= 2 {
		rivals := lists.Where(s.seen, func(c *Candidate) bool {
			return c != answer && c.Verdict == Open && !s.noise.hopeless(c) && s.leastDearer(c, answer) < -rivalry
		})
		if len(rivals) == 0 {
			return nil, nil
		}
		if n > mostLooks*s.rounds() {
			best := slices.MinFunc(rivals, func(c, d *Candidate) int { return cmp.Compare(s.dearer(c, answer), s.dearer(d, answer)) })
			if s.dearer(best, answer) < -alike {
				return best, nil
			}
			return nil, nil
		}
		if err := s.raise(ctx, append(rivals, answer), n); err != nil {
			return nil, err
		}
		s.noise = newNoise(s.seen, s.Replications)
	}
}
