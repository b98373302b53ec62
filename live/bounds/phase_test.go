package bounds

import (
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/live/exchange"
)

// phaseShare returns the share of runs, in percent, in which a phase is found.
func phaseShare(t *testing.T, s setup, runs uint64) int {
	t.Helper()
	found := 0
	for s.seed = 1; s.seed <= runs; s.seed++ {
		v := s.run()
		rep, err := Judge(v.exchanges, NewSettings(s.limit, Sliding))
		if err != nil {
			t.Fatal(err)
		}
		p := rep.Phase.Phase
		if p == nil {
			continue
		}
		found++
		if s.algorithm == "fixed-window" && (v.phase-p.EarliestNs+s.limit.Window)%s.limit.Window > p.LatestNs-p.EarliestNs {
			t.Errorf("%+v: phase %d, found %d to %d", s, v.phase, p.EarliestNs, p.LatestNs)
		}
	}
	return int(100 * found / int(runs))
}

// A phase is found if the limiter has calendar windows, even if answers are lost, and
// seldom otherwise.
func TestPhaseIsOfCalendarWindows(t *testing.T) {
	limit := counting.Limit{Count: 100, Window: 1e9, Burst: 20}
	for _, c := range []struct {
		setup
		least, most int // percent of the runs with a phase
	}{
		{setup{algorithm: "fixed-window", ratePct: 200}, 95, 100},
		{setup{algorithm: "fixed-window", ratePct: 200, lostPct: 1, stalls: 2}, 90, 100},
		{setup{algorithm: "fixed-window", ratePct: 200, fault: "5% over"}, 95, 100},
		{setup{algorithm: "first-hit-window", ratePct: 200}, 0, 0},
		{setup{algorithm: "first-hit-window", ratePct: 1000}, 0, 0},
		{setup{algorithm: "sliding-log", ratePct: 200}, 0, 0},
		{setup{algorithm: "sliding-log", ratePct: 1000}, 0, 0},
		{setup{algorithm: "gcra", ratePct: 5000}, 0, 0},
		{setup{algorithm: "first-hit-window", ratePct: 200, even: true}, 0, 0},
		{setup{algorithm: "sliding-log", ratePct: 200, even: true}, 0, 0},
		{setup{algorithm: "fixed-window", ratePct: 200, even: true}, 90, 100},
		{setup{algorithm: "first-hit-window", pairs: true}, 0, 0},
		{setup{algorithm: "sliding-log", pairs: true}, 0, 0},
		{setup{algorithm: "gcra", pairs: true}, 0, 0},
	} {
		s := c.setup
		s.limit, s.windows, s.maxCost, s.oneWayNs, s.giveUpNs = limit, 10, 1, 50e3, 1e9
		if s.pairs {
			s.ratePct = 200
		}
		if pct := phaseShare(t, s, 10); pct < c.least || pct > c.most {
			t.Errorf("%+v: %d %% with a phase, want %d to %d", s, pct, c.least, c.most)
		}
	}
}

// A refused request that was delayed does not move the edge: the limiter may have
// refused it after the next one was admitted.
func TestEdgesAreOfRequestsInACertainOrder(t *testing.T) {
	all := join(burst("a", 25, 0, ms, exchange.Rejected), burst("a", 1, 100*ms, 400*ms, exchange.Rejected),
		burst("a", 1, 200*ms, ms, exchange.Admitted))
	records, err := recordsOf(all, &Settings{})
	if err != nil {
		t.Fatal(err)
	}
	want := edge{records[0], all[24].SentNs, 201 * ms}
	if got := edgesOf(records[0], 0); len(got) != 1 || got[0] != want {
		t.Errorf("edges %+v, want %+v", got, want)
	}
	dearer := burst("a", 1, 300*ms, ms, exchange.Rejected)
	dearer[0].Cost = 2
	records[0].asked = append(records[0].asked[:25], &dearer[0], &burst("a", 1, 400*ms, ms, exchange.Admitted)[0])
	want.upTo = 401 * ms
	if got := edgesOf(records[0], 0); len(got) != 1 || got[0] != want {
		t.Errorf("after a dearer request: edges %+v, want %+v", got, want)
	}
}

// An arc begins within the first turn of its circle, and is as long as its edge.
func TestArc(t *testing.T) {
	for after := int64(-25); after < 25; after++ {
		a := edge{after: after, upTo: after + 7}.arc(10)
		if a.first < 0 || a.first >= 10 || (after+1-a.first)%10 != 0 || a.last != a.first+6 {
			t.Errorf("after %d: %+v", after, a)
		}
	}
}
