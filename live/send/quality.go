package send

import (
	"fmt"
	"slices"
	"time"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/sim/results"
)

// A sender kept to its schedule if the 99th percentile of its lateness is at most
// LatenessBound and at most a hundredth of the window.
const (
	LatenessBound       = 5 * time.Millisecond
	LatenessWindowShare = 100 // the window divided by this
)

// Late says how late a sender was that did not keep to its schedule well enough to measure
// a limit per window of windowNs, or "".
func Late(s *results.LiveSender, windowNs int64) string {
	bound := min(int64(LatenessBound), windowNs/LatenessWindowShare)
	switch {
	case s.Sent == 0:
		return "no request was sent"
	case s.LatenessP99Ns > bound:
		return fmt.Sprintf("the sender was late: 1 %% of the requests were sent %s or more after their time, the bound is %s",
			format.ShortSpan(s.LatenessP99Ns), format.Span(bound))
	}
	return ""
}

// quality says how well the sender of a run that has ended kept to its schedule. Figures
// that no request has are 0. Requests are held back by the cap on those in flight or, of
// retries, per second.
func quality(all []exchange.Exchange) results.LiveSender {
	q := results.LiveSender{Planned: int64(len(all))}
	var lateness, sent, planned []int64
	for i := range all {
		e := &all[i]
		planned = append(planned, e.IntendedNs)
		if e.Verdict == exchange.NotSent {
			if e.Failure == HeldBack || e.Failure == OverRate {
				q.HeldBack++
			}
			continue
		}
		sent = append(sent, e.SentNs)
		lateness = append(lateness, e.SentNs-e.IntendedNs)
	}
	q.Sent = int64(len(sent))
	slices.Sort(lateness)
	q.LatenessP50Ns, q.LatenessP99Ns, q.LatenessMaxNs = Percentile(lateness, 50), Percentile(lateness, 99), Percentile(lateness, 100)
	slices.Sort(sent)
	slices.Sort(planned)
	q.PlannedPerS, q.SentPerS = perSecond(planned), perSecond(sent)
	return q
}

// Percentile returns the smallest of sorted values that at least p percent do not
// exceed, or 0 if there are none.
func Percentile(sorted []int64, p int) int64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)*p+99)/100-1]
}

// perSecond returns the mean rate of sorted times, or 0 if they are all the same.
func perSecond(sorted []int64) float64 {
	if len(sorted) == 0 || sorted[0] == sorted[len(sorted)-1] {
		return 0
	}
	return float64(len(sorted)-1) * 1e9 / float64(sorted[len(sorted)-1]-sorted[0])
}
