package gauge

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// host makes the limiters of rows for the simulator.
type host struct {
	t       *testing.T // nil outside of a test
	rows    map[string]*Row
	presets []catalog.Preset // the rows as declarations that a scenario file can name

	mu     sync.Mutex
	probes map[probeKey]*probe
}

// probeKey is what a probe depends on.
type probeKey struct {
	row   string
	limit counting.Limit
}

// probe is the result of a probe.
type probe struct {
	once   sync.Once
	nature nature
	err    error
}

// newHost returns the host of rows, or an error if a row cannot run, if two have the
// same name or if a name is taken.
func newHost(t *testing.T, rows []Row) (*host, error) {
	h := &host{t: t, rows: map[string]*Row{}, probes: map[probeKey]*probe{}}
	for i := range rows {
		r := &rows[i]
		switch {
		case r.make == nil:
			return nil, errors.New("a gauge.Row was not made by gauge.Use")
		case r.problem != "":
			return nil, fmt.Errorf("%s: %s", r.name, r.problem)
		case h.rows[r.name] != nil:
			return nil, fmt.Errorf("two rows are called %s", r.name)
		}
		h.rows[r.name] = r
	}
	var err error
	h.presets, err = presets(rows)
	return h, err
}

// make is the outside.Maker of the rows.
func (h *host) make(ctx context.Context, p outside.Program) (outside.Fleet, error) {
	r := h.rows[p.Row]
	if r == nil || len(p.Exec) > 0 {
		return nil, &outside.Refused{Row: p.Row, Reason: "it is no row of package gauge"}
	}
	if r.kind == waits && h.t == nil {
		return nil, &outside.Refused{Row: p.Row, Reason: "its calls block, which needs virtual time of package time: that exists in tests only. Use gauge.Test or gauge.Run"}
	}
	times, err := virtualTimes(&p)
	if err != nil {
		return nil, &outside.Refused{Row: p.Row, Reason: err.Error()}
	}
	if r.kind == acquires {
		if r.clock != argument && h.t == nil {
			return nil, &outside.Refused{Row: p.Row, Reason: "whether it reads the clock of package time is not known outside of a test: state TakesNow, or use gauge.Test or gauge.Run"}
		}
		return newAcquireFleet(ctx, h.t, r, &p, times)
	}
	found, err := h.probed(ctx, r, &p, times)
	if err == nil && (r.kind == waits || found.takesTime) {
		return newWaitingFleet(ctx, h.t, r, &p, times)
	}
	if err != nil {
		return nil, err
	}
	f, err := newFleet(ctx, h.t, r, &p, times, found.clock)
	if err != nil {
		return nil, err
	}
	if !found.names {
		return silent{f}, nil
	}
	return f, nil
}

// probed returns what a probe finds out about the limiters of a row. It probes once
// for each policy.
func (h *host) probed(ctx context.Context, r *Row, p *outside.Program, times virtual) (nature, error) {
	key := probeKey{r.name, p.Limit}
	h.mu.Lock()
	found := h.probes[key]
	if found == nil {
		found = &probe{}
		h.probes[key] = found
	}
	h.mu.Unlock()
	found.once.Do(func() { found.nature, found.err = (&prober{ctx, h.t, r, times}).natureOf(p) })
	return found.nature, found.err
}
