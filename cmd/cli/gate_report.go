package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// report judges a document and writes the verdicts, also if the run ended with an
// error: whoever reads a report must not see that of an earlier run. Without a
// document it holds only what went wrong. The exit code is that of the verdicts, or
// of an error that is neither an interruption nor a refusal of the baseline.
func (a *app) report(out *output, b *baselining, clock *terminal.Stopwatch, d *results.Document, ended error) error {
	interrupted := errors.Is(ended, context.Canceled)
	if interrupted {
		fmt.Fprintln(a.Err, "limitgauge: interrupted: these are the verdicts on what was finished")
		ended = nil
	}
	v := gate.Verdicts{Metrics: measure.Metrics()}
	if d != nil {
		var err error
		v, err = a.judge(b, d)
		ended = cmp.Or(ended, err)
	}
	v.Partial = v.Partial || interrupted
	v.Stopped, v.Took = stops(ended), clock.Took()
	if usage.Refused(ended) {
		fmt.Fprintf(a.Err, "limitgauge: %v\n", ended)
		ended = nil
	}
	if err := a.showVerdicts(out, cmp.Or(d, &results.Document{SchemaVersion: results.SchemaVersion}), v); err != nil || ended != nil {
		return errors.Join(ended, err)
	}
	return gateError(v.Outcome())
}

// stops returns the checks of a run that ended with an error.
func stops(err error) (list []gate.Verdict) {
	invalid, ok := errors.AsType[*sim.Invalid](err)
	switch {
	case err == nil:
	case ok:
		for _, p := range invalid.Problems {
			v := gate.Stop("scenario file", p.Text())
			if p.Path != "-" && !strings.HasPrefix(p.Path, "suite:") {
				v.File, v.Line, v.Col = p.Path, p.Pos.Line, p.Pos.Col
			}
			list = append(list, v)
		}
	case usage.Refused(err):
		list = []gate.Verdict{gate.Stop("baseline", err.Error())}
	default:
		list = []gate.Verdict{gate.Stop("run", err.Error())}
	}
	return list
}
