package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var queueMetrics = []catalog.Metric{
	{Name: "waiting_mean", Unit: "requests", Full: true, Better: -1, Formula: "integral of the number waiting over the span / T",
		Doc: "Number of requests that wait in the limiter, averaged over time."},
	{Name: "waiting_max", Unit: "requests", Full: true, Better: -1, Formula: "max number waiting at once",
		Doc: "Largest number of requests that wait in the limiter at once."},
}

// queueMeter measures the number of requests that wait in the limiter. It has
// no figures if all requests are decided on arrival.
type queueMeter struct{ level occupancy }

func newQueueMeter(r *Recorder) Reporter {
	r.queue = &queueMeter{newOccupancy(&r.cfg)}
	return r.queue
}

func (m *queueMeter) Immediate(*Immediate) {}

func (m *queueMeter) Outcomes([]Outcome) { m.level.known = true }

func (m *queueMeter) close(end int64) { m.level.close(end) }

func (m *queueMeter) Figures(emit Emit) string {
	if !m.level.known {
		return "no queue: decides at arrival"
	}
	return m.level.figures("waiting", emit)
}
