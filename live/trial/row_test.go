package trial

import (
	"testing"

	"github.com/limitgauge/limitgauge/live/bounds"
	"github.com/limitgauge/limitgauge/live/send"
	"github.com/limitgauge/limitgauge/sim/results"
)

// A late sender changes no verdict, because the verdict is on the requests as they were sent.
func TestUnevaluated(t *testing.T) {
	for _, c := range []struct {
		run    send.Result
		reason string
		want   string
	}{
		{send.Result{Sender: results.LiveSender{Sent: 9, LatenessP99Ns: 1e9}}, "", ""},
		{send.Result{}, "few windows", "few windows"},
		{send.Result{Partial: true, Stopped: send.Interrupted}, "", ""},
		{send.Result{Partial: true, Stopped: "all failed"}, "few windows", "all failed"},
	} {
		m := measurement{Trial: &Trial{}, run: &c.run, report: &bounds.Report{Reason: c.reason}}
		if got := m.unevaluated(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.run, got, c.want)
		}
	}
}
