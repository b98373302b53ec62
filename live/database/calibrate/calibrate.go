package calibrate

import (
	"context"
	"errors"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/live/database/hotrow"
	"github.com/limitgauge/limitgauge/live/database/postgres"
)

// Result is the outcome of a calibration.
type Result struct {
	Server  string // its version and settings that matter
	Times   []Time
	Probes  []Spread // measured
	Fitted  []Point  // the same loads, simulated with Model
	Model   Model
	Flushes bool // commits flush the log to disk
}

// loads are the loads that the model is fitted to.
func loads() (all []Load) {
	for _, isolation := range []string{"serializable", "read committed"} {
		for _, callers := range []int{1, 2, 5, 16, 28} {
			all = append(all, Load{callers, isolation})
		}
	}
	return all
}

// Run measures a server in a scratch schema, which it removes, and fits the model.
func Run(ctx context.Context, server *postgres.Server, o Options) (r Result, err error) {
	scratch, err := server.NewScratch(ctx)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, scratch.Drop()) }()
	if r.Server, err = scratch.Value(ctx, "show server_version"); err != nil {
		return r, err
	}
	flush, err := scratch.Value(ctx, "select current_setting('fsync') = 'on' and current_setting('synchronous_commit') <> 'off'")
	if err != nil {
		return r, err
	}
	r.Flushes = flush == "true"
	if err := install(ctx, scratch); err != nil {
		return r, err
	}
	sessions := hotrow.NewSessions(scratch)
	defer sessions.Close()
	o.Progress("measuring callers that do not meet")
	times, err := measureBasic(ctx, sessions, o.Processors, o)
	if err != nil {
		return r, err
	}
	r.Times = times.all()
	o.Progress("measuring callers of one row")
	if r.Probes, err = pointsOf(ctx, sessions, loads(), o); err != nil {
		return r, err
	}
	measured := lists.Map(r.Probes, func(p Spread) Point { return p.Point })
	o.Progress("fitting the model")
	r.Model, r.Fitted, err = fitBoth(ctx, times.model(o.Processors), measured)
	return r, err
}
