package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// measured holds the figures and plot data of one trial.
type measured struct {
	row        row
	figures    []measure.Figure
	halves     [2][]measure.Figure // the headline figures of each half of the span; nil by policy
	touched    []int64             // by fault of the scenario
	answers    measure.Answers     // if the backend has a deadline
	worst      worstKey            // of over_limit_pct_worst_key
	difference *results.Difference // nil if there is none
	stuck      bool                // workers did not leave an instant of a trial of best-fixed
	byPolicy   []*measured         // figures and worst key of each policy, in multi-policy scenarios
	// Of the first replication only:
	first   results.Document // series, shares, histograms and so on of the row
	busiest string           // the key with the most cost offered, "" without traffic
}

// assemble builds the document from what the jobs measured, in the order of the
// scenario file. A row counts the replications that finished without a gap from
// the first one.
func assemble(plans []*plan, jobs []*job, stamp results.Stamp) *results.Document {
	d := &results.Document{
		SchemaVersion: results.SchemaVersion, Stamp: stamp,
		Input: []results.Input{}, Scenarios: []results.Scenario{}, Results: []results.Result{}, Series: []results.Series{},
		Shares: []results.Shares{}, Histograms: []results.Histogram{}, Rejections: []results.Rejections{},
	}
	trials, digests := finishedTrials(plans, jobs)
	for _, p := range plans {
		d.Scenarios = append(d.Scenarios, p.describe())
		d.Scenarios[len(d.Scenarios)-1].TrafficDigests = beforeGap(digests[p], "")
		d.Scenarios[len(d.Scenarios)-1].BestFixed = p.grid.describe()
		d.Input = append(d.Input, p.input()...)
		for _, r := range p.grid.with(p.rows, trials[p]) {
			finished := beforeGap(trials[p][r.name], nil)
			if len(finished) == 0 {
				continue
			}
			result := p.result(r, strings.Join(p.policyNames(), " + "), finished)
			result.FirstDifference = firstDifference(finished)
			result.Touched = p.touched(r, finished)
			d.Results = append(d.Results, result)
			d.ByPolicy = append(d.ByPolicy, p.byPolicy(r, finished)...)
			first := &finished[0].first
			d.Series = append(d.Series, first.Series...)
			d.Shares = append(d.Shares, first.Shares...)
			d.ClientShares = append(d.ClientShares, first.ClientShares...)
			d.ServerLoads = append(d.ServerLoads, first.ServerLoads...)
			d.Histograms = append(d.Histograms, first.Histograms...)
			d.Rejections = append(d.Rejections, first.Rejections...)
			d.PolicySeries = append(d.PolicySeries, first.PolicySeries...)
		}
		last := &d.Scenarios[len(d.Scenarios)-1]
		if rows := d.Rows(last.Name); len(rows) > 0 && len(last.Unsteady) == 0 {
			last.AdvisedWarmupNs, last.DrainNs = p.warmUp(rows[0])
		}
		last.Warnings = append(last.Warnings, missedFaults(last, d.Rows(last.Name))...)
	}
	return d
}

// finishedTrials returns the trials of each plan's rows, and the digests of its traffic, by
// replication. An unfinished trial is nil.
func finishedTrials(plans []*plan, jobs []*job) (trials map[*plan]map[string][]*measured, digests map[*plan][]string) {
	trials, digests = map[*plan]map[string][]*measured{}, map[*plan][]string{}
	for _, p := range plans {
		digests[p] = make([]string, p.replications)
		byRow := map[string][]*measured{}
		for _, r := range p.rows {
			byRow[r.name] = make([]*measured, p.runs(r))
		}
		trials[p] = byRow
	}
	for _, j := range lists.Where(jobs, func(j *job) bool { return j.done }) {
		digests[j.plan][j.replication] = j.digest
		for _, m := range j.measured {
			trials[j.plan][m.row.name][j.replication] = m
		}
	}
	return trials, digests
}

// beforeGap returns the elements before the first that is gap.
func beforeGap[T comparable](list []T, gap T) []T {
	if i := slices.Index(list, gap); i >= 0 {
		return list[:i]
	}
	return list
}

