package bounds

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// A report says that there are no calendar windows only if the edges contradict every
// phase. Otherwise it says what to send, and a run that does it finds the phase.
func TestNoCalendarWindowsOnlyWhereShown(t *testing.T) {
	run := func(s setup) (*Report, virtual) {
		s.limit, s.maxCost, s.oneWayNs, s.giveUpNs = counting.Limit{Count: 100, Window: 1e9, Burst: 20}, 1, 50e3, 1e9
		v := s.run()
		rep, err := Judge(v.exchanges, NewSettings(s.limit, Calendar))
		if err != nil {
			t.Fatal(err)
		}
		return rep, v
	}
	const open = "when calendar windows begin is not established: "
	for seed := uint64(1); seed <= 20; seed++ {
		for _, c := range []struct {
			setup
			want []string // beginnings, one of which the reason has
		}{
			{setup{algorithm: "fixed-window", ratePct: 200, windows: 2}, []string{open + "send "}},
			{setup{algorithm: "fixed-window", ratePct: 200, windows: 4}, []string{"", open + "send "}},
			{setup{algorithm: "fixed-window", ratePct: 105, windows: 10}, []string{open + "in "}},
			{setup{algorithm: "fixed-window", ratePct: 200, windows: 10, pairs: true}, []string{open}},
			{setup{algorithm: "sliding-log", ratePct: 1000, windows: 20}, []string{open, "no calendar windows: only "}},
		} {
			c.seed = seed
			rep, _ := run(c.setup)
			fits := false
			for _, w := range c.want {
				fits = fits || w == "" && rep.Phase.Phase != nil || w != "" && strings.HasPrefix(rep.Phase.Reason, w)
			}
			if !fits {
				t.Errorf("%+v: %q, want one of %q", c.setup, rep.Phase.Reason, c.want)
			}
		}
	}
	shown, _ := run(setup{algorithm: "first-hit-window", ratePct: 200, windows: 60, seed: 1})
	if !strings.HasPrefix(shown.Phase.Reason, "no calendar windows: only ") {
		t.Errorf("windows that drift: %q", shown.Phase.Reason)
	}
}
