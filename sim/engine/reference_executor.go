package engine

import "context"

// ReferenceExecutor records the row of the reference itself. Its verdicts come
// with the arrivals.
type ReferenceExecutor struct{ Sinks }

func (l *ReferenceExecutor) Advance(_ context.Context, a *Arrivals) {
	l.record(a, a.Verdicts, a.Admitted, nil, a.Settled)
	l.end(a, a.Verdicts, a.Settled)
}

func (l *ReferenceExecutor) Finish(_ context.Context, end int64, _ []Dispatch) { l.close(end) }
