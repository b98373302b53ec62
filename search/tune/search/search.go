package search

import (
	"cmp"
	"context"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// search is the state of a search.
type search struct {
	Options
	problem Problem
	known   map[int]*Candidate
	seen    []*Candidate // in the order in which the search saw them
	noise   *noise
	found   Found
	part    bool // of the candidates: one that is hopeless is then not held to the promise
}

func newSearch(p Problem, o Options) *search {
	o.Look, o.Scenarios, o.Progress = cmp.Or(o.Look, 4096), cmp.Or(o.Scenarios, 1), cmp.Or(o.Progress, &Progress{})
	if o.Same == nil {
		o.Same = func(candidate int) int { return candidate }
	}
	s := &search{Options: o, problem: p, known: map[int]*Candidate{}}
	for i := range s.size() {
		if s.Same(i) == i {
			s.found.Work.Candidates++
		}
	}
	s.count()
	s.Budget = cmp.Or(s.Budget, max(int64(share*float64(s.found.Work.Full)), leastSeeds*int64(o.Replications*o.Scenarios)))
	o.Progress.Budget.Store(s.Budget)
	return s
}

// size returns the number of candidates.
func (o *Options) size() int {
	n := o.Families
	for _, values := range o.Axes {
		n *= values
	}
	return n
}

// count sets the work of a sweep and of the full grid. One replication of a
// deterministic candidate in each scenario tells all.
func (s *search) count() {
	w := &s.found.Work
	exact := lists.Count(s.seen, func(c *Candidate) bool { return c.Exact })
	random := int64(w.Candidates-exact) * int64(s.Replications)
	n := int64(s.Scenarios)
	w.Sweep, w.Full = n*(random+int64(exact)), n*(FullSeeds*random+int64(exact))
}

// try runs trials within the budget.
func (s *search) try(ctx context.Context, trials []Trial) ([]Outcome, error) {
	searched, fresh := int64(0), int64(0)
	for _, t := range trials {
		switch {
		case t.Replication != Whole:
			searched++
		case s.known[t.Candidate].Exact:
			fresh++
		default:
			fresh += int64(s.Replications)
		}
	}
	searched, fresh = searched*int64(s.Scenarios), fresh*int64(s.Scenarios)
	w := &s.found.Work
	if w.Used()+searched+fresh > s.Budget {
		return nil, errUsedUp
	}
	outcomes, err := s.problem.Try(ctx, trials)
	if err != nil {
		return nil, err
	}
	w.Searched, w.Fresh = w.Searched+searched, w.Fresh+fresh
	s.Progress.Used.Store(w.Used())
	return outcomes, nil
}

// see gives candidates their first replication, unless they have it.
func (s *search) see(ctx context.Context, numbers []int) error {
	var list []*Candidate
	for _, number := range numbers {
		number = s.Same(number)
		if s.known[number] == nil {
			c := &Candidate{Number: number, Promises: s.problem.Promises(number)}
			s.known[number] = c
			list = append(list, c)
		}
	}
	if err := s.raise(ctx, list, 1); err != nil {
		return err
	}
	s.seen = append(s.seen, list...)
	return nil
}

// raise gives candidates further replications, up to n each.
func (s *search) raise(ctx context.Context, list []*Candidate, n int) error {
	var trials []Trial
	for _, c := range list {
		if c.NoData != "" || c.Exact {
			continue
		}
		for r := len(c.Costs); r < n; r++ {
			trials = append(trials, Trial{Candidate: c.Number, Replication: r})
		}
	}
	if len(trials) == 0 {
		return nil
	}
	outcomes, err := s.try(ctx, trials)
	if err != nil {
		return err
	}
	for i, t := range trials {
		s.known[t.Candidate].add(outcomes[i])
	}
	return nil
}

// rounds is the number of replications up to which the search raises candidates before
// fresh seeds decide.
func (s *search) rounds() int { return min(max(s.Replications, 8), 32) }

// race gives ever fewer candidates ever more replications: each round doubles them for
// those that can still be the answer. A round runs at most as many replications as there
// are candidates, those of the cheapest.
func (s *search) race(ctx context.Context) error {
	if err := s.raise(ctx, s.pilot(), 2); err != nil {
		return err
	}
	s.noise = newNoise(s.seen, s.Replications)
	for n := 2; n <= s.rounds(); n *= 2 {
		list := s.contenders()
		list = list[:min(len(list), max(16, len(s.seen)/n))]
		if err := s.raise(ctx, list, n); err != nil {
			return err
		}
		s.noise = newNoise(s.seen, s.Replications)
	}
	return nil
}

// pilot returns candidates whose second replication tells the noise: the cheapest that
// seem to keep the promise, and those that seem to break it least.
func (s *search) pilot() []*Candidate {
	var keep, broken []*Candidate
	margin := map[int]float64{}
	for _, c := range s.seen {
		if c.NoData != "" {
			continue
		}
		if margin[c.Number] = c.relative(c.Tightest()); margin[c.Number] >= 0 {
			keep = append(keep, c)
		} else {
			broken = append(broken, c)
		}
	}
	byCost(keep)
	byCost(broken)
	slices.SortStableFunc(broken, func(c, d *Candidate) int { return cmp.Compare(margin[d.Number], margin[c.Number]) })
	each := max(8, len(s.seen)/16)
	return slices.Concat(keep[:min(each, len(keep))], broken[:min(each, len(broken))])
}

// contenders returns the candidates that can be the answer, from the cheapest: those that
// are neither hopeless nor rejected, nor surely dearer than one that surely keeps the
// promise.
func (s *search) contenders() []*Candidate {
	sure := s.cheapestSure()
	list := lists.Where(s.seen, func(c *Candidate) bool { return c.Verdict != Rejected && !s.noise.hopeless(c) && !s.tooDear(c, sure) })
	byCost(list)
	return list
}

// cheapestSure returns the cheapest candidate that surely keeps the promise, nil if there
// is none.
func (s *search) cheapestSure() (sure *Candidate) {
	for _, c := range s.seen {
		if c.Verdict != Rejected && s.noise.sure(c) && (sure == nil || c.Cost() < sure.Cost()) {
			sure = c
		}
	}
	return sure
}

// tooDear reports whether a candidate surely costs more than one that surely keeps the
// promise, which can be nil.
func (s *search) tooDear(c, sure *Candidate) bool {
	return sure != nil && s.leastDearer(c, sure) > alike
}
