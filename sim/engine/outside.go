package engine

import (
	"context"
	"errors"

	"github.com/limitgauge/limitgauge/sim/outside"
)

// Outside runs the limiters of a job that are not part of this program, and keeps
// their first failure.
type Outside struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	maker  outside.Maker
	fleets []fleetOfRow
}

type fleetOfRow struct {
	outside.Fleet
	row string
}

// NewOutside returns the Outside of a job, and the context in which the job runs: it
// ends when a limiter fails. maker may be nil if no limiter needs it.
func NewOutside(ctx context.Context, maker outside.Maker) (*Outside, context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	return &Outside{ctx: ctx, cancel: cancel, maker: maker}, ctx
}

// Make makes the limiters of one trial.
func (o *Outside) Make(p outside.Program) (outside.Fleet, error) {
	if o == nil || o.maker == nil {
		return nil, &outside.Refused{Row: p.Row, Reason: "programs are not allowed"}
	}
	f, err := o.maker(o.ctx, p)
	if err != nil {
		return nil, failed(p.Row, err)
	}
	o.fleets = append(o.fleets, fleetOfRow{f, p.Row})
	return f, nil
}

// Fail ends the job because a limiter of a row has failed.
func (o *Outside) Fail(row string, err error) { o.cancel(failed(row, err)) }

// Failed reports whether a limiter has failed or the job was cancelled.
func (o *Outside) Failed() bool { return o.ctx.Err() != nil }

// Close ends all limiters. It returns the first failure of one, or else err.
func (o *Outside) Close(err error) error {
	for _, f := range o.fleets {
		if closed := f.Close(); closed != nil {
			o.Fail(f.row, closed)
		}
	}
	cause := context.Cause(o.ctx)
	o.cancel(nil)
	if cause != nil {
		return cause
	}
	return err
}

// failed returns err with the row's name, unless it has one.
func failed(row string, err error) error {
	if errors.As(err, new(*outside.Error)) || errors.As(err, new(*outside.Refused)) || errors.Is(err, context.Canceled) {
		return err
	}
	return &outside.Error{Row: row, Err: err}
}
