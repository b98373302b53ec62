package attack

import (
	"context"
	"slices"
)

// refine moves the trains of the worst candidate by ever smaller steps, one after
// the other, until none of them makes it worse or four fifths of the budget are
// used.
func (s *search) refine(ctx context.Context) error {
	for changed := true; changed && !s.ended(0.8); {
		changed = false
		for i := 0; i < len(s.best().Trains) && !s.ended(0.8); i++ {
			best := *s.best()
			var near []*Candidate
			vary := func(change func(t *Train)) {
				c := best.clone()
				change(&c.Trains[i])
				if s.fit(c) {
					near = append(near, c)
				}
			}
			for step := s.window; step > 0; step /= 4 {
				for _, by := range []int64{-step, step} {
					vary(func(t *Train) { t.At += by })
					if best.Trains[i].Gap > 0 && step < s.window {
						vary(func(t *Train) { t.Gap = max(1, t.Gap+by) })
					}
				}
			}
			for _, by := range []int64{-1, 1} {
				vary(func(t *Train) { t.Count = max(1, t.Count+by) })
			}
			for batch := range slices.Chunk(near, batchSize) {
				if s.ended(0.8) {
					break
				}
				if err := s.try(ctx, batch); err != nil {
					return err
				}
			}
			changed = changed || s.best().scores[s.goal].worse(best.scores[s.goal])
		}
	}
	return nil
}

// minimise removes what the figure of the worst candidate does not need: faults,
// trains, requests, and choices of clients and keys. Then it rounds times. It ends
// when nothing is left to remove, or when the budget is used up. Reaching the bound
// does not end it.
func (s *search) minimise(ctx context.Context) error {
	best := s.best()
	// simpler reports whether a changed candidate is as bad, and then keeps it.
	simpler := func(change func(c *Candidate) bool) (bool, error) {
		c := best.clone()
		if s.due >= s.Budget || s.due-s.from >= s.part || !change(c) || !s.fit(c) {
			return false, nil
		}
		scores, err := s.simulate(ctx, []*Candidate{c})
		if err != nil || !scores[0][s.goal].valid || scores[0][s.goal].figure < best.scores[s.goal].figure {
			return false, err
		}
		*best = scored{c, scores[0]}
		return true, nil
	}
	for changed := true; changed; {
		changed = false
		for i := len(best.Faults) - 1; i >= 0; i-- {
			ok, err := simpler(func(c *Candidate) bool { c.Faults = slices.Delete(c.Faults, i, i+1); return true })
			if err != nil {
				return err
			}
			changed = changed || ok
		}
		for i := len(best.Trains) - 1; i >= 0; i-- {
			ok, err := simpler(func(c *Candidate) bool { c.Trains = slices.Delete(c.Trains, i, i+1); return true })
			if err != nil {
				return err
			}
			changed = changed || ok
			for cut := best.trainCount(i) / 2; cut > 0 && !ok; {
				fewer, err := simpler(func(c *Candidate) bool { c.Trains[i].Count -= cut; return c.Trains[i].Count > 0 })
				if err != nil {
					return err
				}
				changed = changed || fewer
				if !fewer || best.trainCount(i) <= cut {
					cut /= 2
				}
			}
		}
	}
	if err := s.shorten(simpler, func() *Candidate { return best.Candidate }); err != nil {
		return err
	}
	for i := range best.Trains {
		for _, plain := range []func(t *Train) bool{
			func(t *Train) bool { ok := t.Client >= 0; t.Client = -1; return ok },
			func(t *Train) bool { ok := t.Key > 0; t.Key = 0; return ok },
			func(t *Train) bool { ok := t.Cost > 1; t.Cost = 1; return ok },
		} {
			if _, err := simpler(func(c *Candidate) bool { return i < len(c.Trains) && plain(&c.Trains[i]) }); err != nil {
				return err
			}
		}
		for _, grid := range []int64{s.window, s.window / 10, s.window / 100, s.window / 1000} {
			ok, err := simpler(func(c *Candidate) bool {
				if grid < 1 || i >= len(c.Trains) || c.Trains[i].At%grid == 0 {
					return false
				}
				c.Trains[i].At -= c.Trains[i].At % grid
				return true
			})
			if err != nil {
				return err
			}
			if ok {
				break
			}
		}
	}
	return nil
}

// shorten halves the faults from both ends for as long as the figure stays.
func (s *search) shorten(simpler func(func(*Candidate) bool) (bool, error), best func() *Candidate) error {
	for i := range best().Faults {
		for again := true; again; {
			again = false
			for _, late := range []int64{0, 1} {
				f := best().Faults[i]
				half := (f.Until - f.From) / 2
				ok, err := simpler(func(c *Candidate) bool {
					shorter, err := f.maker(f.From+late*half, f.Until-(1-late)*half)
					c.Faults[i] = shorter
					return err == nil && half > 0
				})
				if err != nil {
					return err
				}
				again = again || ok
			}
		}
	}
	return nil
}

// trainCount returns the requests of a train, or 0 if there is no such train.
func (c *Candidate) trainCount(i int) int64 {
	if i >= len(c.Trains) {
		return 0
	}
	return c.Trains[i].Count
}
