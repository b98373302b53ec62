package table

import (
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// liveVerdict says what the promise that was asked came to, for each row of a real limiter.
func liveVerdict(rows []results.Result) string {
	var texts []string
	for _, r := range rows {
		if r.Live != nil {
			texts = append(texts, r.Label()+": "+r.Live.Over.Text)
		}
	}
	return strings.Join(texts, "; ")
}

// liveNotes says of each row of a real limiter what is certain beside its verdict, how far
// the prediction was off, and what was not sent or not answered.
func liveNotes(rows []results.Result, columns []string, registry []catalog.Metric) (notes []string) {
	for _, r := range rows {
		l := r.Live
		if l == nil {
			continue
		}
		name := r.Label() + ": "
		notes = append(notes, name+"what it refuses: "+l.Under.Text)
		if len(l.Others) > 0 {
			notes = append(notes, name+"judged by other promises, "+strings.Join(lists.Map(l.Others, func(o results.LiveJudge) string { return o.JudgedBy + ": " + o.Over.Text }), "; "))
		}
		for _, hint := range []string{l.Over.Hint, l.Under.Hint} {
			if hint != "" {
				notes = append(notes, name+hint)
			}
		}
		if text := statusText(l.Failures); text != "" {
			notes = append(notes, name+text)
		}
		switch {
		case l.Unevaluated != "" && l.CertainlyOver():
			notes = append(notes, name+"the violation is certain, although "+l.Unevaluated)
		case l.Unevaluated != "" && !strings.Contains(l.Over.Text, l.Unevaluated):
			notes = append(notes, name+"the run cannot show that the limit is kept: "+l.Unevaluated)
		}
		if late := l.Sender.Late; late != "" {
			notes = append(notes, name+late+"; the verdict is on the requests as they were sent")
		}
		if text := predicted(r, columns, registry); text != "" {
			notes = append(notes, text)
		}
		if text := missedText(l); text != "" {
			notes = append(notes, name+text)
		}
		if l.JudgedBy == "calendar" && !l.Phase.Known && !strings.Contains(l.Over.Hint, l.Phase.Text) {
			notes = append(notes, name+l.Phase.Text)
		}
		for _, s := range l.Stated {
			if s.Differs {
				per := ""
				if s.WindowNs >= 0 {
					per = " in " + format.Span(s.WindowNs)
				}
				notes = append(notes, fmt.Sprintf("%sa limit of %s%s is stated in %s, which is not the policy's", name, format.Count(s.Limit, "request"), per, format.Count(s.Count, "answer")))
			}
		}
		if p := l.Promises; p != nil {
			notes = append(notes, name+promisesText(p))
		}
		notes = append(notes, fmt.Sprintf("figures of %s are from the certified to the possible one, and the truth is between them; the run cannot be repeated", r.Label()))
	}
	return notes
}

// liveDetails says of each row of a real limiter how the run went: what was sent, how late,
// how long answers took, and when the windows of its calendar begin.
func liveDetails(rows []results.Result) (notes []string) {
	for _, r := range rows {
		if l := r.Live; l != nil {
			notes = append(notes, r.Label()+": "+sentText(l))
			if l.JudgedBy == "calendar" && l.Phase.Known {
				notes = append(notes, r.Label()+": "+l.Phase.Text)
			}
		}
	}
	return notes
}

// missedText says which requests were not sent or got no verdict, or returns "" if there
// are none.
func missedText(l *results.Live) string {
	var parts []string
	add := func(what string, list []results.LiveFailure) {
		if len(list) > 0 {
			parts = append(parts, what+strings.Join(lists.Map(list, func(f results.LiveFailure) string { return fmt.Sprintf("%d %s", f.Count, f.Class) }), ", "))
		}
	}
	add("not sent: ", l.Unsent)
	add("without a verdict: ", l.Failures)
	if parts == nil {
		return ""
	}
	return fmt.Sprintf("of %s, %s", format.Count(l.Sender.Planned, "request"), strings.Join(parts, "; "))
}

// sentText says what was sent, how late, and how long answers took.
func sentText(l *results.Live) string {
	s := &l.Sender
	ms := func(ns int64) string { return format.Number(float64(ns) / 1e6) }
	text := fmt.Sprintf("sent %d of %s at %s/s (planned %s/s), late by %s ms (median), %s ms (p99), %s ms (most); %d in flight at most", s.Sent, format.Count(s.Planned, "request"),
		format.Number(s.SentPerS), format.Number(s.PlannedPerS), ms(s.LatenessP50Ns), ms(s.LatenessP99Ns), ms(s.LatenessMaxNs), s.InFlightPeak)
	if l.Answered() > 0 {
		text += fmt.Sprintf("; answers after %s ms (median), %s ms (p99), %s ms (most) from the send, and %s ms (median), %s ms (p99) from the planned time",
			ms(s.AnswerP50Ns), ms(s.AnswerP99Ns), ms(s.AnswerMaxNs), ms(s.PlannedP50Ns), ms(s.PlannedP99Ns))
	}
	return text + "; the sender waits by " + s.Precision
}

// statusText says how to have answers with the most frequent HTTP status that is no
// verdict read as verdicts, or "" if there are none.
func statusText(failures []results.LiveFailure) string {
	var most results.LiveFailure
	for _, f := range failures {
		if strings.HasPrefix(f.Class, "status ") && f.Count > most.Count {
			most = f
		}
	}
	if most.Count == 0 {
		return ""
	}
	status := strings.TrimPrefix(most.Class, "status ")
	return fmt.Sprintf("%s had status %s, which is no verdict; if it rejects a request, add --option rejected=%s and one for each other status that does, because they replace 429 and 503",
		format.Count(most.Count, "answer"), status, status)
}

func promisesText(p *results.LivePromises) string {
	text := fmt.Sprintf("stated %s to retry after", format.Count(p.Made, "time"))
	if tested := p.Held + p.Taken + p.Broken; tested > 0 {
		text += fmt.Sprintf(": %d of the %d that a request tested held", p.Held, tested)
	} else {
		text += ", which no request tested"
	}
	if p.Taken > 0 {
		text += fmt.Sprintf(", %d refused after another request had been admitted", p.Taken)
	}
	if p.TooEarly > 0 {
		text += fmt.Sprintf(", %d refused within the unit in which the time is stated", p.TooEarly)
	}
	if p.EarlyMostNs > 0 {
		text += fmt.Sprintf("; the key was admitted up to %s before it (median %s)", format.ShortSpan(p.EarlyMostNs), format.ShortSpan(max(p.EarlyMedianNs, 0)))
	}
	if p.Clients > 1 {
		text += fmt.Sprintf("; up to %d of %d clients are told to return at once", p.AtOnce, p.Clients)
	}
	return text
}

// predicted compares the figures of a real limiter with those of the simulated row that
// should predict it, in points or in the figure's unit. It returns "" if there is nothing
// to compare.
func predicted(live results.Result, columns []string, registry []catalog.Metric) string {
	if live.Live.Predict == "" || live.Live.Answered() == 0 {
		return ""
	}
	if live.Live.NeedsPhase {
		text := fmt.Sprintf("%s measured minus %s predicted: not compared, because the prediction depends on when windows begin", live.Label(), live.Live.Predict)
		if live.Live.JudgedBy != "calendar" { // or a note says it anyway
			text += "; " + live.Live.Phase.Text
		}
		return text
	}
	var parts []string
	compared := 0
	for _, metric := range columns {
		off, ok := live.Live.Off[metric]
		if !ok || strings.HasPrefix(metric, "decision_latency_") {
			continue
		}
		compared++
		if c := ColumnOf(metric, registry); off != 0 {
			parts = append(parts, fmt.Sprintf("%s %s", c.Header, offBy(off, c.Unit)))
		}
	}
	switch {
	case compared == 0:
		return ""
	case parts == nil:
		return fmt.Sprintf("%s measured minus %s predicted: no certain difference in %s", live.Label(), live.Live.Predict, format.Count(compared, "figure"))
	}
	return fmt.Sprintf("%s measured minus %s predicted: %s", live.Label(), live.Live.Predict, strings.Join(parts, ", "))
}

// Off returns by how much a figure of a real limiter is certainly above (positive) or below
// (negative) a simulated one. It is 0 if the bounds of the one and the interval of the
// other meet.
func Off(measured, simulated results.Summary) float64 {
	lo, hi := *simulated.Mean-simulated.Spread(), *simulated.Mean+simulated.Spread()
	switch {
	case *measured.Lo > hi:
		return *measured.Lo - hi
	case *measured.Hi < lo:
		return *measured.Hi - lo
	}
	return 0
}

// offBy writes a difference with its unit.
func offBy(x float64, unit string) string {
	if unit == "%" {
		unit = "points"
	}
	return strings.TrimSpace(format.Signed(x) + " " + unit)
}
