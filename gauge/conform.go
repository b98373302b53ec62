package gauge

import (
	"context"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/gauge/conformance"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// Conform compares a row's limiters with the exact counter that its As names, call by
// call. It runs step tables and random sessions whose calls are placed where the
// counter's verdicts change, each with a new limiter, and fails the test with the
// fewest calls that show the first difference. With Tolerance, the counter may decide
// a call at another instant, at most that time from the call's own.
//
// Sessions have several keys and last up to 36 years; the clock is never set back. The
// limiters must decide on arrival.
func Conform(t *testing.T, row Row) {
	t.Helper()
	h, err := newHost(t, []Row{row})
	if err == nil {
		_, err = presets([]Row{row})
	}
	switch {
	case err != nil:
		t.Fatal(err)
	case row.as == "":
		t.Fatalf("%s: gauge.As is missing: the counter to compare with", row.name)
	}
	r, err := conformance.Check(t.Context(), row.as, h.conforming(t.Context(), row.name), conformance.Options{
		Seed: 1, Sessions: conformance.DefaultSessions, ToleranceNs: int64(row.tolerance),
	})
	if err != nil {
		t.Fatalf("%s: %v", row.name, err)
	}
	var text strings.Builder
	r.Write(&text) // a Builder returns no error
	if r.Difference != nil {
		t.Errorf("%s\n%s", row.name, &text)
	}
}

// conforming returns a maker of limiters of a row for sessions, which begin at time 0.
func (h *host) conforming(ctx context.Context, row string) conformance.Maker {
	return conformance.Fleets(func(p conformance.Policy) (outside.Fleet, error) {
		return h.make(ctx, outside.Program{Row: row, Limit: p, Instances: 1, Key: "a", Seed: 1})
	})
}
