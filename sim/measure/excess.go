package measure

import (
	"cmp"
	"fmt"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var excessMetrics = []catalog.Metric{
	{Name: "goodput_lost_pct", Answers: true, Unit: "%", Better: -1, Least: -100, Most: 100, Formula: "100 * (good_answers of best-fixed - good_answers) / offered_requests",
		Doc: "Good answers that the best fixed limit on concurrency gives and this row does not, of all requests: the sum of refused_excess_pct and late_excess_pct. It is below 0 if the row is better. Without data where callers retry or wait, so that rows have other requests."},
	{Name: "refused_excess_pct", Answers: true, Unit: "%", Better: -1, Least: -100, Most: 100, Formula: "100 * (rejected_requests - those of best-fixed) / offered_requests",
		Doc: "Requests refused for nothing: how many more the row refuses than the best fixed limit on concurrency."},
	{Name: "late_excess_pct", Answers: true, Unit: "%", Better: -1, Least: -100, Most: 100, Formula: "100 * (late_answers + failed_answers - those of best-fixed) / offered_requests",
		Doc: "How many more answers are late, or errors, than with the best fixed limit on concurrency."},
	{Name: "recover_s", Answers: true, Unit: "s", Better: -1, Formula: "largest time from the end of a slow period, a step of a rate (patterns step and spike), or the start or end of an entry, to five whole seconds with 90 % of best-fixed's good answers in each",
		Doc: "How long the row takes to do as well as the best fixed limit again. Answers count in the second in which their requests arrived."},
}

// excessMeter holds the place of figures that need another row. [Against] returns them.
type excessMeter struct{ cfg *Config }

func newExcessMeter(r *Recorder) Reporter {
	if r.cfg.Deadline == 0 {
		return nil
	}
	return excessMeter{&r.cfg}
}

func (m excessMeter) Figures(Emit) string {
	return cmp.Or(m.cfg.tooFineFor(m.cfg.Deadline), m.cfg.NoBest, "the best fixed limit is not known: the run was ended early, or workers do not get on under one")
}

// Against returns the figures of a trial whose answers are a, by their names, relative to
// best, those of the best fixed limit under the same traffic. recoveries are instants in ns
// after which the trial may have to recover, and start and end are the span. others states
// that the rows have other requests than each other, because callers retry or wait.
func Against(a, best Answers, others bool, recoveries []int64, start, end int64) map[string]Value {
	figures := map[string]Value{}
	emit := Emit(func(name string, v Value) { figures[name] = v })
	lost := func(name string, n int64) {
		switch {
		case others:
			emit(name, NoData("callers retry, or wait for answers, so that rows have other requests"))
		case a.Requests == 0:
			emit(name, NoData(noTraffic))
		default:
			emit.ratio(name, 100, n, a.Requests)
		}
	}
	lost("goodput_lost_pct", best.Good-a.Good)
	lost("refused_excess_pct", a.Refused-best.Refused)
	lost("late_excess_pct", a.Late+a.Failed-best.Late-best.Failed)
	emit("recover_s", recovery(a, best, recoveries, start, end))
	return figures
}

// recovered is the number of whole seconds in a row in which a trial must do well.
const recovered = 5

func recovery(a, best Answers, recoveries []int64, start, end int64) Value {
	switch {
	case len(recoveries) == 0:
		return NoData("no slow period ends, no rate steps or spikes, and no entry starts or ends in the span")
	case a.Seconds == nil || best.Seconds == nil:
		return NoData(fmt.Sprintf("the span is longer than %s", format.Span(maxSeconds*second)))
	}
	longest, last := int64(-1), (end-start)/second // whole seconds end at last
	for _, from := range recoveries {
		first := (from - start + second - 1) / second
		if last-first < recovered {
			continue // nobody could recover, best-fixed neither
		}
		well, i := 0, first
		for ; i < last && well < recovered; i++ {
			if well++; 10*int64(a.Seconds[i]) < 9*int64(best.Seconds[i]) {
				well = 0
			}
		}
		if well < recovered {
			v := Number(ratio(1, max(longest, end-from), second))
			v.Longer = true
			return v
		}
		longest = max(longest, start+(i-recovered)*second-from)
	}
	if longest < 0 {
		return NoData("fewer than five whole seconds of the span follow what a row has to recover from")
	}
	return Number(ratio(1, longest, second))
}
