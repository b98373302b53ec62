package results

import "fmt"

// KindLive is the kind of documents with measurements of a real limiter. Such a
// document cannot be reproduced.
const KindLive = "live"

// Live is what a run against a real limiter showed, beside its figures. In its row,
// each figure has bounds in place of an interval: docs/live-bounds.md defines them.
type Live struct {
	Target   string      `json:"target"`    // its kind, such as http
	JudgedBy string      `json:"judged_by"` // what it should keep: bucket, sliding or calendar
	Over     LiveVerdict `json:"over"`      // whether it keeps the limit
	Under    LiveVerdict `json:"under"`     // whether it admits what an exact limiter admits

	Others []LiveJudge `json:"other_judges,omitempty"` // the verdicts by the other promises

	// Unevaluated is why the run cannot show that the limit is kept: too many requests
	// failed, too few windows had enough demand. It is "" if it can.
	Unevaluated string `json:"unevaluated,omitempty"`

	Stated   []LiveStated  `json:"stated,omitempty"` // limits that answers state, such as in RateLimit headers
	Phase    LivePhase     `json:"phase"`
	Failures []LiveFailure `json:"failures,omitempty"`
	Unsent   []LiveFailure `json:"not_sent,omitempty"` // such as those whose connection was refused
	Sender   LiveSender    `json:"sender"`
	Promises *LivePromises `json:"promises,omitempty"` // of times to retry after; nil if it made none
	Predict  string        `json:"predict,omitempty"`  // the simulated row that should predict this one

	// Off is by how much each figure is certainly above (positive) or below that row's.
	Off map[string]float64 `json:"measured_minus_predicted,omitempty"`
	// NeedsPhase states that the prediction depends on when windows begin, which is not
	// known of the target: so the two cannot be compared.
	NeedsPhase bool `json:"predict_needs_phase,omitempty"`
}

// CertainlyOver reports whether the limit was broken whatever the times were at which the
// limiter decided, also if the run could not have shown that it is kept.
func (l *Live) CertainlyOver() bool { return l.Over.Outcome == "broken" }

// Answered returns the number of requests that were sent and got a verdict.
func (l *Live) Answered() int64 {
	n := l.Sender.Sent
	for _, f := range l.Failures {
		n -= f.Count
	}
	return n
}

// LiveVerdict is what is certain about a limiter.
type LiveVerdict struct {
	Outcome   string  `json:"outcome"`   // kept, within-resolution, unknown, broken or not-judged
	Certified float64 `json:"certified"` // tokens: admitted in the worst window, beyond rate and burst, or short of an exact limiter
	Possible  float64 `json:"possible"`  // tokens
	Text      string  `json:"text"`
	Hint      string  `json:"hint,omitempty"` // how to learn more
}

// LiveJudge is the verdict on the same answers by another promise.
type LiveJudge struct {
	JudgedBy string      `json:"judged_by"`
	Over     LiveVerdict `json:"over"`
	Under    LiveVerdict `json:"under"`
}

// LiveStated counts the answers that state a limit.
type LiveStated struct {
	Limit    int64 `json:"limit"`     // requests
	WindowNs int64 `json:"window_ns"` // or -1 if they do not state it
	Count    int64 `json:"count"`
	Differs  bool  `json:"differs"` // from the policy
}

// LivePhase is when the limiter's calendar windows begin, after whole windows on the
// clock of the sender.
type LivePhase struct {
	Known      bool   `json:"known"`
	EarliestNs int64  `json:"earliest_ns"`
	LatestNs   int64  `json:"latest_ns"`
	Text       string `json:"text"` // what it is known from, or why it is not known
}

// LiveFailure counts the requests of one class that got no verdict, or were not sent.
type LiveFailure struct {
	Class string `json:"class"`
	Count int64  `json:"count"`
}

// LiveSender says how well the sender kept to its schedule, and how long answers took.
type LiveSender struct {
	Planned       int64   `json:"planned"` // requests
	Sent          int64   `json:"sent"`
	HeldBack      int64   `json:"held_back"` // by the cap on requests in flight
	PlannedPerS   float64 `json:"planned_per_s"`
	SentPerS      float64 `json:"sent_per_s"`
	InFlightPeak  int64   `json:"in_flight_peak"`
	LatenessP50Ns int64   `json:"lateness_p50_ns"` // from the planned time of a request to its send
	LatenessP99Ns int64   `json:"lateness_p99_ns"`
	LatenessMaxNs int64   `json:"lateness_max_ns"`
	AnswerP50Ns   int64   `json:"answer_p50_ns"` // from the send to the verdict
	AnswerP99Ns   int64   `json:"answer_p99_ns"`
	AnswerMaxNs   int64   `json:"answer_max_ns"`
	PlannedP50Ns  int64   `json:"planned_to_answer_p50_ns"` // from the planned time to the verdict
	PlannedP99Ns  int64   `json:"planned_to_answer_p99_ns"`
	SilenceNs     int64   `json:"silence_ns"`     // the longest time in which requests waited and none was answered
	Precision     string  `json:"precision"`      // how the sender waits for the time of a send
	Late          string  `json:"late,omitempty"` // how late it was, if that is more than a run should have
}

// LivePromises is what became of the times after which the limiter said that a
// retry would be admitted.
type LivePromises struct {
	Made          int   `json:"made"`
	Held          int   `json:"held"`
	Taken         int   `json:"taken"` // refused after another request was admitted: the same was promised to several
	Broken        int   `json:"broken"`
	TooEarly      int   `json:"too_early"`       // rejected within the unit in which the time is stated
	Clients       int   `json:"clients"`         // with promises
	AtOnce        int   `json:"clients_at_once"` // most of them with promises that end within 1 % of the window
	EarlyMedianNs int64 `json:"early_median_ns"` // how long before the promised time the key was admitted again
	EarlyMostNs   int64 `json:"early_most_ns"`
}

// IsLive reports whether the document has measurements of a real limiter.
func (d *Document) IsLive() bool { return d.Stamp.Kind == KindLive }

func (l *Live) check() error {
	if l == nil {
		return nil
	}
	verdicts := []LiveVerdict{l.Over, l.Under}
	for _, o := range l.Others {
		verdicts = append(verdicts, o.Over, o.Under)
	}
	for _, v := range verdicts {
		if !drawable(v.Certified) || !drawable(v.Possible) || v.Certified > v.Possible {
			return fmt.Errorf("certified %v, possible %v", v.Certified, v.Possible)
		}
	}
	if !drawable(l.Sender.PlannedPerS) || !drawable(l.Sender.SentPerS) {
		return fmt.Errorf("rates of %v and %v per second", l.Sender.PlannedPerS, l.Sender.SentPerS)
	}
	return nil
}
