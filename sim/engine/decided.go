package engine

import "context"

// DecidedExecutor is the reference's own row: the cohort has asked it already, so
// its verdicts come with the arrivals.
type DecidedExecutor struct{ Sinks }

func (l *DecidedExecutor) Advance(_ context.Context, a *Arrivals) {
	l.record(a, a.Verdicts, a.Admitted, nil, a.Settled)
	l.end(a, a.Verdicts, a.Settled)
}

func (l *DecidedExecutor) Finish(_ context.Context, end int64, _ []Dispatch) { l.close(end) }
