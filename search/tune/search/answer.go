package search

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// answer holds candidates to the promise from the cheapest up, until one keeps it and none
// that can be cheaper does.
func (s *search) answer(ctx context.Context) error {
	for {
		c, err := s.next(ctx)
		if err != nil {
			return err
		}
		if c == nil {
			if c = s.nearest(); c == nil || c.Verdict == Rejected || s.part {
				return nil
			}
		}
		if err := s.hold(ctx, c); err != nil {
			return err
		}
		if c.Verdict == Kept {
			return s.improve(ctx, c)
		}
	}
}

// improve replaces an answer by a cheaper one as long as there is one. What cannot be
// cheaper any more is the next cheaper candidate, which breaks the promise.
func (s *search) improve(ctx context.Context, c *Candidate) error {
	for {
		s.found.Answer, s.found.Below = c, s.below(c)
		d, err := s.rival(ctx, c)
		if err != nil {
			return err
		}
		if s.found.Below = s.below(c); d == nil {
			if d = s.found.Below; d == nil || d.Verdict == Rejected {
				return nil
			}
		}
		if err := s.hold(ctx, d); err != nil {
			return err
		}
		if d.Verdict == Kept && s.dearer(d, c) < 0 {
			c = d
		}
	}
}

// parts finds the answer of each part. What the search knows of candidates holds in all
// parts that have them.
func (s *search) parts(ctx context.Context) error {
	first := 0
	for _, n := range s.Parts {
		part := *s
		part.part, part.seen, part.found = true, nil, Found{Work: s.found.Work}
		for number := first; number < first+n; number++ {
			if c := s.known[s.Same(number)]; c != nil && !slices.Contains(part.seen, c) {
				part.seen = append(part.seen, c)
			}
		}
		first += n
		err := part.answer(ctx)
		if part.found.UsedUp = errors.Is(err, errUsedUp); part.found.UsedUp {
			part.nearest()
		} else if err != nil {
			return err
		}
		s.found.Work = part.found.Work
		s.found.Parts = append(s.found.Parts, part.found)
	}
	return nil
}

// next returns the cheapest contender. Of those that cost alike it is the one with the
// largest margin, or, of parts, the first one. It raises them first, which can show that
// they are hopeless. It returns nil if there is none.
func (s *search) next(ctx context.Context) (*Candidate, error) {
	for {
		list := s.contenders()
		if len(list) == 0 {
			return nil, nil
		}
		list = slices.DeleteFunc(list, func(c *Candidate) bool { return s.dearer(c, list[0]) > alike })
		raised := !slices.ContainsFunc(list, func(c *Candidate) bool { return !c.Exact && len(c.Costs) < s.rounds() })
		if raised && s.Parts != nil {
			return slices.MinFunc(list, func(c, d *Candidate) int { return cmp.Compare(c.Number, d.Number) }), nil
		}
		if raised {
			return s.largestMargin(list), nil
		}
		if err := s.raise(ctx, list, s.rounds()); err != nil {
			return nil, err
		}
		s.noise = newNoise(s.seen, s.Replications)
	}
}

// below returns the dearest candidate that is cheaper than c, of those that cost alike the
// one with the largest margin. It returns nil if there is none.
func (s *search) below(c *Candidate) (below *Candidate) {
	cheaper := lists.Where(s.seen, func(d *Candidate) bool { return d.NoData == "" && s.dearer(d, c) < -alike })
	if len(cheaper) == 0 {
		return nil
	}
	dearest := slices.MaxFunc(cheaper, func(d, e *Candidate) int { return cmp.Compare(s.dearer(d, c), s.dearer(e, c)) })
	cheaper = slices.DeleteFunc(cheaper, func(d *Candidate) bool { return s.dearer(d, dearest) < -alike })
	return s.largestMargin(cheaper)
}

// largestMargin returns the candidate that is farthest inside the promise, or breaks it
// least, the first of equals.
func (s *search) largestMargin(list []*Candidate) *Candidate {
	return slices.MaxFunc(list, func(c, d *Candidate) int { return cmp.Compare(s.noise.worst(c, 0), s.noise.worst(d, 0)) })
}

// nearest sets the candidate that comes nearest to the promise, nil if none has figures.
func (s *search) nearest() *Candidate {
	best := math.Inf(-1)
	for _, c := range s.seen {
		if c.NoData != "" {
			continue
		}
		if by := c.relative(c.Tightest()); s.found.Nearest == nil || by > best {
			s.found.Nearest, best = c, by
		}
	}
	return s.found.Nearest
}

// mostHeld returns the open candidate with the most fresh seeds, the nearest to the
// promise if none has any.
func (s *search) mostHeld() (most *Candidate) {
	for _, c := range s.seen {
		if c.Verdict == Open && len(c.Fresh) > 0 && (most == nil || len(c.Fresh) > len(most.Fresh)) {
			most = c
		}
	}
	if most == nil {
		most = s.nearest()
	}
	return most
}

// checkpoints are the numbers of fresh seeds after which hold looks. They do not depend on
// the workers.
var checkpoints = []int{6, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200}

// judge returns the verdict on a candidate after a number of fresh seeds, of which some
// broke the promise.
//
// It rejects once 95 of 100 seeds are out of reach. 60 seeds without a break are enough:
// one that breaks more than 5 of 100 has no break in 60 in fewer than 5 % of cases. So are
// 98 of 100. With 95 to 97 of 100, another 100 seeds must bring it to 190 of 200.
func judge(seeds, broken int) Verdict {
	switch {
	case broken > FullSeeds-Enough && seeds <= FullSeeds, broken > 2*(FullSeeds-Enough):
		return Rejected
	case seeds >= 60 && broken == 0, seeds >= FullSeeds && broken <= 2, seeds >= 2*FullSeeds:
		return Kept
	}
	return Open
}

// hold runs a candidate on fresh seeds, the same for all, until they tell whether it
// keeps the promise. A deterministic candidate needs one.
func (s *search) hold(ctx context.Context, c *Candidate) error {
	s.Progress.Held.Add(1)
	for _, n := range checkpoints {
		if c.Exact {
			n = 1
		}
		var trials []Trial
		for seed := len(c.Fresh); seed < n; seed++ {
			trials = append(trials, Trial{Candidate: c.Number, Seed: 1 + seed, Replication: Whole})
		}
		outcomes, err := s.try(ctx, trials)
		if err != nil {
			return err
		}
		for _, o := range outcomes {
			c.Fresh = append(c.Fresh, Seed{Cost: o.Cost, Figures: o.Figures, NoData: o.NoData})
		}
		broken := len(c.Fresh) - c.KeptSeeds()
		if c.Verdict = judge(len(c.Fresh), broken); c.Exact {
			c.Verdict = Kept
			if broken > 0 {
				c.Verdict = Rejected
			}
		}
		if c.Verdict != Open {
			return nil
		}
	}
	return nil
}
