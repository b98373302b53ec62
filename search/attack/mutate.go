package attack

import (
	"slices"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
)

// mutator changes candidates at random.
type mutator struct {
	space
	draw random.Stream
}

func (m *mutator) below(n int64) int64 { return int64(m.draw.Below(uint64(n))) }

func one[T any](m *mutator, of ...T) T { return of[m.below(int64(len(of)))] }

// child returns a copy of a candidate with one to three changes, or nil if they
// leave nothing.
func (m *mutator) child(of *Candidate) *Candidate {
	c := of.clone()
	for range 1 + m.below(3) {
		m.change(c)
		if !m.fit(c) {
			return nil
		}
	}
	return c
}

// change makes one change.
func (m *mutator) change(c *Candidate) {
	kinds := []func(*Candidate, int){m.move, m.move, m.move, m.resize, m.resize, m.respace, m.repeat, m.echo, m.split, m.drop}
	if m.may.Clients && m.clients > 1 {
		kinds = append(kinds, m.send, m.send)
	}
	if m.may.Keys && m.keys > 1 {
		kinds = append(kinds, m.rekey)
	}
	if m.may.Costs {
		kinds = append(kinds, m.recost, m.recost)
	}
	if m.may.Phases {
		kinds = append(kinds, m.phase)
	}
	if len(m.faults) > 0 {
		kinds = append(kinds, m.fault, m.fault)
	}
	one(m, kinds...)(c, int(m.below(int64(len(c.Trains)))))
}

// instant returns a time: near a boundary, on a grid, beside a train or anywhere.
func (m *mutator) instant(c *Candidate) int64 {
	beside := one(m, int64(-1), 0, 1)
	switch m.below(5) {
	case 4:
		return one(m, m.roundTimes()...) + beside
	case 0:
		return m.below(m.end/m.window+1)*m.window + beside
	case 1:
		return m.below(m.end/m.window*16+1)*(m.window/16) + beside
	case 2:
		t := one(m, c.Trains...)
		return one(m, t.At, t.last()) + beside + one(m, int64(0), m.window, -m.window)
	}
	return m.below(m.end)
}

func (m *mutator) move(c *Candidate, i int) {
	t := &c.Trains[i]
	if m.below(2) == 0 {
		t.At = m.instant(c)
		return
	}
	t.At += one(m, int64(-1), 1) * m.part()
}

// part returns a part of the window: all of it, half of it, or less, each as likely.
func (m *mutator) part() int64 { return m.window >> m.below(31) }

func (m *mutator) resize(c *Candidate, i int) {
	t := &c.Trains[i]
	t.Count = max(1, one(m, t.Count*2, t.Count/2, t.Count+1, t.Count-1, m.count, m.burst, 1, m.most, 1+m.below(m.most)))
}

func (m *mutator) respace(c *Candidate, i int) {
	t := &c.Trains[i]
	t.Gap = one(m, 0, m.gap(), m.gap()/2+1, 2*m.gap(), t.Gap*2, t.Gap/2, t.Gap+1, m.below(m.window), m.part())
}

func (m *mutator) repeat(c *Candidate, i int) {
	t := c.Trains[i]
	t.At = m.instant(c)
	c.Trains = append(c.Trains, t)
}

// echo repeats a train after equal times, up to the end of the run or 32 times.
func (m *mutator) echo(c *Candidate, i int) {
	t := c.Trains[i]
	every := one(m, m.window, 2*m.window, m.window/2, m.window/10, 1+m.below(m.end))
	for range 32 {
		if t.At += max(1, every); t.At >= m.end {
			return
		}
		c.Trains = append(c.Trains, t)
	}
}

func (m *mutator) split(c *Candidate, i int) {
	t := c.Trains[i]
	if t.Count < 2 {
		return
	}
	first := 1 + m.below(t.Count-1)
	c.Trains[i].Count = first
	t.Count, t.At = t.Count-first, t.At+first*t.Gap
	if m.below(2) == 0 {
		t.At = m.instant(c)
	}
	c.Trains = append(c.Trains, t)
}

func (m *mutator) drop(c *Candidate, i int) {
	if len(c.Trains) > 1 {
		c.Trains = slices.Delete(c.Trains, i, i+1)
	}
}

func (m *mutator) send(c *Candidate, i int) {
	c.Trains[i].Client = int(m.below(int64(m.clients)+1)) - 1
}

func (m *mutator) rekey(c *Candidate, i int) { c.Trains[i].Key = int(m.below(int64(m.keys))) }

func (m *mutator) recost(c *Candidate, i int) {
	most := max(m.count, m.burst)
	c.Trains[i].Cost = min(most, max(1, one(m, 1, 2, c.Trains[i].Cost*2, c.Trains[i].Cost/2, m.burst, m.count, 1+m.below(most))))
}

func (m *mutator) phase(c *Candidate, _ int) {
	if len(m.phases) > 0 && m.below(2) == 0 {
		c.Phase = one(m, m.phases...)
		return
	}
	c.Seed = 1 + uint64(m.below(1_000_000))
}

// fault adds a fault, replaces one or drops one. A candidate has at most two.
func (m *mutator) fault(c *Candidate, _ int) {
	if n := int64(len(c.Faults)); n > 0 && (n == 2 || m.below(2) == 0) {
		i := int(m.below(n))
		c.Faults = slices.Delete(c.Faults, i, i+1)
		if m.below(2) == 0 {
			return
		}
	}
	from := min(max(m.instant(c), 0), m.end-2)
	to := min(m.end, max(from+1, one(m, m.end, m.instant(c), from+m.window, from+m.window/10)))
	if f, err := one(m, m.faults...)(from, to); err == nil {
		c.Faults = append(c.Faults, f)
	}
}

// outages returns a burst in the middle of each fault that the scenario has, and
// under each fault that the search may choose, for the whole time.
func (s *space) outages(has []scenarios.Fault) []*Candidate {
	p := &starts{space: s}
	for _, f := range has {
		p.add("burst during a fault", burst(f.From+(f.To-f.From)/2, s.most))
	}
	for _, maker := range s.faults {
		if f, err := maker(0, s.end); err == nil {
			p.addCandidate(&Candidate{Trains: []Train{burst(s.window/2, s.most)}, Faults: []Fault{f}, Seed: s.seed, from: "burst during an outage"})
		}
	}
	return p.list
}
