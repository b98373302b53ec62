package bounds

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
)

// Outcome is what is certain about a promise.
type Outcome uint8

// The order is from what says least about a limiter of many keys to what says most.
const (
	Kept       Outcome = iota // the possible maximum is within the tolerance
	WithinStep                // broken by less than the resolution of the target's clock
	Unknown                   // it may be kept or broken
	Broken                    // broken in any case
	NotJudged                 // it may be kept, but the run is too short or has too many failures to say so
)

var outcomeNames = [...]string{"kept", "within-resolution", "unknown", "broken", "not-judged"}

// String returns the name of the outcome in documents.
func (o Outcome) String() string { return outcomeNames[o] }

// Judgement is an Outcome with the figures that it is from.
type Judgement struct {
	Outcome Outcome
	// Certified and Possible are the figures that were compared, in tokens: admitted
	// in the worst window, beyond rate and burst, or short of an exact limiter.
	Certified, Possible float64
	Text                string // one sentence without a full stop, such as "keeps the limit (possible maximum 100 requests)"
	Hint                string // how to narrow an Unknown; or empty
}

// measure is a figure of one key to be judged.
type measure struct {
	certified, forClock, possible, answered float64 // tokens
	limit                                   float64 // of windows; 0 of an excess
	unit, what                              string  // what the numbers count, after the number
}

// measureOf returns the figure by which a key is judged.
func measureOf(k *Key, s *Settings, unit string) measure {
	if e := k.Excess; e != nil {
		return measure{
			max(e.Certified, 0), e.ForClock, max(e.Possible, 0), max(e.Answered, 0), 0,
			unit, unit + " admitted beyond rate and burst",
		}
	}
	w, window := &k.Sliding, "window"
	if s.Kind == Calendar {
		w, window = k.Calendar, "calendar window"
	}
	return measure{
		float64(w.Certified.Cost), float64(w.ForClock.Cost), float64(w.Possible.Cost), float64(w.Answered.Cost),
		float64(s.Limit.Count), unit, fmt.Sprintf("%s admitted in a %s, limit %d", unit, window, s.Limit.Count),
	}
}

// judge fills in the judgements.
func (rep *Report) judge(s *Settings) {
	unit := "requests"
	if rep.Counts.Sent.Cost != rep.Counts.Sent.Requests {
		unit = "tokens"
	}
	for i := range rep.Keys {
		k := &rep.Keys[i]
		k.Judgement = rep.judgeKey(k, s, unit)
		if rep.Worst < 0 || worse(&k.Judgement, &rep.Keys[rep.Worst].Judgement) {
			rep.Worst = i
		}
	}
	if rep.Worst >= 0 {
		rep.Judgement = rep.Keys[rep.Worst].Judgement
	}
	rep.Under = rep.judgeShortfall(s, unit)
	rep.Reason = rep.failure(s)
	for _, j := range []*Judgement{&rep.Judgement, &rep.Under} {
		if rep.Reason != "" && (j.Outcome == Kept || rep.Worst < 0) {
			j.Outcome, j.Text = NotJudged, "could not be evaluated ("+rep.Reason+")"
		}
	}
}

func worse(a, b *Judgement) bool {
	switch {
	case a.Outcome != b.Outcome:
		return a.Outcome > b.Outcome
	case a.Outcome == Broken || a.Outcome == WithinStep:
		return a.Certified > b.Certified
	}
	return a.Possible > b.Possible
}

func (rep *Report) judgeKey(k *Key, s *Settings, unit string) Judgement {
	m := measureOf(k, s, unit)
	j := Judgement{Certified: m.certified, Possible: m.possible}
	of := ""
	if len(rep.Keys) > 1 {
		of = fmt.Sprintf("; key %q", format.Shorten(k.Key, 40))
	}
	switch over := m.possible - m.limit; {
	case m.forClock > m.limit:
		j.Outcome = Broken
		j.Text = fmt.Sprintf("over the limit (certified: %s %s%s)", atLeast(m.certified), m.what, of)
	case m.certified > m.limit:
		j.Outcome = WithinStep
		j.Text = fmt.Sprintf("over by less than its clock's resolution (certified: %s %s; resolution %s%s)", atLeast(m.certified), m.what, format.Span(s.ResolutionNs), of)
	case over <= 0:
		j.Text = fmt.Sprintf("keeps the limit (possible maximum %s%s)", possibleMaximum(m), of)
	case over <= float64(s.Tolerance):
		j.Text = fmt.Sprintf("keeps the limit within %s (possible maximum %s%s)", withUnit(atMost(over), unit), possibleMaximum(m), of)
	default:
		j.Outcome = Unknown
		j.Text = fmt.Sprintf("unknown (between %s and %s %s: %s%s)", atLeast(m.certified), atMost(m.possible), m.what, rep.doubt(s, m), of)
		j.Hint = rep.hint(s, over)
	}
	return j
}

