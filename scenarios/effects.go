package scenarios

import (
	"fmt"
	"maps"
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// twoMeanings is the warning for a policy with a burst of 0 that does not name its
// reference: which of two limits it means decides whether a limiter is wrong.
const twoMeanings = "0 has two meanings; set reference to say which. One request at a time (reference: token-bucket, the default; nginx without burst) " +
	"admits k/(1+k) of the limit of random demand at k times the limit. No burst beyond the limit (reference: sliding-log) admits all of it, up to the limit. " +
	"At k = 3 the second admits 33 % more than the first, at k = 0.8 the first 44 % less than the second"

// effects finds the options of a file that cannot have an effect. Scenarios share
// definitions, so an option has no effect only if it has none in any of the
// scenarios that use it.
type effects struct {
	path   string             // of the file
	found  map[string]*option // by position and path
	order  []*option
	within int // number of the scenario
}

// option is an option that the file sets and that has conditions.
type option struct {
	problem   Problem
	effective bool
	scenarios []int
}

// look returns the value of a name in the conditions of options, or nil.
type look func(name string) any

// inside returns a look that finds the values first.
func (outer look) inside(v catalog.Values) look {
	return func(name string) any {
		if x, ok := v[name]; ok && x.V != nil {
			return x.V
		}
		return outer(name)
	}
}

// repeats returns a look that also knows whether what values describe, first at a
// time, repeats before the end.
func (outer look) repeats(v catalog.Values, first, end int64) look {
	return func(name string) any {
		if name != catalog.Repeats {
			return outer(name)
		}
		return first+v.Duration("every") < end || end <= 0 // a trace decides it
	}
}

// check looks at the options that values set. needs holds further conditions of
// fields by name.
func (e *effects) check(fields []catalog.Field, v catalog.Values, outer look, needs map[string]catalog.Needs, path string) {
	around := outer.inside(v)
	for i := range fields {
		f := &fields[i]
		x := v[f.Name]
		if !x.Given {
			continue
		}
		own, inner := path+"."+f.Name, around
		group, isGroup := x.V.(catalog.Values)
		if isGroup {
			inner = around.inside(group)
		}
		all := slices.Concat(f.Needs, needs[f.Name])
		if len(all) > 0 && !isDefault(f, x.V) && e.see(own, x.Pos, all.Unmet(inner)) {
			continue
		}
		switch value := x.V.(type) {
		case catalog.Values:
			e.check(f.Fields, value, around, nil, own)
		case catalog.Choice:
			if kind := catalog.Find(f.Choices, value.Name); kind != nil {
				e.check(kind.Fields, value.Values, around, nil, own+"."+value.Name)
			}
		case []any:
			for i, item := range value {
				if item, ok := item.(catalog.Values); ok {
					e.check(f.Elem.Fields, item, around, nil, fmt.Sprintf("%s[%d]", own, i))
				}
			}
		}
	}
}

// noEffect begins the warning of an option without effect.
const noEffect = "has no effect without "

// see records whether an option has an effect in a scenario, and reports whether
// it has none.
func (e *effects) see(path string, pos catalog.Position, unmet catalog.Needs) bool {
	at := fmt.Sprint(pos, path)
	o := e.found[at]
	if o == nil {
		o = &option{problem: Problem{Path: e.path, Pos: pos, Field: path}}
		e.found[at] = o
		e.order = append(e.order, o)
	}
	o.scenarios = append(o.scenarios, e.within)
	if len(unmet) == 0 {
		o.effective = true
		return false
	}
	o.problem.Message = noEffect + unmet.String()
	return true
}

// isDefault reports whether a value is the default of its field.
func isDefault(f *catalog.Field, v any) bool {
	return f.Default != "" && same(fallback(f, f.Default), v)
}

// same reports whether two bound values are equal, wherever they stand.
func same(a, b any) bool {
	switch a := a.(type) {
	case catalog.Choice:
		b, ok := b.(catalog.Choice)
		return ok && a.Name == b.Name && same(a.Values, b.Values)
	case catalog.Values:
		b, ok := b.(catalog.Values)
		return ok && maps.EqualFunc(a, b, func(x, y catalog.Value) bool { return same(x.V, y.V) })
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	}
	return a == b
}

// effects records the options without effect of a file without problems as
// warnings of its scenarios.
func (l *loader) effects() {
	e := &effects{path: l.file.Path, found: map[string]*option{}}
	for i := range l.file.Scenarios {
		e.within = i
		l.scenarioEffects(e, &l.file.Scenarios[i], l.entries[i], l.faultPaths[i], fmt.Sprintf("scenarios[%d]", i))
	}
	for _, o := range e.order {
		for _, i := range slices.Compact(o.scenarios) {
			if s := &l.file.Scenarios[i]; !o.effective {
				s.Warnings = append(s.Warnings, o.problem)
			}
		}
	}
}

func (l *loader) scenarioEffects(e *effects, s *Scenario, entries []entry, faults []string, path string) {
	kinds := mapped(s.Faults, func(f Fault) string { return f.Kind })
	parts := []string{}
	running := s.running()
	for _, a := range running {
		parts = slices.Concat(parts, catalog.Find(l.catalog.Enforcements, a.Enforcement).With, l.catalog.Counter(a.Counter).With)
	}
	keys := int64(len(s.Policies()))
	for i := range entries {
		for _, d := range entries[i].Descriptors {
			keys = max(keys, int64(d.Count))
		}
	}
	facts := map[string]any{
		"clients": int64(s.Topology.Clients), "servers": int64(s.Topology.Servers + AddedServers(s.Faults)), "network": s.Topology.Network,
		"policies": keys, "faults": kinds, "algorithms": parts, "metrics": catalog.MetricSet(s.Full),
		"retries": s.Retry(),
	}
	if s.Guard != nil {
		facts["guard"] = true
	}
	if slices.ContainsFunc(entries, func(e entry) bool { return e.Settles() }) {
		facts["cost"], facts["estimates"] = costEstimated, []string{"of costs"}
	}
	if len(s.Workers()) > 0 {
		facts["workers"] = true
	}
	scenario := look(func(name string) any { return facts[name] })
	for _, a := range running {
		enforcement := catalog.Find(l.catalog.Enforcements, a.Enforcement)
		algorithm := scenario.inside(catalog.Values{"counter": {V: a.Counter}, "enforcement": {V: a.Enforcement}})
		e.check(l.optionFields(a.Enforcement, a.Counter), l.ownOptions(a), algorithm, enforcement.Needs, "algorithms."+Clip(a.Name))
	}
	for i := range s.Algorithms {
		if a := &s.Algorithms[i]; a.Callers != nil {
			e.check(CallersFields(), a.Callers.Values, anyOption(a.Stages(), scenario), nil, "algorithms."+Clip(a.Name)+".callers")
		}
	}
	for i := range entries {
		t, path := &entries[i], entries[i].node.path.String()
		pattern := catalog.Find(l.catalog.Patterns, t.Pattern)
		e.check(pattern.Fields, t.Options, scenario.repeats(t.Options, t.Options.Duration("at"), t.To-t.From), nil, path)
		e.check(TrafficFields(), t.values, scenario, nil, path)
	}
	for i, p := range s.Policies() {
		if p.Burst != p.Limit.Count { // its default
			at := "policies." + Clip(p.Name)
			switch {
			case p.inPlace() && len(s.Further) > 0:
				at = fmt.Sprintf("%s.policies[%d]", path, i)
			case p.inPlace():
				at = path + ".policy"
			}
			e.check(PolicyFields(), p.Values, anyOption(running, scenario), nil, at)
			if p.Burst == 0 && !p.Values["reference"].Given {
				s.Warnings = append(s.Warnings, Problem{Path: e.path, Pos: p.Values["burst"].Pos, Field: at + ".burst", Message: twoMeanings})
			}
		}
	}
	topology := path + ".topology"
	if s.Topology.Name != "" {
		topology = "topologies." + Clip(s.Topology.Name)
	}
	e.check(TopologyFields(), s.Topology.Values, anyOption(running, scenario), nil, topology)
	if g := s.Guard; g != nil {
		if t := g.ServiceTime; g.Deadline > 0 && t.Name == "constant" && g.Deadline < t.Values.Duration("time") {
			s.Warnings = append(s.Warnings, Problem{Path: e.path, Pos: g.Values["deadline"].Pos, Field: path + ".guard.deadline",
				Message: "is below the service time: no answer can be good"})
		}
		if len(g.Load) > 0 && g.Load[0].Factor.Num != g.Load[0].Factor.Den {
			s.Warnings = append(s.Warnings, Problem{Path: e.path, Pos: g.Values["load"].Pos, Field: path + ".guard.load[0]",
				Message: "changes the service time of a request by itself: change service_time instead"})
		}
		e.check(GuardFields(), s.Guard.Values, scenario, nil, path+".guard")
	}
	if c := s.Callers; c != nil && c.Values != nil {
		e.check(CallersFields(), c.Values, anyOption(running, scenario), nil, path+".callers")
	} else if c != nil {
		e.check(RetriesFields(), c.Retry.Values, anyOption(running, scenario), nil, path+".retries")
	}
	for i := range s.Faults {
		kind := catalog.Find(FaultKinds(), s.Faults[i].Kind)
		e.check(kind.Fields, s.Faults[i].Values, scenario.repeats(s.Faults[i].Values, s.Faults[i].From, s.Duration), nil, faults[i])
	}
}

// ownOptions returns an algorithm's options. Those of a preset whose options it has
// all are not marked as set by the file: Effective writes them too.
func (l *loader) ownOptions(a *Algorithm) catalog.Values {
	own := maps.Clone(a.Options)
	fields := l.optionFields(a.Enforcement, a.Counter)
	for i := range l.catalog.Presets {
		p := &l.catalog.Presets[i]
		if p.Enforcement != a.Enforcement || p.Counter != a.Counter {
			continue
		}
		all := true
		for name, text := range p.Options {
			all = all && same(fallback(catalog.Find(fields, name), text), a.Options[name].V)
		}
		if !all {
			continue
		}
		for name := range p.Options {
			x := own[name]
			x.Given = false
			own[name] = x
		}
	}
	return own
}

// anyOption returns a look that also finds the words that options have in any of
// the algorithms, and nil for a name that is no such option.
func anyOption(algorithms []*Algorithm, outer look) look {
	return func(name string) any {
		if x := outer(name); x != nil {
			return x
		}
		var words []string
		for i := range algorithms {
			switch v := algorithms[i].Options[name].V.(type) {
			case string:
				words = append(words, v)
			case catalog.Choice:
				words = append(words, v.Name)
			}
		}
		if len(words) == 0 {
			return nil
		}
		return words
	}
}