// runs returns the number of replications of a row: one if the row is
// deterministic.
func (p *plan) runs(r row) int {
	if !r.random {
		return 1
	}
	return p.replications
}

// result summarises a row's trials. Their figures belong to this policy.
func (p *plan) result(r row, policy string, finished []*measured) results.Result {
	out := results.Result{
		Scenario: p.scenario.Name, Policy: policy, Algorithm: r.name, Reference: r.reference,
		Exact: !r.random, FollowsTraffic: r.random && !r.draws, OnePhase: !r.random && slices.ContainsFunc(p.scenario.Traffic, func(t scenarios.Traffic) bool { return t.OnePhase }),
		Replications: len(finished), WorstKey: r.namedWorst(finished), Metrics: map[string]results.Summary{},
	}
	if g := p.scenario.Guard; g != nil && g.Deadline > 0 && g.Deadline >= p.resolution() {
		out.Verdict = verdict(finished, g.Concurrency)
	}
	if a := r.algorithm; a != nil {
		out.As = a.Options.String("as")
		out.Counts = p.counts(a, r.name)
	}
	if a := r.algorithm; a != nil && a.Rollout != nil {
		out.Rollout = describeRollout(a.Rollout, p.scenario.Topology.Clients)
	}
	for i, f := range finished[0].figures {
		out.Metrics[f.Name] = r.summarise(finished, i, func(m *measured) []measure.Figure { return m.figures })
	}
	if w := r.waiting; w != nil && r.reference {
		out.Waiting = describeWaiting(w, strings.TrimSuffix(results.CostUnit([]results.Result{out}), "s"))
	} else if w != nil {
		out.ComparedWith = r.against
	}
	for i, f := range finished[0].halves[0] {
		var halves [2]results.Summary
		for half := range halves {
			halves[half] = r.summarise(finished, i, func(m *measured) []measure.Figure { return m.halves[half] })
		}
		if out.Halves == nil {
			out.Halves = map[string][2]results.Summary{}
		}
		out.Halves[f.Name] = halves
	}
	return out
}

// verdict returns the text of results.Result.Verdict, of all replications together.
func verdict(trials []*measured, servers int64) string {
	var fifth, last float64
	var good, requests int64
	for _, m := range trials {
		a := &m.answers
		fifth, last = fifth+a.Held[0], last+a.Held[1]
		good, requests = good+a.Good, requests+a.Requests
	}
	switch more := float64(1.5*fifth) + float64(servers)*float64(len(trials)); {
	case last > more:
		return "backlogged"
	case 100*good < 99*requests:
		return "overloaded"
	}
	return "stable"
}

// summarise returns figure number i of a row's trials.
func (r row) summarise(trials []*measured, i int, figures func(*measured) []measure.Figure) results.Summary {
	s := summarise(lists.Map(trials, func(m *measured) measure.Value { return figures(m)[i].Value }))
	if r.random && len(trials) > 1 && s.Equal() {
		s.MayDifferPct = results.MayDiffer(len(trials))
	}
	return s
}

// describeWaiting returns the text of results.Result.Waiting, where costs count this unit.
func describeWaiting(w *counting.Waiting, unit string) string {
	switch {
	case w.Queue && w.Delay > 0:
		return fmt.Sprintf("a queue of %s, %d of them without delay", format.Count(w.Burst, unit), min(w.Delay, w.Burst))
	case w.Queue:
		return fmt.Sprintf("a queue of %s", format.Count(w.Burst, unit))
	case w.Time == 0:
		return "no waits"
	case w.Time == counting.Never:
		return "waits of any length"
	}
	return "waits of at most " + units.FormatDuration(w.Time)
}

