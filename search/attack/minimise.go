package attack

import (
	"context"
	"slices"
)

// refine moves the trains of the worst candidate by ever smaller steps, one after
// the other, until none of them makes it worse or four fifths of the budget are
// used.
func (s *search) refine(ctx context.Context) error {
	for changed := true; changed && !s.usedUp(0.8); {
		changed = false
		for i := 0; i < len(s.best().Trains) && !s.usedUp(0.8); i++ {
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
			vary(func(t *Train) { t.Count *= 2 })
			for batch := range slices.Chunk(near, batchSize) {
				if s.usedUp(0.8) {
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

// simpler keeps a changed copy of the worst candidate in its place if its figure is as
// bad, and reports whether it did. It ends when the budget is used up.
func (s *search) simpler(ctx context.Context, change func(c *Candidate) bool) (bool, error) {
	best := s.best()
	c := best.clone()
	if s.due >= s.Budget || s.due-s.from >= s.part || !change(c) || !s.fit(c) {
		return false, nil
	}
	scores, err := s.simulate(ctx, []*Candidate{c})
	for goal := range s.worst {
		if err == nil && goal != s.goal {
			s.keep(goal, scored{c, scores[0]})
		}
	}
	if err != nil || !scores[0][s.goal].valid || scores[0][s.goal].figure < best.scores[s.goal].figure {
		return false, err
	}
	*best = scored{c, scores[0]}
	return true, nil
}

// removeTrains removes the trains that the figure of the worst candidate does not need.
func (s *search) removeTrains(ctx context.Context) (changed bool, err error) {
	for i := len(s.best().Trains) - 1; i >= 0; i-- {
		ok, err := s.simpler(ctx, func(c *Candidate) bool {
			if i >= len(c.Trains) {
				return false // removing another one has joined two bursts
			}
			c.Trains = slices.Delete(c.Trains, i, i+1)
			return true
		})
		if err != nil {
			return changed, err
		}
		changed = changed || ok
	}
	return changed, nil
}

// removeRequests halves the trains of the worst candidate for as long as the figure
// stays, and then removes ever fewer of their requests.
func (s *search) removeRequests(ctx context.Context) (changed bool, err error) {
	for i := len(s.best().Trains) - 1; i >= 0; i-- {
		for cut := s.best().trainCount(i) / 2; cut > 0; {
			fewer, err := s.simpler(ctx, func(c *Candidate) bool {
				if c.trainCount(i) <= cut {
					return false
				}
				c.Trains[i].Count -= cut
				return true
			})
			if err != nil {
				return changed, err
			}
			changed = changed || fewer
			if !fewer || s.best().trainCount(i) <= cut {
				cut /= 2
			}
		}
	}
	return changed, nil
}

// removeFaults removes the faults that the figure of the worst candidate does not need.
func (s *search) removeFaults(ctx context.Context) (changed bool, err error) {
	for i := len(s.best().Faults) - 1; i >= 0; i-- {
		ok, err := s.simpler(ctx, func(c *Candidate) bool { c.Faults = slices.Delete(c.Faults, i, i+1); return true })
		if err != nil {
			return changed, err
		}
		changed = changed || ok
	}
	return changed, nil
}

// minimise removes what the figure of the worst candidate does not need: faults,
// trains, requests, and choices of clients and keys. Then it rounds times. It ends
// when nothing is left to remove, or when the budget is used up. Reaching the bound
// does not end it.
func (s *search) minimise(ctx context.Context) error {
	for again := true; again; {
		again = false
		for _, remove := range []func(context.Context) (bool, error){s.removeFaults, s.removeTrains, s.removeRequests} {
			changed, err := remove(ctx)
			if err != nil {
				return err
			}
			again = again || changed
		}
	}
	best := s.best()
	simpler := func(change func(c *Candidate) bool) (bool, error) { return s.simpler(ctx, change) }
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
