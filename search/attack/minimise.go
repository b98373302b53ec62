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

// minimiser simplifies the worst candidate. After an error it changes nothing more.
type minimiser struct {
	*search
	ctx context.Context
	err error
}

// simpler keeps a changed copy of the worst candidate in its place if its figure is as
// bad, and reports whether it did. It ends when the budget is used up.
func (m *minimiser) simpler(change func(c *Candidate) bool) bool {
	best := m.best()
	c := best.clone()
	if m.err != nil || m.due >= m.Budget || m.due-m.from >= m.part || !change(c) || !m.fit(c) {
		return false
	}
	var scores [][]score
	if scores, m.err = m.simulate(m.ctx, []*Candidate{c}); m.err != nil {
		return false
	}
	for goal := range m.worst {
		if goal != m.goal {
			m.keep(goal, scored{c, scores[0]})
		}
	}
	if !scores[0][m.goal].valid || scores[0][m.goal].figure < best.scores[m.goal].figure {
		return false
	}
	*best = scored{c, scores[0]}
	return true
}

// removeTrains removes the trains that the figure of the worst candidate does not need.
func (m *minimiser) removeTrains() (changed bool) {
	for i := len(m.best().Trains) - 1; i >= 0; i-- {
		changed = m.simpler(func(c *Candidate) bool {
			if i >= len(c.Trains) {
				return false // removing another one has joined two bursts
			}
			c.Trains = slices.Delete(c.Trains, i, i+1)
			return true
		}) || changed
	}
	return changed
}

// removeRequests halves the trains of the worst candidate for as long as the figure
// stays, and then removes ever fewer of their requests.
func (m *minimiser) removeRequests() (changed bool) {
	for i := len(m.best().Trains) - 1; i >= 0; i-- {
		for cut := m.best().trainCount(i) / 2; cut > 0; {
			fewer := m.simpler(func(c *Candidate) bool {
				if c.trainCount(i) <= cut {
					return false
				}
				c.Trains[i].Count -= cut
				return true
			})
			changed = changed || fewer
			if !fewer || m.best().trainCount(i) <= cut {
				cut /= 2
			}
		}
	}
	return changed
}

// removeFaults removes the faults that the figure of the worst candidate does not need.
func (m *minimiser) removeFaults() (changed bool) {
	for i := len(m.best().Faults) - 1; i >= 0; i-- {
		changed = m.simpler(func(c *Candidate) bool { c.Faults = slices.Delete(c.Faults, i, i+1); return true }) || changed
	}
	return changed
}

// minimise removes what the figure of the worst candidate does not need: faults,
// trains, requests, and choices of clients and keys. Then it rounds times. It ends
// when nothing is left to remove, or when the budget is used up. Reaching the bound
// does not end it.
func (m *minimiser) minimise() {
	for again := true; again; {
		again = m.removeFaults()
		again = m.removeTrains() || again
		again = m.removeRequests() || again
	}
	m.shorten()
	for i := range m.best().Trains {
		for _, plain := range []func(t *Train) bool{
			func(t *Train) bool { ok := t.Client >= 0; t.Client = -1; return ok },
			func(t *Train) bool { ok := t.Key > 0; t.Key = 0; return ok },
			func(t *Train) bool { ok := t.Cost > 1; t.Cost = 1; return ok },
		} {
			m.simpler(func(c *Candidate) bool { return i < len(c.Trains) && plain(&c.Trains[i]) })
		}
		for _, grid := range []int64{m.window, m.window / 10, m.window / 100, m.window / 1000} {
			if m.simpler(func(c *Candidate) bool {
				if grid < 1 || i >= len(c.Trains) || c.Trains[i].At%grid == 0 {
					return false
				}
				c.Trains[i].At -= c.Trains[i].At % grid
				return true
			}) {
				break
			}
		}
	}
}

// shorten halves the faults from both ends for as long as the figure stays.
func (m *minimiser) shorten() {
	for i := range m.best().Faults {
		for again := true; again; {
			again = false
			for _, late := range []int64{0, 1} {
				f := m.best().Faults[i]
				half := (f.Until - f.From) / 2
				again = m.simpler(func(c *Candidate) bool {
					shorter, err := f.maker(f.From+late*half, f.Until-(1-late)*half)
					c.Faults[i] = shorter
					return err == nil && half > 0
				}) || again
			}
		}
	}
}

// trainCount returns the requests of a train, or 0 if there is no such train.
func (c *Candidate) trainCount(i int) int64 {
	if i >= len(c.Trains) {
		return 0
	}
	return c.Trains[i].Count
}
