package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/groups"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/limiters"
	"github.com/limitgauge/limitgauge/sim/results"
)

// describeFaults returns the faults of the document.
func (p *plan) describeFaults() (list []results.Fault) {
	for i := range p.scenario.Faults {
		f := &p.scenario.Faults[i]
		d := results.Fault{
			Kind: f.Kind, Unit: scenarios.FaultUnit(f.Kind), ExpectNoEffect: f.ExpectNoEffect(), Spans: []results.Span{},
			FromNs: p.origin() + f.From, Line: f.Pos.Line, Col: f.Pos.Col,
		}
		for _, s := range p.checked.Faults.Spans() {
			if s.Entry == i {
				d.Spans = append(d.Spans, results.Span{FromNs: s.From, ToNs: s.To})
				d.ToNs = max(d.ToNs, s.To)
			}
		}
		if len(d.Spans) > 0 {
			d.FromNs = d.Spans[0].FromNs
		}
		d.ToNs = max(d.FromNs, d.ToNs)
		d.Text = faultText(&d)
		list = append(list, d)
	}
	return list
}

// faultText names a fault: "server-crash 10s-40s".
func faultText(f *results.Fault) string {
	text := f.Kind + " " + units.FormatDuration(f.FromNs)
	if f.ToNs > f.FromNs {
		text += "-" + units.FormatDuration(f.ToNs)
	}
	if n := len(f.Spans); n > 1 && f.Kind != "autoscale" {
		text += fmt.Sprintf(", %d times", n)
	}
	return text
}

// unaffected returns why a fault cannot affect a row, or "" if it can.
func (p *plan) unaffected(r row, f *scenarios.Fault) string {
	switch {
	case r.algorithm != nil:
		return limiters.Unaffected(p.checked, r.algorithm, f)
	case r.recorded:
		return "the recorded limiter decided before"
	case f.Kind == "policy-change":
		return ""
	}
	return "the reference has none of the affected components"
}

// touched summarises what each fault touched in a row's trials.
func (p *plan) touched(r row, finished []*measured) (list []results.Touched) {
	for i := range p.scenario.Faults {
		t := results.Touched{Affects: p.unaffected(r, &p.scenario.Faults[i]) == "", Min: finished[0].touched[i]}
		sum := int64(0)
		for _, m := range finished {
			n := m.touched[i]
			sum += n
			t.Min, t.Max = min(t.Min, n), max(t.Max, n)
			if n == 0 {
				t.Missed++
			}
		}
		t.Mean = float64(sum) / float64(len(finished))
		list = append(list, t)
	}
	return list
}

// missedFaults returns warnings about faults that touched nothing in rows that
// they can affect, and about faults that touched something although they are
// expected not to.
func missedFaults(s *results.Scenario, rows []results.Result) (list []string) {
	for i, f := range s.Faults {
		var nowhere, sometimes, unexpected []string
		for _, r := range rows {
			if len(r.Touched) == 0 {
				continue
			}
			switch t := r.Touched[i]; {
			case f.ExpectNoEffect && t.Affects && t.Max > 0:
				unexpected = append(unexpected, r.Algorithm)
			case f.ExpectNoEffect || !t.Affects:
			case t.Max == 0:
				nowhere = append(nowhere, r.Algorithm)
			case t.Missed > 0:
				sometimes = append(sometimes, fmt.Sprintf("in %d of %d replications of %s", t.Missed, r.Replications, r.Algorithm))
			}
		}
		if len(nowhere) > 0 {
			list = append(list, fmt.Sprintf("%s touched 0 %s in %s: the figures are those of a run without the fault", f.Text, f.Unit, catalog.Join(nowhere)))
		}
		if len(sometimes) > 0 {
			list = append(list, fmt.Sprintf("%s touched 0 %s %s", f.Text, f.Unit, strings.Join(sometimes, ", ")))
		}
		if len(unexpected) > 0 {
			list = append(list, fmt.Sprintf("%s has an effect on %s, and the file states expect_no_effect: true", f.Text, catalog.Join(unexpected)))
		}
	}
	return list
}

// checkFaults returns problems of faults that cannot have an effect.
func (p *plan) checkFaults() (problems []scenarios.Problem) {
	lasts := p.end - p.origin()
	for i := range p.scenario.Faults {
		f := &p.scenario.Faults[i]
		report := func(text string, args ...any) {
			problems = append(problems, scenarios.Problem{Pos: f.Pos, Field: fmt.Sprintf(".faults[%d].%s", i, f.Kind), Message: fmt.Sprintf(text, args...)})
		}
		switch why := faults.NoEffect(f, p.world(0)); {
		case f.From >= lasts:
			report("begins at %s, and the run lasts %s", units.FormatDuration(f.From), units.FormatDuration(lasts))
		case f.ExpectNoEffect():
		case why != "":
			report("has no effect: %s", why)
		case f.Kind != "autoscale": // it moves requests to other clients under every limiter
			if why := p.affectsNone(f); why != "" {
				report("cannot affect an algorithm of this scenario (%s); set expect_no_effect: true if that is intended", why)
			}
		}
	}
	return problems
}

// affectsNone returns for each algorithm why a fault cannot affect it. It returns
// "" if the fault can affect one.
func (p *plan) affectsNone(f *scenarios.Fault) string {
	var names groups.Groups[string, string] // by reason
	for _, r := range p.rows {
		if r.algorithm == nil {
			continue
		}
		why := p.unaffected(r, f)
		if why == "" {
			return ""
		}
		names.Add(why, r.name)
	}
	whys := lists.Map(names.Keys, func(why string) string { return catalog.Join(names.Of[why]) + ": " + why })
	return strings.Join(whys, "; ")
}

// nameKeys finds the keys that faults with server: owner name.
func (p *plan) nameKeys() (problems []scenarios.Problem) {
	p.faultKeys = make([]int32, len(p.scenario.Faults))
	for i := range p.scenario.Faults {
		f := &p.scenario.Faults[i]
		if !f.Owned() {
			continue
		}
		report := func(text string, args ...any) {
			problems = append(problems, scenarios.Problem{Pos: f.Pos, Field: fmt.Sprintf(".faults[%d].%s.key", i, f.Kind), Message: fmt.Sprintf(text, args...)})
		}
		name, n := f.Values.String("key"), p.traffic.Keys()
		switch {
		case f.Values.Set("key"):
			key, ok := p.traffic.KeyCalled(name)
			if !ok {
				report("no request has the key %q%s", name, p.someKeys())
			}
			p.faultKeys[i] = int32(key)
		case n > 1:
			report("is required for the owner of one of %d keys%s", n, p.someKeys())
		}
	}
	return problems
}

// someKeys lists the first keys of the traffic.
func (p *plan) someKeys() string {
	var names []string
	for key := range min(p.traffic.Keys(), 3) {
		names = append(names, scenarios.Clip(p.traffic.KeyName(key)))
	}
	slices.Sort(names)
	return ": the first keys are " + catalog.Join(names)
}
