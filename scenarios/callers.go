package scenarios

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// PatternWorkers names the pattern whose callers wait for each answer.
const PatternWorkers = "workers"

// Callers describes what the clients of somebody else's limit do: how they retry, and
// how workers pace their calls. Pace, InFlight and Stop need the pattern workers.
type Callers struct {
	Retry     *Retries       // nil: no retries
	Budget    catalog.Choice // of retries of each process, as CallersFields declares; Name "" for none
	Pace      []Pace         // of each process; all of them hold
	InFlight  int64          // calls that a process has open at most; 0 without a bound
	Processes int64          // of each entry: its worker i belongs to process i modulo this number; so does request i of all other traffic
	Stop      bool           // a worker ends when it gives a job up
	Values    catalog.Values // of CallersFields; nil if the scenario has retries instead
}

// Pace is a limit that a process of callers sets itself.
type Pace struct {
	Limit  units.Rate
	Burst  int64 // 0: the most that one call takes
	Tokens bool  // it counts the cost of a call, as it is estimated, and not the call
}

// Values of fields of callers.
const (
	ofTokens     = "tokens"
	stopWorking  = "stop"
	oneProcess   = int64(1)
	mostWorkers  = "1000000"
	paceOfLimits = "limit"
)

// CallersFields declares what callers do.
func CallersFields() []catalog.Field {
	workers := catalog.Needs{"workers: set"}
	return []catalog.Field{
		{Name: "retry", Kind: catalog.Group, Definition: "retries", Fields: RetriesFields(),
			Doc: "how callers retry rejected requests; by default they do not"},
		{Name: "budget", Needs: catalog.Needs{"retry: set"}, Kind: catalog.Union, Choices: budgets(),
			Doc: "how many retries a process allows its callers; a call without budget is given up"},
		{Name: "pace", Needs: workers, Kind: catalog.List, Single: true, Doc: "limits that each process of a traffic entry sets its own calls, retries included; a call waits for all of them",
			Elem: &catalog.Field{Name: paceOfLimits, Kind: catalog.Union, Choices: paceKinds(), Bare: paceOfLimits, Doc: "a limit, or a limit with its burst and what it counts"}},
		{Name: "in_flight", Needs: workers, Kind: catalog.Int, Unit: "calls", Min: "1", Max: mostWorkers,
			Doc: "calls that a process of a traffic entry has open at once; by default there is no bound"},
		{Name: "processes", Needs: catalog.Needs{"pace: set or in_flight: set or budget: set"}, Kind: catalog.Int, Unit: "processes", Default: "1", Min: "1", Max: mostWorkers,
			Doc: "processes that the workers of each traffic entry, and the requests of all others together, belong to in turn; each has a pace, calls in flight and a budget of its own"},
		{Name: "give_up", Needs: workers, Kind: catalog.Enum, Enum: []string{"next", stopWorking}, Default: "next",
			Doc: "what a worker does after the last retry of a job: it takes the next job, or it ends"},
	}
}

// budgets declares how many retries a process allows.
func budgets() []catalog.Entry {
	share := func(doc string) catalog.Field {
		return catalog.Field{Name: "share", Kind: catalog.Share, Default: "20%", Min: "0", Max: "1000", Doc: doc}
	}
	return []catalog.Entry{
		{Name: "grpc", Summary: "gRPC's throttle: a refusal takes a token, an admitted call gives a part of one, and retries need more than half of all", Fields: []catalog.Field{
			{Name: "max", Kind: catalog.Int, Unit: "tokens", Default: "10", Min: "1", Max: "1000", Doc: "tokens, all there at first"},
			{Name: "ratio", Kind: catalog.Share, Default: "0.1", Min: "0.001", Max: "1000", Doc: "part of a token that an admitted call gives"}}},
		{Name: "share", Summary: "Envoy's retry budget: retries open or waiting are fewer than a share of the open calls", Fields: []catalog.Field{
			share("retries for each open call"),
			{Name: "min", Kind: catalog.Int, Unit: "retries", Default: "3", Min: "0", Max: mostWorkers, Doc: "retries that are always allowed"}}},
		{Name: "deposits", Summary: "Finagle's retry budget: first calls deposit a share of a retry, which lasts for a while", Fields: []catalog.Field{
			share("retries for each first call of the last ttl"),
			{Name: "min", Kind: catalog.Int, Unit: "retries per second", Default: "10", Min: "0", Max: "1000000", Doc: "retries per second that are always allowed"},
			{Name: "ttl", Kind: catalog.Duration, Default: "10s", Min: "1ns", Max: "1h", Doc: "how long a deposit lasts"}}},
	}
}

