package bounds

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Window is what a key admitted in its busiest window.
type Window struct {
	// Certified is admitted in some window in any case, Possible at most.
	Certified, Possible Amount
	// ForClock is the certified amount if times differ by up to the resolution of the
	// target's clock, and Answered the possible one if no Failed request was admitted.
	ForClock, Answered Amount
}

// Excess is the cost that a key admitted beyond the burst plus the rate times the
// length of an interval, in the worst interval. It is below 0 if the bucket was never
// empty.
type Excess struct {
	Certified, Possible, ForClock, Answered float64 // tokens; see Window
}

// Counts is how many requests there were, and their cost. NotSent ones are in
// Planned alone.
type Counts struct{ Planned, Sent, Admitted, Rejected, Failed Amount }

// Key is what is known of one key.
type Key struct {
	Key     string
	Counts  Counts
	Sliding Window
	// Calendar is nil if no phase is known, except for the kind Calendar: it then has
	// what is certain and possible for calendar windows of any phase.
	Calendar *Window
	Excess   *Excess // nil if the kind is not Bucket
	// Saturated is the number of windows with a certain demand of the limit at
	// least: of calendar windows, or one after the other from the first request on.
	Saturated int64
	Shortfall Shortfall
	Judgement Judgement
}

// Report is what is known of a limiter after a run.
type Report struct {
	Counts    Counts    // of all keys
	Saturated int64     // of all keys
	Shortfall Shortfall // of all keys
	Keys      []Key     // in the order of their names
	Worst     int       // the key whose judgement is the Report's, or -1 if there is no key
	Judgement Judgement
	Under     Judgement // of the shortfall
	Reason    string    // why the run cannot show that a promise is kept, or empty
	Phase     Finding
	Promises  *results.LivePromises // nil if there are none
	// LongestNs is the longest time from the sending of a request to its answer.
	// SilenceNs is the longest time without an answer to any request while at least one
	// was waiting.
	LongestNs, SilenceNs int64

	ran      int64 // the number of windows in which requests were sent, rounded up
	unused   int64 // the certified shortfall if nothing had used the keys before the run
	timedOut bool  // a request got no answer in its time

	unsent map[string]int64 // requests that were not sent, by why
}

// Judge returns what the exchanges of a run, in any order, say about a limiter. It
// returns an error if the settings or an exchange contradict themselves, or if the run
// is too long or too large to be judged exactly: the products of the limit and the
// run, and of the window and the cost, must be below 2^60 after dividing limit and
// window by their common divisor.
func Judge(exchanges []exchange.Exchange, s Settings) (*Report, error) {
	records, err := soundRecords(exchanges, &s)
	if err != nil {
		return nil, err
	}
	rep := &Report{Worst: -1, ran: lasted(records, s.Limit.Window), Promises: promisesOf(records, s.Limit.Window), unsent: map[string]int64{}}
	for i := range exchanges {
		rep.Counts.count(&exchanges[i])
		rep.timedOut = rep.timedOut || exchanges[i].Failure == "timeout"
		if exchanges[i].Verdict == exchange.NotSent {
			rep.unsent[exchanges[i].Failure]++
		}
	}
	rep.silence(exchanges)
	rep.Phase = findPhase(records, &s)
	for _, r := range records {
		k := keyOf(r, &s, rep.Phase.Phase)
		if unused := s; s.UsedBefore {
			unused.UsedBefore = false
			rep.unused += shortfallOf(r, &unused, rep.Phase.Phase).Certified
		}
		for _, e := range r.asked {
			k.Counts.count(e)
		}
		rep.Saturated += k.Saturated
		rep.Shortfall.add(k.Shortfall)
		rep.Keys = append(rep.Keys, k)
	}
	rep.judge(&s)
	return rep, nil
}

func (c *Counts) count(e *exchange.Exchange) {
	add := func(a *Amount) {
		a.Requests++
		a.Cost += e.Cost
	}
	add(&c.Planned)
	if e.Verdict == exchange.NotSent {
		return
	}
	add(&c.Sent)
	add([]*Amount{exchange.Admitted: &c.Admitted, exchange.Rejected: &c.Rejected, exchange.Failed: &c.Failed}[e.Verdict])
}

