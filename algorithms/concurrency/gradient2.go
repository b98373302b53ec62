package concurrency

// Gradient2 compares each answer with a long average of the times of answers. It does not
// look at drops. Source: Gradient2Limit of Netflix/concurrency-limits.
type Gradient2 struct {
	limit, min, max float64
	long            float64 // ns
	sum             float64 // ns, of the first answers
	answers         int     // up to firstAnswers
}

const (
	firstAnswers = 10 // whose plain mean begins the average
	longAnswers  = 600
	smoothing    = 0.2
	allowedQueue = 4 // requests
)

// NewGradient2 returns the law. Its source has 20 at first, in [20, 200].
func NewGradient2(r Range) *Gradient2 {
	return &Gradient2{limit: float64(r.Initial), min: float64(r.Min), max: float64(r.Max)}
}

// Limit implements Law.
func (g *Gradient2) Limit() int64 { return int64(g.limit) }

// Answer implements Law.
func (g *Gradient2) Answer(s Sample) {
	rtt := s.rtt()
	g.average(rtt)
	long := g.long
	if float64(long/rtt) > 2 {
		g.long *= 0.95
	}
	if float64(s.InFlight) < float64(g.limit/2) {
		return
	}
	gradient := max(0.5, min(1, float64(float64(1.5*long)/rtt)))
	limit := float64(g.limit*gradient) + allowedQueue
	limit = float64(g.limit*(1-smoothing)) + float64(limit*smoothing)
	g.limit = max(g.min, min(g.max, limit))
}

// average adds an answer to the long average.
func (g *Gradient2) average(rtt float64) {
	if g.answers < firstAnswers {
		g.answers++
		g.sum += rtt
		g.long = g.sum / float64(g.answers)
		return
	}
	weight := 2.0 / (longAnswers + 1)
	g.long = float64(g.long*float64(1-weight)) + float64(rtt*weight)
}