// describeRollout returns the text of results.Result.Rollout.
func describeRollout(r *scenarios.Rollout, clients int) string {
	text := fmt.Sprintf("%d of %s to %s", r.Clients, format.Count(clients, "client"), r.To.Name)
	if r.Until > r.From {
		text += fmt.Sprintf(" from %s to %s", units.FormatDuration(r.From), units.FormatDuration(r.Until))
	} else if r.From > 0 {
		text += " at " + units.FormatDuration(r.From)
	}
	if r.Shared() {
		text += fmt.Sprintf(", all over the service of the %s algorithm", r.Service)
	}
	return text
}

// describe returns the scenario's entry in the document.
func (p *plan) describe() results.Scenario {
	s := p.scenario
	d := results.Scenario{
		Name: s.Name, About: s.About, Clients: s.Topology.Clients, Servers: s.Topology.Servers,
		Seed: s.Seed, MetricSet: catalog.MetricSet(s.Full), StartNs: p.start, EndNs: p.end,
		Keys: int64(p.traffic.Keys()), Tenants: int64(p.traffic.Tenants()),
		Policy: describePolicy(&s.Policy), Policies: p.describePolicies(),
		Unsteady: p.unsteady(), Columns: s.Columns, Expectations: []results.Expectation{}, Warnings: p.warnings(), Faults: p.describeFaults(),
	}
	for _, c := range p.traffic.Crews() {
		d.Workers += c.Workers
		d.Others = p.traffic.Sends()
	}
	if g := s.Guard; g != nil && g.Deadline > 0 {
		d.Slow = lists.Map(g.Slow, func(s scenarios.SlowPeriod) results.Span { return results.Span{FromNs: s.From, ToNs: s.To} })
	}
	for _, e := range s.Expect {
		if e.OfTarget {
			continue // there is no such row
		}
		d.Expectations = append(d.Expectations, results.Expectation{
			Algorithm: e.Algorithm, Metric: e.Metric, Op: e.Op, Threshold: e.Threshold, Relative: e.Relative, Text: e.Text,
			Line: e.Pos.Line, Col: e.Pos.Col,
		})
	}
	return d
}

// input returns the facts of the logs that the scenario replays.
func (p *plan) input() []results.Input {
	var inputs []results.Input
	for i := range p.scenario.Traffic {
		r := p.recordings[i]
		if r == nil {
			continue
		}
		f := r.Facts
		in := results.Input{
			Scenario: p.scenario.Name, Traffic: p.scenario.Traffic[i].Name, Files: f.Files, Format: f.Format,
			Rows: f.Rows, Malformed: f.Malformed, FirstNs: f.FirstNs, LastNs: f.LastNs, Keys: f.Keys,
			PeakPerS: f.PeakPerS, MeanPerS: f.MeanPerS, ResolutionNs: f.ResolutionNs, OutOfOrder: f.OutOfOrder,
			Cost: f.Cost, Relative: f.Relative, Problems: []results.InputProblem{},
		}
		for _, bad := range f.Problems {
			in.Problems = append(in.Problems, results.InputProblem(bad))
		}
		in.Choices = lists.Map(f.Choices, describeChoice)
		inputs = append(inputs, in)
	}
	return inputs
}

// describeChoice returns the entry of a file in the document.
func describeChoice(c logs.Choice) results.InputChoice {
	d := results.InputChoice{
		File: c.File, Format: c.Format, Wrappers: c.Wrappers, Time: c.Time, Notation: c.Notation,
		Key: c.Key, Client: c.Client, Cost: c.Cost, Verdict: c.Verdict, Rows: c.Rows, Malformed: c.Bad, Text: c.String(),
	}
	for _, o := range c.Others {
		d.Others = append(d.Others, results.Candidate(o))
	}
	return d
}

// counts returns the counter of an algorithm if it has no burst, the policy has one, and the
// name of the row does not say so; otherwise "".
func (p *plan) counts(a *scenarios.Algorithm, row string) string {
	known := Catalog()
	c := known.Counter(a.Counter)
	if c == nil || exactKinds[p.scenario.Policy.Reference.Kind].kind != measure.TokenBucket || strings.Contains(row, a.Counter) ||
		slices.Contains(c.With, "with a burst") || catalog.Find(c.Fields, "burst") != nil {
		return ""
	}
	return a.Counter
}