func keyOf(r *record, s *Settings, phase *Phase) Key {
	width := s.Limit.Window
	k := Key{Key: r.key, Shortfall: shortfallOf(r, s, phase), Sliding: windowOf(r, s,
		func(spans []span) []stay { return inside(spans, width) },
		func(spans []span) []stay { return touching(spans, width) })}
	counted := Phase{r.asked[0].SentNs % width, r.asked[0].SentNs % width}
	switch {
	case phase != nil:
		counted = *phase
		w := windowOf(r, s,
			func(spans []span) []stay { return insideCalendar(spans, width, *phase) },
			func(spans []span) []stay { return touchingCalendar(spans, width, *phase) })
		k.Calendar = &w
	case s.Kind == Calendar:
		w := k.Sliding
		w.Certified = ofAnyPhase(inside(r.admitted, width), width)
		w.ForClock = ofAnyPhase(inside(earlier(r.admitted, s.ResolutionNs), width), width)
		k.Calendar = &w
	}
	for _, cost := range byWindow(insideCalendar(r.decided, width, counted)) {
		if cost >= s.Limit.Count {
			k.Saturated++
		}
	}
	if s.Kind == Bucket {
		k.Excess = excessOf(r, s)
	}
	return k
}

// windowOf returns the busiest windows, given the windows that certainly and possibly
// hold spans.
func windowOf(r *record, s *Settings, certain, possible func([]span) []stay) Window {
	return Window{
		Certified: busiest(certain(r.admitted)), Possible: busiest(possible(r.possible())),
		ForClock: busiest(certain(earlier(r.admitted, s.ResolutionNs))), Answered: busiest(possible(r.admitted)),
	}
}

func excessOf(r *record, s *Settings) *Excess {
	rate := s.rate()
	tokens := func(units int64) float64 { return rate.tokens(units, s.Limit.Burst) }
	e := &Excess{tokens(0), tokens(0), tokens(0), tokens(0)}
	if len(r.admitted) > 0 {
		e.Certified = tokens(certifiedExcess(r.admitted, rate))
		e.ForClock = tokens(certifiedExcess(earlier(r.admitted, s.ResolutionNs), rate))
		e.Answered = tokens(possibleExcess(r.admitted, rate))
	}
	if possible := r.possible(); len(possible) > 0 {
		e.Possible = tokens(possibleExcess(possible, rate))
	}
	return e
}

// fits returns an error if the arithmetic of buckets could overflow for a record.
func fits(r *record, s *Settings) error {
	first, last, cost := latest, int64(0), int64(0)
	for _, e := range r.asked {
		first, cost = min(first, e.SentNs), cost+e.Cost
		last = max(last, e.AnsweredNs)
		if e.Verdict == exchange.Admitted {
			last = max(last, e.AnsweredNs+e.WaitNs)
		}
	}
	return s.fits(last-first, cost)
}

func (s *Settings) fits(length, cost int64) error {
	rate := s.rate()
	if length, cost = length+s.ResolutionNs+s.FailedWithinNs, cost+s.Limit.Burst; length > latest/rate.n || cost > latest/rate.per {
		return fmt.Errorf("a run of %d ns and a cost of %d cannot be judged exactly at %d per %d ns; use a limit and a window with a common divisor, or a shorter run",
			length, cost, s.Limit.Count, s.Limit.Window)
	}
	return nil
}

// silence measures the longest time from the sending of a request to its answer, and
// the longest time without an answer while a request was waiting.
func (rep *Report) silence(exchanges []exchange.Exchange) {
	asked := make([]span, 0, len(exchanges))
	var answers []int64
	for i := range exchanges {
		e := &exchanges[i]
		if e.Verdict == exchange.NotSent {
			continue
		}
		asked = append(asked, span{from: e.SentNs, to: e.AnsweredNs})
		if e.Verdict != exchange.Failed {
			answers = append(answers, e.AnsweredNs)
			rep.LongestNs = max(rep.LongestNs, e.AnsweredNs-e.SentNs)
		}
	}
	slices.SortFunc(asked, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	slices.Sort(answers)
	// A silence begins with an answer, or with a request when none waits.
	for i := 0; i < len(asked); {
		from, to := asked[i].from, asked[i].to
		for ; i < len(asked) && asked[i].from <= to; i++ {
			to = max(to, asked[i].to)
		}
		for from < to {
			end := to
			if next := after(answers, from); next < len(answers) {
				end = min(end, answers[next])
			}
			rep.SilenceNs = max(rep.SilenceNs, end-from)
			from = end
		}
	}
}
