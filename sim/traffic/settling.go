package traffic

import "slices"

// estimate completes what is known of the costs on arrival, and the times until their
// answers. The estimate of a cost that is known on arrival is the cost.
func (l *source) estimate(w *rowValues, costs, estimates, answers []int64) {
	g := l.overrides
	recorded := g != nil && g.estimates
	switch {
	case recorded:
		copy(estimates, w.estimate)
	case l.estimated == nil:
		copy(estimates, costs)
	}
	if g != nil {
		ofRows(g.estimate, w.row, estimates)
	}
	l.answers.Fill(&l.answerDraws, costs, estimates, answers)
	if g == nil {
		return
	}
	if w.answer != nil {
		copy(answers, w.answer)
	}
	ofRows(g.answer, w.row, answers)
	if recorded {
		for i := range estimates {
			estimates[i] += g.estimatePlus
		}
	}
}

// settlesOwn reports whether costs of the entry become known with the answers.
func (s *entrySource) settlesOwn() bool {
	return s.estimated != nil || s.overrides != nil && (s.overrides.estimates || s.overrides.estimate != nil)
}

// settle notes in every entry whether costs of any become known with the answers.
func (b *builder) settle() {
	p := b.plan
	p.settles = slices.ContainsFunc(p.entrySources, (*entrySource).settlesOwn)
	for _, s := range p.entrySources {
		s.settles = p.settles || s.crew != nil // workers wait for answers
	}
}

// maxCost returns the largest cost of the entry's requests.
func (s *entrySource) maxCost() int64 {
	switch {
	case s.estimated != nil:
		cost := s.estimated.MaxCost()
		if s.overrides != nil {
			cost = max(cost, s.overrides.maxCost)
		}
		return cost
	case s.overrides == nil:
		return s.costs.Max()
	case s.overrides.allCosts:
		return s.overrides.maxCost
	}
	return max(s.overrides.maxCost, s.costs.Max())
}

// maxEstimate returns the largest estimate of these costs.
func (s *entrySource) maxEstimate() (estimate int64) {
	if !s.settlesOwn() {
		return s.maxCost()
	}
	switch {
	case s.estimated != nil:
		estimate = s.estimated.MaxEstimate()
	case !s.overrides.estimates: // of a list: some events have costs that are known
		estimate = s.maxCost()
	}
	if s.overrides != nil {
		estimate = max(estimate, s.overrides.maxEstimate)
	}
	return estimate
}

// largest holds the largest cost and the largest estimate of some requests.
type largest struct{ cost, estimate int64 }

func (l *largest) include(other largest) {
	l.cost, l.estimate = max(l.cost, other.cost), max(l.estimate, other.estimate)
}