// number writes tokens with two decimals at most, without separators.
func number(x float64) string {
	text := fmt.Sprintf("%.2f", x)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// noise is what the arithmetic of floats adds to a number of hundredths, at most.
const noise = 1e-6

// atLeast writes a certified figure, which may only be rounded down.
func atLeast(x float64) string { return number(math.Floor(100*x+noise) / 100) }

// atMost writes a possible figure, which may only be rounded up.
func atMost(x float64) string { return number(math.Max(0, math.Ceil(100*x-noise)/100)) }

// possibleMaximum writes the possible figure of a measure that is kept. An excess is
// named, because it is not a number of requests in a window.
func possibleMaximum(m measure) string {
	if m.limit > 0 {
		return withUnit(atMost(m.possible), m.unit)
	}
	return atMost(m.possible) + " " + m.what
}

// withUnit writes a number of requests or tokens.
func withUnit(number, unit string) string {
	if number == "1" {
		unit = strings.TrimSuffix(unit, "s")
	}
	return number + " " + unit
}

// judgeShortfall judges the shortfall of all keys.
func (rep *Report) judgeShortfall(s *Settings, unit string) Judgement {
	f := &rep.Shortfall
	j := Judgement{Certified: float64(f.Certified), Possible: float64(f.Possible)}
	switch {
	case f.Certified > s.Tolerance:
		j.Outcome = Broken
		j.Text = fmt.Sprintf("under the limit (certified: admitted %s fewer than the %d that an exact limiter admits at least)", withUnit(strconv.FormatInt(f.Certified, 10), unit), f.ExactLeast)
	case f.Possible <= s.Tolerance:
		j.Text = fmt.Sprintf("not under the limit (at most %s fewer than an exact limiter)", withUnit(strconv.FormatInt(f.Possible, 10), unit))
	default:
		j.Outcome = Unknown
		j.Text = fmt.Sprintf("unknown (between %d and %s fewer than an exact limiter)", f.Certified, withUnit(strconv.FormatInt(f.Possible, 10), unit))
		if more := rep.unused - f.Certified; s.UsedBefore && more > 0 {
			j.Hint = fmt.Sprintf("if nothing used the keys before, add --unused, which certifies %s fewer", withUnit(strconv.FormatInt(rep.unused, 10), unit))
		} else if rep.Judgement.Outcome != Unknown {
			j.Hint = rep.hint(s, j.Possible)
		}
	}
	return j
}

// failure returns why a run cannot show that a promise is kept, or "".
func (rep *Report) failure(s *Settings) string {
	sent, failed := rep.Counts.Sent.Requests, rep.Counts.Failed.Requests
	switch {
	case sent == 0:
		return "no request was sent"
	case 100*float64(failed) > s.MaxFailedPct*float64(sent):
		return fmt.Sprintf("%d of %s failed; at most %s %% may", failed, format.Count(sent, "request"), number(s.MaxFailedPct))
	case rep.Saturated < s.MinSaturated:
		next := fmt.Sprintf("send at least %s per window to one key", format.Count(s.Limit.Count+s.Limit.Count/5+1, "request"))
		if rep.Saturated > 0 {
			next = longer(s.MinSaturated, rep.Saturated, max(rep.ran, 1), s.Limit.Window)
		}
		planned, most := rep.Counts.Planned.Requests, int64(0)
		for _, why := range slices.Sorted(maps.Keys(rep.unsent)) {
			if n := rep.unsent[why]; n > most && 100*float64(n) > s.MaxFailedPct*float64(planned) {
				next, most = fmt.Sprintf("first mend what kept %d of %s from being sent: %s", n, format.Count(planned, "request"), why), n
			}
		}
		return fmt.Sprintf("the demand reached the limit in %s; %d are needed: %s", format.Count(rep.Saturated, "window"), s.MinSaturated, next)
	}
	return ""
}

// doubt returns what keeps the certified and the possible figures apart.
func (rep *Report) doubt(s *Settings, m measure) string {
	if n := rep.Counts.Failed.Requests; n == rep.Counts.Sent.Requests {
		return fmt.Sprintf("none of %s got a verdict", format.Count(n, "request"))
	}
	var reasons []string
	if s.Kind == Calendar && rep.Phase.Phase == nil {
		reasons = append(reasons, "when its windows begin is not known")
	} else if rep.SilenceNs >= s.Limit.Window/10 {
		reasons = append(reasons, "no answer came for "+format.ShortSpan(rep.SilenceNs))
	} else {
		reasons = append(reasons, "answers took up to "+format.ShortSpan(rep.LongestNs))
	}
	if n := rep.Counts.Failed.Requests; n > 0 {
		reasons = append(reasons, fmt.Sprintf("%s without a verdict, at most %s if the limiter admitted none of them",
			format.Count(n, "request"), atMost(m.answered)))
	}
	return strings.Join(reasons, ", ")
}

// hint says what brings the bounds of a verdict together, which are apart by a cost.
func (rep *Report) hint(s *Settings, apart float64) string {
	switch {
	case rep.timedOut:
		return "each request without a verdict widens the bounds by its cost; a longer --timeout lets slow answers count"
	case rep.Counts.Failed.Requests > 0:
		return "each request without a verdict widens the bounds by its cost"
	case s.Kind == Calendar && rep.Phase.Phase == nil && s.NoClock != "":
		return s.NoClock
	case s.Kind == Calendar && rep.Phase.Phase == nil:
		return rep.Phase.Reason + "; if the windows follow the wall clock, add --clock"
	}
	return fmt.Sprintf("the bounds differ by what is sent while an answer is under way, up to %s: shorter round trips or fewer requests per second narrow them; --tolerance %d accepts the difference",
		format.ShortSpan(rep.LongestNs), int64(math.Ceil(apart)))
}
