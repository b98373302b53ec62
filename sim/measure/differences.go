package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var differenceMetrics = []catalog.Metric{
	{Name: "differing_verdicts", Unit: "requests", Better: -1, Formula: "attempts whose verdict is not that of the exact counter, beyond the tolerance",
		Doc: "Attempts that a limiter of one's own decides otherwise than the exact counter that `as` names, or rejects with a time to retry after that is before the counter's. After a difference each goes on from its own verdict."},
	{Name: "tolerated_verdicts", Unit: "requests", Better: -1, Formula: "attempts whose verdict is not that of the exact counter, within the tolerance",
		Doc: "Attempts that such a limiter decides otherwise within the `tolerance` of the instant at which the exact verdict changes, or within the time that its calls take."},
}

// Difference is an attempt that a limiter decided otherwise than an exact counter.
type Difference struct {
	At, Attempt, Cost int64
	Key, Client       int32
	Admitted          bool // by the limiter, or if Waits not by the counter
	Waits             bool // it still waits at the end of the run
	// EarlyNs is 0 if the verdicts differ. Otherwise it is the time by which the limiter
	// dispatches the request, or says to retry, before the counter does.
	EarlyNs int64
}

// Differences counts the verdicts of a limiter that are not those of an exact
// counter. First is that of the earliest attempt, also of the warm-up.
type Differences struct {
	cfg                *Config
	compared           bool
	differs, tolerated int64
	First              *Difference
}

func newDifferences(r *Recorder) Reporter {
	r.differences = &Differences{cfg: &r.cfg}
	return r.differences
}

// Differences returns the meter of verdicts that an exact counter would not give.
func (r *Recorder) Differences() *Differences { return r.differences }

// Compared notes that verdicts are compared.
func (d *Differences) Compared() { d.compared = true }

// Tolerated notes a difference at a time that the tolerance covers.
func (d *Differences) Tolerated(at int64) {
	if d.cfg.measures(at) {
		d.tolerated++
	}
}

// Differs notes another difference. Calls that wait are compared after later ones.
func (d *Differences) Differs(x Difference) {
	if d.First == nil || x.Attempt < d.First.Attempt {
		d.First = &x
	}
	if d.cfg.measures(x.At) {
		d.differs++
	}
}

// Fewer reports whether fewer verdicts differ than in another comparison of the same.
func (d *Differences) Fewer(than *Differences) bool {
	none, noneThere := d.First == nil, than.First == nil
	return none && !noneThere || none == noneThere && (d.differs < than.differs || d.differs == than.differs && d.tolerated < than.tolerated)
}

// Tolerates adds those that another comparison of the same has and d has not.
func (d *Differences) Tolerates(more *Differences) {
	d.tolerated = more.differs + more.tolerated - d.differs
}

func (d *Differences) Figures(emit Emit) string {
	if !d.compared {
		return "no exact counter to compare with"
	}
	emit.count("differing_verdicts", d.differs)
	emit.count("tolerated_verdicts", d.tolerated)
	return ""
}