// paceKinds declares a limit of callers.
func paceKinds() []catalog.Entry {
	return []catalog.Entry{{Name: paceOfLimits, Summary: "at most so much per time, as a bucket that is full at first", Fields: []catalog.Field{
		{Name: paceOfLimits, Kind: catalog.Limit, Required: true, Doc: "calls or tokens per time"},
		{Name: "of", Kind: catalog.Enum, Enum: []string{"requests", ofTokens}, Default: "requests", Doc: "what it counts: calls, or their tokens as they are estimated"},
		{Name: "burst", Kind: catalog.Int, Min: "1", Doc: "depth of the bucket; by default the most that one call takes"},
	}}}
}

// asPaces returns the list of paces that a pace without a list stands for.
func (n *node) asPaces() *node {
	if n.kind == sequence || n.path == nil || n.path.name != "pace" {
		return n
	}
	return &node{kind: sequence, place: n.place, items: []*node{n}}
}

// asPace returns the mapping that a pace without one stands for, if a field of it is asked
// for.
func (n *node) asPace(field string) *node {
	if n.kind != scalar || field == "" || !slices.ContainsFunc(paceKinds()[0].Fields, func(f catalog.Field) bool { return f.Name == field }) {
		return n
	}
	return &node{kind: mapping, place: n.place, pairs: []pair{{paceOfLimits, n.place, n}}}
}

// callersField declares the callers of a scenario or of an algorithm.
func callersField(doc string) catalog.Field {
	return catalog.Field{Name: "callers", Kind: catalog.Group, Definition: "callers", Fields: CallersFields(), Doc: doc}
}

// callers binds what callers do, or returns nil if nothing is said.
func (l *loader) callers(n *node, v catalog.Values) *Callers {
	given := n.get("callers")
	own, bound := v["callers"].V.(catalog.Values)
	if given == nil || !bound {
		return nil
	}
	c := &Callers{Values: own, Budget: own.Choice("budget"), InFlight: own.Int("in_flight"), Processes: cmp.Or(own.Int("processes"), oneProcess), Stop: own.String("give_up") == stopWorking}
	if r, ok := own["retry"].V.(catalog.Values); ok {
		c.Retry = l.retries(r, given.at("retry"))
	}
	for _, item := range own.List("pace") {
		if p, ok := item.(catalog.Choice); ok {
			c.Pace = append(c.Pace, Pace{p.Values.Rate(paceOfLimits), p.Values.Int("burst"), p.Values.String("of") == ofTokens})
		}
	}
	return c
}

// scenarioCallers binds the callers of a scenario, which retries may state alone.
func (l *loader) scenarioCallers(n *node, v catalog.Values) *Callers {
	c := l.callers(n, v)
	r, ok := v["retries"].V.(catalog.Values)
	if !ok {
		return c
	}
	if n.get("callers") != nil {
		l.report(n.at("retries"), "is short for callers: {retry: …}, which is also given: remove one of the two")
		return c
	}
	return &Callers{Retry: l.retries(r, n.at("retries")), Processes: oneProcess}
}

// CallersOf returns the callers of an algorithm of the scenario, or those of its
// references if a is nil. It returns nil if the scenario says nothing of callers.
func (s *Scenario) CallersOf(a *Algorithm) *Callers {
	if a != nil && a.Callers != nil {
		return a.Callers
	}
	return s.Callers
}

// RetriesOf returns the retries of the callers of an algorithm, or of the references if
// a is nil; nil if they do not retry.
func (s *Scenario) RetriesOf(a *Algorithm) *Retries {
	if c := s.CallersOf(a); c != nil {
		return c.Retry
	}
	return nil
}

// Retry reports whether the callers of a row retry.
func (s *Scenario) Retry() bool {
	return s.RetriesOf(nil) != nil || slices.ContainsFunc(s.Algorithms, func(a Algorithm) bool { return s.RetriesOf(&a) != nil })
}

// Workers returns the entries of the scenario's traffic whose callers wait for answers.
func (s *Scenario) Workers() (entries []*Traffic) {
	for i := range s.Traffic {
		if s.Traffic[i].Pattern == PatternWorkers {
			entries = append(entries, &s.Traffic[i])
		}
	}
	return entries
}

// checkWorkers checks what callers do against the workers of a scenario.
func (l *loader) checkWorkers(n *node, s *Scenario, entries []entry) {
	var largest *entry // with the most workers; nil without any
	for i := range entries {
		e := &entries[i]
		if e.Pattern != PatternWorkers {
			continue
		}
		if s.Warmup > 0 && e.Options.Set("jobs") {
			l.report(e.node.at("jobs"), "has no warm-up: remove warmup, which is %s", units.FormatDuration(s.Warmup))
		}
		l.checkProgress(s, e)
		if largest == nil || e.Options.Int("count") > largest.Options.Int("count") {
			largest = e
		}
	}
	if largest == nil {
		return
	}
	l.checkCallers(s, s.Callers, largest, n.at("callers"))
	for i := range s.Algorithms {
		if a := &s.Algorithms[i]; a.Callers != nil {
			l.checkCallers(s, a.Callers, largest, itemOf(n, a).place)
		}
	}
}

