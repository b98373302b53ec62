package bounds

import (
	"testing"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/live/exchange"
)

// A target is silent for as long as it stands still, also if that is longer than any
// request waits. TestSilence compares with a loop over all instants.
func TestSilence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []exchange.Exchange
		for range rapid.IntRange(0, 8).Draw(t, "n") {
			e := exchange.Exchange{SentNs: rapid.Int64Range(0, 30).Draw(t, "sent"), Verdict: exchange.Admitted}
			e.AnsweredNs = e.SentNs + rapid.Int64Range(0, 12).Draw(t, "took")
			if rapid.Bool().Draw(t, "failed") {
				e.Verdict = exchange.Failed
			}
			all = append(all, e)
		}
		var want, silence int64
		for now := range int64(60) { // the span from now to now+1
			waiting, answered := false, false
			for _, e := range all {
				waiting = waiting || e.SentNs <= now && now < e.AnsweredNs
				answered = answered || e.Verdict != exchange.Failed && e.AnsweredNs == now
			}
			if answered || !waiting {
				silence = 0
			}
			if waiting {
				silence++
			}
			want = max(want, silence)
		}
		rep := &Report{}
		if rep.silence(all); rep.SilenceNs != want {
			t.Fatalf("%+v: %d, want %d", all, rep.SilenceNs, want)
		}
	})
}
