package attack

import (
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Goal is a figure that a search makes as bad as possible.
type Goal struct {
	Metric  catalog.Metric
	Bound   float64 // of theory, on the figure
	Bounded bool    // the search for this goal ends as soon as the figure is at Bound
}

// sign returns the factor that makes larger figures of the metric worse.
func (g *Goal) sign() float64 {
	if g.Metric.Better > 0 {
		return -1
	}
	return 1
}

// Worse reports whether a figure is worse for the limiter than another one.
func (g *Goal) Worse(figure, than float64) bool { return figure*g.sign() > than*g.sign() }

// score is the result of a candidate's trial for one goal.
type score struct {
	figure   float64 // of the metric, with the sign that makes larger ones worse
	admitted float64 // requests
	requests int64
	valid    bool   // the metric has a figure
	why      string // it has none
}

// worse reports whether s is worse for the limiter than o: a larger figure, or as
// large a one from fewer requests. Without any figure above 0, what admits more
// requests is worse, because it is nearer to one.
func (s score) worse(o score) bool {
	switch {
	case s.valid != o.valid:
		return s.valid
	case s.figure != o.figure:
		return s.figure > o.figure
	case s.figure == 0 && s.admitted != o.admitted:
		return s.admitted > o.admitted
	}
	return s.requests < o.requests
}

// scored is a candidate with its scores, one for each goal.
type scored struct {
	*Candidate
	scores []score
}

// population holds the worst candidates for one goal, the worst first.
type population []scored

// keep adds a candidate, unless one with the same score is there.
func (p *population) keep(goal int, c scored) {
	own := c.scores[goal]
	i := slices.IndexFunc(*p, func(o scored) bool { return !o.scores[goal].worse(own) })
	switch {
	case i >= 0 && !own.worse((*p)[i].scores[goal]):
		return
	case i < 0:
		i = len(*p)
	}
	*p = slices.Insert(*p, i, c)
	*p = (*p)[:min(len(*p), populationSize)]
}
