package send

import (
	"strings"
	"testing"
	"time"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"

	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/sim/results"
)

func TestQuality(t *testing.T) {
	all := planned(6, 10*time.Millisecond)
	set := func(i int, lateMs, latencyMs int64, v exchange.Verdict) {
		e := &all[i]
		e.SentNs, e.Verdict = e.IntendedNs+lateMs*1e6, v
		e.AnsweredNs = e.SentNs + latencyMs*1e6
	}
	set(0, 0, 1, exchange.Admitted)
	set(1, 30, 1, exchange.Rejected) // the sender stands still from 10 to 40 ms
	set(2, 20, 50, exchange.Failed)
	set(3, 10, 15, exchange.Admitted) // answered at 55 ms, no answer since 41 ms
	all[4].Failure, all[5].Failure = HeldBack, AfterEnd
	q := quality(all)
	want := results.LiveSender{
		Planned: 6, Sent: 4, HeldBack: 1, PlannedPerS: 100, SentPerS: 75,
		LatenessP50Ns: 10e6, LatenessP99Ns: 30e6, LatenessMaxNs: 30e6,
	}
	if q != want {
		t.Errorf("got  %+v\nwant %+v", q, want)
	}
}

func TestLate(t *testing.T) {
	for _, c := range []struct {
		q        results.LiveSender
		windowNs int64
		want     string
	}{
		{results.LiveSender{Sent: 1, LatenessP99Ns: 5e6}, 1e9, ""},
		{results.LiveSender{Sent: 1, LatenessP99Ns: 5e6 + 1}, 60e9, "the bound is 5ms"},
		{results.LiveSender{Sent: 1, LatenessP99Ns: 2e6}, 100e6, "sent 2ms or more after their time, the bound is 1ms"},
		{results.LiveSender{}, 1e9, "no request was sent"},
	} {
		late := Late(&c.q, c.windowNs)
		if (late == "") != (c.want == "") || !strings.Contains(late, c.want) {
			t.Errorf("%+v: %q", c.q, late)
		}
	}
}