// checkProgress checks that the workers of an entry leave each instant in all rows.
func (l *loader) checkProgress(s *Scenario, e *entry) {
	if e.node.get("jobs") != nil || waits(e.Options.Choice("think")) {
		return
	}
	for k := -1; k < len(s.Algorithms); k++ {
		c, row, exact := s.Callers, "reference", true
		if k >= 0 {
			a := &s.Algorithms[k]
			c, row, exact = s.CallersOf(a), a.Name, l.isReference(s, a)
		}
		switch paced := c != nil && len(c.Pace) > 0; {
		case !waits(e.Answer) && !paced:
			l.report(e.node.at("answer"), "workers that neither wait nor run out of jobs would not get on: give answer, think, or jobs")
			return
		case exact && !c.pauses() && l.refuses(s, &e.Traffic, c):
			l.report(e.node.at("think"), "in %s, refused workers would call again and again at one instant: give think, jobs, a pace, give_up: stop, or a retry that waits", Clip(row))
			return
		}
	}
}

// waits reports whether a time can be above 0.
func waits(c catalog.Choice) bool { return c.Name != "constant" || c.Values.Duration("time") > 0 }

// pauses reports whether a worker that is refused waits or ends before its next call.
func (c *Callers) pauses() bool {
	switch {
	case c == nil:
		return false
	case len(c.Pace) > 0 || c.Stop:
		return true
	}
	r := c.Retry
	return r != nil && (r.Attempts > 0 || !r.Values.Set("attempts")) && r.Refused && r.Backoff.Name != "immediate" && waits(r.Backoff)
}

// isReference reports whether an algorithm is sure to refuse what the exact limit refuses, at
// once: it is that limit.
func (l *loader) isReference(s *Scenario, a *Algorithm) bool {
	o, r := a.Options, s.Policy.Reference
	exact := catalog.Find(l.catalog.Presets, r.Kind) // nil for kinds that no row has
	return exact != nil && a.Enforcement == exact.Enforcement && a.Counter == r.Kind && !r.Own && o.Choice("sidecar").Name == "none" && !o.Set("burst") && !o.Bool("debt")
}

// refuses reports whether the exact limit is sure to refuse a call of workers that wait for
// nothing but their answers: one of the first instant, or one until the entry ends.
func (l *loader) refuses(s *Scenario, e *Traffic, c *Callers) bool {
	limit, burst := s.Policy.Reference.Limit, s.Policy.Reference.Burst
	if e.Keys.Name != "one" || e.Descriptors != nil || limit.Per == 0 { // 0 after a problem
		return false
	}
	tokens, start := float64(e.Options.Int("count")), e.Options.Duration("start") // tokens of a round of calls, at least
	if c != nil && c.InFlight > 0 {
		tokens = min(tokens, float64(c.InFlight)*float64(c.Processes))
	}
	if e.Cost.Name == "constant" && !s.Policy.Requests {
		tokens *= float64(e.Cost.Values.Int("value"))
	}
	if exact := catalog.Find(l.catalog.Counters, s.Policy.Reference.Kind); exact == nil || !slices.Contains(exact.With, "with a burst") {
		burst = limit.Count
	}
	if start == 0 && tokens > float64(burst) {
		return true
	}
	answer, span := e.Answer.Values.Duration("time"), e.To-e.From-start
	if e.Answer.Name != "constant" || answer == 0 || span <= 0 || s.Guard != nil || len(s.Faults) > 0 {
		return false
	}
	rounds := float64(1 + (span-1)/answer)
	return rounds*tokens > float64(burst)+float64(limit.Count)*float64(span)/float64(limit.Per)+1
}

// checkCallers checks callers against the entry with the most workers.
func (l *loader) checkCallers(s *Scenario, c *Callers, e *entry, at place) {
	if c == nil {
		return
	}
	count := e.Options.Int("count")
	warn := func(field, message string) {
		s.Warnings = append(s.Warnings, Problem{Path: l.file.Path, Pos: c.Values[field].Pos, Field: at.field(field).path.String(), Message: message})
	}
	if e.Options.Set("count") && c.Processes > count {
		l.report(place{c.Values["processes"].Pos, at.field("processes").path}, "%d is above %d, the count of %s", c.Processes, count, Clip(e.Name))
	}
	if c.InFlight >= count && c.InFlight > 0 {
		warn("in_flight", noEffect+"more workers than that")
	}
	tokens := func(p Pace) bool { return p.Tokens }
	dear := func(t *Traffic) bool { return t.Cost.Name != "constant" || t.Cost.Values.Int("value") > 1 }
	if slices.ContainsFunc(c.Pace, tokens) && !slices.ContainsFunc(s.Workers(), dear) {
		warn("pace", "counts tokens, but every call costs 1")
	}
}
