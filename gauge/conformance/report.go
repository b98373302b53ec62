package conformance

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Report is the result of Check.
type Report struct {
	As         string // the counter
	Options    Options
	Tables     int         // step tables run, each under one policy
	Sessions   int         // random sessions run
	Calls      int64       // calls in all of them
	Spans      [2]int64    // the shortest and the longest bound of Options.Span on a session, in ns; 0 if there was none
	Tolerated  int64       // verdicts that only the tolerance explains
	Difference *Difference // nil if the limiter conforms
	Overflow   *Difference // of one that conforms, with numbers that hardly any scenario has; nil if there is none
}

// Difference is the shortest list of calls found on which limiter and counter differ.
// The last call is the one on which they do.
type Difference struct {
	Session      string // the table or random session
	SessionCalls int    // the number of calls that were made fewer
	Failed       error  // of a limiter that gave no verdicts, then there is nothing else
	Policy       Policy
	Fewest       bool // no call can be removed; false if the search ended before
	// Calls is empty if the limiter gave other verdicts when it was asked the same
	// again in another session.
	Calls []Step
}

// Step is a call with both verdicts and the counter's state before it.
type Step struct {
	Call
	Counter, Limiter bool // admitted
	Tolerated        bool // only the tolerance explains the limiter's verdict
	Level            int64
	RetryAtNs        int64 // the earliest time at which the counter admits the call, or counting.Never
}

// describe fills in the calls of a difference.
func (c *check) describe(d *Difference, calls []Call) error {
	admitted, err := c.ask(d.Policy, calls)
	if err != nil {
		return err
	}
	keys := c.exact.histories(d.Policy)
	for i, call := range calls {
		h := keys(call.Key)
		step := Step{Call: call, Limiter: admitted[i], Level: h.counter.state.Level(0, call.AtNs), RetryAtNs: h.counter.state.RetryAt(0, call.AtNs, call.Cost)}
		o := h.add(call, admitted[i], c.report.Options.ToleranceNs)
		step.Counter, step.Tolerated = admitted[i] == (o == equal), o == explained
		d.Calls = append(d.Calls, step)
		if o == different {
			return nil
		}
	}
	d.Calls = nil
	return nil
}

// bound notes the latest time of a session.
func (r *Report) bound(ns int64) {
	if ns == latest {
		return
	}
	if r.Spans[1] = max(r.Spans[1], ns); r.Spans[0] == 0 || ns < r.Spans[0] {
		r.Spans[0] = ns
	}
}

// Write writes the report as text.
func (r *Report) Write(w io.Writer) error {
	out := &page{}
	out.line("%s, %s, %s", format.Count(r.Tables, "table"), format.Count(r.Sessions, "random session"), format.Count(r.Calls, "call"))
	if r.Options.ToleranceNs > 0 {
		out.line("%s within the tolerance of %s", format.Count(r.Tolerated, "verdict")+" differ"+format.Verb(r.Tolerated, "s", ""), units.FormatDuration(r.Options.ToleranceNs))
	}
	if least, most := units.FormatDuration(r.Spans[0]), units.FormatDuration(r.Spans[1]); r.Spans[1] > 0 {
		if least != most {
			most = least + " to " + most + ", depending on the limit"
		}
		out.line("sessions last at most %s, because timers of the limiter take long", most)
	}
	if r.Options.Apart {
		out.line("calls of the limiter overlap: times are those at which it decides, and no two are equal")
	}
	if !r.Options.Backwards {
		out.line("the clock was never set back")
	}
	if r.Difference == nil {
		out.line("decides like %s", r.As)
		if r.Overflow != nil {
			out.line("")
			out.line("%s", r.Overflow.finding())
			r.Overflow.write(out, r.As)
		}
	} else {
		out.line("does not decide like %s", r.As)
		out.line("")
		r.Difference.write(out, r.As)
	}
	_, err := out.WriteTo(w)
	return err
}

// finding says which numbers, that hardly any scenario has, the limiter decides otherwise.
func (d *Difference) finding() string {
	if n := len(d.Calls); n > 0 && d.Calls[n-1].Cost == 0 {
		return "finding: with a cost of 0, which no request of a scenario has, it does not"
	}
	return "finding: with larger numbers it does not, so an integer of it may overflow. The numbers are costs, limits and bursts above 10^9, or times whose product with them is above 2^60 ns"
}

func (d *Difference) write(out *page, as string) {
	out.line("%s: %s", d.Session, policyText(d.Policy))
	switch {
	case d.Failed != nil:
		out.line("%v", d.Failed)
		return
	case len(d.Calls) == 0:
		out.line("asked the same %s again, the limiter gave other verdicts", format.Count(d.SessionCalls, "call"))
		return
	case d.Fewest:
		out.line("the fewest of %d calls that show the difference:", d.SessionCalls)
	default:
		out.line("some of %d calls that show the difference; the search ended before the fewest:", d.SessionCalls)
	}
	out.line("")
	shown := d.Calls[max(len(d.Calls)-maxShown, 0):]
	before := len(d.Calls) - len(shown)
	if before > 0 {
		out.line("(%s before, from %s on)", format.Count(before, "call"), units.FormatDuration(d.Calls[0].AtNs))
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "call\tat\tkey\tcost\t%s\tlimiter\tlevel\n", as)
	for i, s := range shown {
		limiter := verdict(s.Limiter)
		if s.Tolerated {
			limiter += " (tolerated)"
		}
		fmt.Fprintf(t, "%d\t%s\t%s\t%d\t%s\t%s\t%d\n", before+i+1, units.FormatDuration(s.AtNs), quoted(s.Key), s.Cost, verdict(s.Counter), limiter, s.Level)
	}
	t.Flush()
	last := d.Calls[len(d.Calls)-1]
	out.line("")
	out.line("call %d, at %d ns: %s", len(d.Calls), last.AtNs, last.reason(as))
	if !slices.IsSortedFunc(d.Calls, func(x, y Step) int { return cmp.Compare(x.AtNs, y.AtNs) }) {
		out.line("the clock is set back here; no verdict differed in the sessions in which it is not")
	}
}

func policyText(p Policy) string {
	return fmt.Sprintf("limit %s, burst %d", units.Rate{Count: p.Count, Per: p.Window}, p.Burst)
}

// maxShown is the number of calls that a report shows.
const maxShown = 50

// quoted returns a key for display. Of a long one it shows the ends and the length.
func quoted(key string) string {
	const most = 40
	shown := format.Shorten(key, most)
	if shown == key {
		return strconv.Quote(key)
	}
	return fmt.Sprintf("%q (%d bytes)", shown, len(key))
}

// reason returns why the counter decides so.
func (s *Step) reason(as string) string {
	why := fmt.Sprintf("%s has a level of %d and %s cost %d", as, s.Level, map[bool]string{true: "admits", false: "rejects"}[s.Counter], s.Cost)
	switch {
	case s.Counter:
		return why
	case s.RetryAtNs == counting.Never:
		return why + ", always"
	}
	return why + fmt.Sprintf(" until %d ns", s.RetryAtNs)
}

func verdict(admitted bool) string {
	if admitted {
		return "admitted"
	}
	return "rejected"
}

// page is a text that is written line by line.
type page struct{ bytes.Buffer }

func (p *page) line(text string, args ...any) { fmt.Fprintf(p, text+"\n", args...) }
