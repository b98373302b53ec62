package trial

import (
	"fmt"
	"maps"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/live/bounds"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/send"
	"github.com/limitgauge/limitgauge/sim/results"
)

// measurement is what a trial showed.
type measurement struct {
	*Trial
	run          *send.Result
	report       *bounds.Report
	figures      []bounds.Figure
	worstKey     string
	shiftNs      int64               // from the sender's clock to one on which the target's windows begin at whole windows
	drawn        int                 // number of the element of parts, from 1, that says when requests are decided, or 0: when they are sent
	took         []int64             // times from sending to verdict, sorted
	sincePlanned []int64             // times from the planned time to the verdict, sorted
	off          map[string]float64  // by how much each figure is certainly off the prediction
	others       []results.LiveJudge // the verdicts by other promises
	needsPhase   bool                // the prediction depends on the phase of the target's windows, which is unknown
}

// times fills in the sorted latencies.
func (m *measurement) times() {
	for i := range m.run.Exchanges {
		if x := &m.run.Exchanges[i]; x.Verdict == exchange.Admitted || x.Verdict == exchange.Rejected {
			m.took = append(m.took, x.AnsweredNs-x.SentNs)
			m.sincePlanned = append(m.sincePlanned, x.AnsweredNs-x.IntendedNs)
		}
	}
	slices.Sort(m.took)
	slices.Sort(m.sincePlanned)
}

// addTo adds the row of the target to the document of the simulation.
func (m *measurement) addTo(d *results.Document) {
	d.Stamp.Kind = results.KindLive
	d.Partial = d.Partial || m.run.Partial
	row := results.Result{
		Scenario: m.scenario().Name, Policy: m.scenario().Policy.Name, Algorithm: m.Target,
		Replications: 1, WorstKey: m.worstKey, Metrics: metricsOf(m.figures), Live: m.live(),
	}
	at := slices.IndexFunc(d.Results, func(r results.Result) bool { return !r.Reference })
	if at < 0 {
		at = len(d.Results)
	}
	d.Results = slices.Insert(d.Results, at, row)
	m.addCourse(d)
}

// metricsOf returns figures as those of a row.
func metricsOf(figures []bounds.Figure) map[string]results.Summary {
	metrics := map[string]results.Summary{}
	for _, f := range figures {
		s := results.Summary{Reason: f.None}
		if f.None == "" {
			s = results.Summary{Bounds: true, Mean: &f.Seen, Lo: &f.Lo, Hi: &f.Hi, Values: []*float64{&f.Seen}}
		}
		metrics[f.Name] = s
	}
	return metrics
}

// live returns what the row says beside its figures.
func (m *measurement) live() *results.Live {
	rep, sender := m.report, m.run.Sender
	sender.AnswerP50Ns, sender.AnswerP99Ns, sender.AnswerMaxNs = send.Percentile(m.took, 50), send.Percentile(m.took, 99), send.Percentile(m.took, 100)
	sender.PlannedP50Ns, sender.PlannedP99Ns = send.Percentile(m.sincePlanned, 50), send.Percentile(m.sincePlanned, 99)
	sender.SilenceNs, sender.Late = rep.SilenceNs, send.Late(&sender, m.Limit().Window)
	l := &results.Live{
		Target: m.Target, JudgedBy: m.Promise, Over: verdict(rep.Judgement), Under: verdict(rep.Under), Others: m.others, Unevaluated: m.unevaluated(),
		Stated: m.stated(), Phase: m.phase(), Failures: m.classes(exchange.Failed), Unsent: m.classes(exchange.NotSent), Promises: rep.Promises, Predict: m.Predict, Off: m.off, NeedsPhase: m.needsPhase,
		Sender: sender,
	}
	if l.Unevaluated != "" && l.Over.Outcome == bounds.Kept.String() {
		l.Over.Outcome, l.Over.Text = bounds.NotJudged.String(), "could not be evaluated ("+l.Unevaluated+")"
	}
	return l
}

// unevaluated returns why the run cannot show that the limit is kept, or "". It never is that
// the sender was late: the verdict is on the requests as they were sent.
func (m *measurement) unevaluated() string {
	if m.run.Partial && m.run.Stopped != send.Interrupted {
		return m.run.Stopped
	}
	return m.report.Reason
}

func verdict(j bounds.Judgement) results.LiveVerdict {
	return results.LiveVerdict{
		Outcome: j.Outcome.String(), Certified: min(j.Certified, j.Possible), Possible: j.Possible, Text: j.Text, Hint: j.Hint,
	}
}

// phase says when the target's calendar windows begin, and how that is known.
func (m *measurement) phase() results.LivePhase {
	f := m.report.Phase
	if f.Phase == nil {
		return results.LivePhase{Text: f.Reason}
	}
	windowNs := m.Limit().Window
	// The phase by the clock of this machine, which shows whether the target's differs.
	here := (m.run.Start.UnixNano() + f.Phase.EarliestNs) % windowNs
	if here > windowNs/2 {
		here -= windowNs // before the next whole window
	}
	how := fmt.Sprintf("%d of %d edges in %s agree", f.Agreeing, f.Edges, format.Count(f.Windows, "window"))
	if f.Read {
		how = "--clock; " + how
	}
	return results.LivePhase{
		Known: true, EarliestNs: f.Phase.EarliestNs, LatestNs: f.Phase.LatestNs,
		Text: fmt.Sprintf("windows begin %s to %s ms after whole windows of this machine's clock (%s)",
			format.Number(float64(here)/1e6), format.Number(float64(here+f.Phase.LatestNs-f.Phase.EarliestNs)/1e6), how),
	}
}

// classes counts the requests with a verdict, such as exchange.Failed, by their class.
func (m *measurement) classes(v exchange.Verdict) []results.LiveFailure {
	count := map[string]int64{}
	for i := range m.run.Exchanges {
		if x := &m.run.Exchanges[i]; x.Verdict == v {
			count[x.Failure]++
		}
	}
	return lists.Map(slices.Sorted(maps.Keys(count)), func(class string) results.LiveFailure {
		return results.LiveFailure{Class: class, Count: count[class]}
	})
}

// stated counts the answers that state a limit by what they state.
func (m *measurement) stated() (list []results.LiveStated) {
	limit := m.Limit()
	for _, x := range m.answered() {
		if x.StatedLimit <= 0 || x.Verdict == exchange.Failed {
			continue
		}
		i := slices.IndexFunc(list, func(s results.LiveStated) bool { return s.Limit == x.StatedLimit && s.WindowNs == x.StatedWindowNs })
		if i < 0 {
			i = len(list)
			list = append(list, results.LiveStated{
				Limit: x.StatedLimit, WindowNs: x.StatedWindowNs,
				Differs: x.StatedLimit != limit.Count || x.StatedWindowNs >= 0 && x.StatedWindowNs != limit.Window,
			})
		}
		if list[i].Count++; len(list) > mostStated {
			return list[:mostStated] // it is no limit
		}
	}
	return list
}

const mostStated = 10 // different limits that are counted
