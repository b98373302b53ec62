// Package measure turns what happened in a trial into figures. It sees two
// time-ordered streams, flows and outcomes, and never influences the run.
package measure

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Flow is a block of the cost stream in time order, as columns. A row is what
// happened to one key at one instant: cost that arrived (Offered), cost that
// was let through (Admitted), cost that was refused (Rejected), and cost that
// the reference let through (Reference). Where a verdict is immediate the four
// share the attempt's row; where callers wait, arrivals and dispatches are
// rows of their own. Columns have equal length and are only valid during the
// call.
//
// Rejected may be nil: what is not let through is then refused, row by row, and
// nothing waits.
//
// Where requests carry descriptors, a row is what happened to a request, and
// with it to each of its keys: those of row i are Keys[First[i]:First[i+1]].
type Flow struct {
	Time      []int64
	Key       []int32
	Tenant    []int32
	Client    []int32
	Offered   []int64
	Admitted  []int64
	Rejected  []int64
	Reference []int64

	First []int32 // nil: a row's key is Key
	Keys  []int32

	Sum    Sums // of the four costs, if Summed; meters always find it
	Summed bool
}

// Sums are what the costs of a block add up to.
type Sums struct{ Offered, Admitted, Rejected, Reference int64 }

// Immediate is a block of attempts, in time order, whose verdicts all fell at
// arrival, as columns of equal length, and what they add up to.
type Immediate struct {
	Time    []int64
	Cost    []int64
	Verdict []counter.Verdict
	Settled
}

// Outcome is how one attempt ended.
type Outcome struct {
	Attempt    int64 // index of the attempt in the trial's arrivals, from 0
	Fresh      int64 // that of the fresh request, among fresh requests
	Try        int32 // 0: a fresh request; a retry of it counts from 1
	Arrival    int64 // ns
	Decided    int64 // ns; the instant the caller knows
	Dispatched int64 // ns; the instant the request is let through; Decided where rejected
	Waited     int64 // ns that it waited inside the limiter; time on the network does not count
	Key        int32
	Tenant     int32
	Client     int32
	Cost       int64
	Verdict    counter.Verdict
	TimedOut   bool // its remote call timed out
	Waiting    bool // still undecided when the trial ended; the verdict is void
}

// Reporter reports named figures once the trial has ended.
type Reporter interface {
	Figures(emit Emit)
}

// Meter measures one thing in the flow stream. Rows outside the measured span
// are not shown to Flow: they are cut by their own time.
type Meter interface {
	Reporter
	// Flow consumes a block of the flow stream.
	Flow(f *Flow)
}

// EarlyMeter is a Meter that looks back before the measured span: to know what
// is waiting when it begins, or because a sliding window reaches there.
type EarlyMeter interface {
	Meter
	// Early consumes rows before the span.
	Early(f *Flow)
}

// OutcomeMeter measures how attempts ended. It is shown the attempts that
// arrived in the measured span, each exactly once.
type OutcomeMeter interface {
	Reporter
	// Immediate consumes a block whose verdicts all fell at arrival.
	Immediate(b *Immediate)
	// Outcomes consumes attempts whose verdicts may have come later, in the
	// order of their ends.
	Outcomes(block []Outcome)
}

// closer is a meter with something left to do when the span ends, at end.
type closer interface {
	close(end int64)
}

// Emit receives a figure by its registered name.
type Emit func(name string, value Value)

// none emits the reason why there is no figure of any of these metrics.
func (emit Emit) none(reason string, metrics []catalog.Metric) {
	for _, m := range metrics {
		emit(m.Name, NoData(reason))
	}
}

// ratio emits factor*num/den, or the reason why there is no figure where den is
// 0.
func (emit Emit) ratio(name string, factor, num, den int64, reason string) {
	if den == 0 {
		emit(name, NoData(reason))
		return
	}
	emit(name, Number(ratio(factor, num, den)))
}

// Value is a figure of one replication: a number, or the reason there is none.
type Value struct {
	X      float64
	NoData string // non-empty: there is no figure, and why
}

// Number is a Value that holds x.
func Number(x float64) Value { return Value{X: x} }

// NoData is a Value that says why there is no figure.
func NoData(reason string) Value { return Value{NoData: reason} }
