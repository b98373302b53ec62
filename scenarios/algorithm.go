package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// reference names the row of the policy's exact limiter, in tables and in
// expectations.
const reference = "reference"

// BestFixed names the row of the best fixed limit on concurrency, if the guard has a
// deadline.
const BestFixed = "best-fixed"

// Recorded names the row of the limiter that wrote the log, if the traffic has
// verdicts of one.
const Recorded = "recorded"

// Targets name the rows of real limiters by their kinds. Scenarios may state
// expectations of them, which simulations ignore.
var Targets = []string{"http", "exec", "postgres", "redis", "rls", "go"}

// recorded reports whether traffic of the scenario has verdicts of the limiter
// that wrote a log.
func (s *Scenario) recorded() bool {
	return slices.ContainsFunc(s.Traffic, func(t Traffic) bool { return t.Options.Set("verdict_field") })
}

// resolve finds the definition or preset that a scenario names. It returns a
// copy, or nil after a problem.
func (l *loader) resolve(n *node) *Algorithm {
	if a, known := l.algorithms.values[n.text]; known {
		if a == nil {
			l.unsound = true
			return nil
		}
		a := *a
		return &a
	}
	if p := catalog.Find(l.catalog.Presets, n.text); p != nil {
		a, ok := l.combinePreset(n.text, &node{kind: mapping, place: n.place}, p)
		if !ok {
			return nil
		}
		return &a
	}
	for _, p := range l.catalog.Presets {
		if p.Enforcement == n.text {
			l.report(n.place, "%s is an enforcement, not an algorithm: list a preset of it, such as %s, or define one under algorithms", n.text, p.Name)
			return nil
		}
	}
	if n.text == reference || strings.HasPrefix(n.text, "reference-shaper") || n.text == BestFixed || n.text == Recorded {
		l.report(n.place, "%s needs no entry: a run adds this row where it can be measured", n.text)
		return nil
	}
	presets := catalog.Names(l.catalog.Presets)
	own := slices.DeleteFunc(slices.Clone(l.algorithms.names), func(name string) bool { return slices.Contains(presets, name) })
	known := slices.Concat(own, presets)
	l.report(n.place, "%v", unknownName("algorithm or preset", n.text, known))
	return nil
}

// algorithm binds an algorithm's definition: its enforcement, its counter and
// their options.
func (l *loader) algorithm(name string, n *node) (Algorithm, bool) {
	if of := map[string]string{reference: "the policy's exact limiter", BestFixed: "the best fixed limit on concurrency"}[name]; of != "" {
		l.report(n.place, "the name is reserved for %s", of)
		return Algorithm{}, false
	}
	if !l.is(n, mapping) {
		return Algorithm{}, false
	}
	head := catalog.Values{}
	l.fields(n, AlgorithmFields(), head, nil)
	a, ok := l.combined(name, n, head)
	rollout, bound := l.rollout(n, head)
	a.Rollout, a.Callers = rollout, l.callers(n, head)
	return a, ok && bound
}

// combined binds an algorithm's definition without its rollout. head holds the
// fields that every algorithm accepts.
func (l *loader) combined(name string, n *node, head catalog.Values) (Algorithm, bool) {
	if preset := n.get("preset"); preset != nil {
		clash := false
		for _, field := range []string{"enforcement", "counter"} {
			if other := n.get(field); other != nil {
				l.report(other.place, "is already set by the preset: remove one of the two")
				clash = true
			}
		}
		if clash || !head.Set("preset") {
			return Algorithm{}, false
		}
		if p := catalog.Find(l.catalog.Presets, head.String("preset")); p != nil {
			return l.combinePreset(name, n, p)
		}
		l.report(preset.place, "%v", unknownName("preset", preset.text, catalog.Names(l.catalog.Presets)))
		return Algorithm{}, false
	}
	if n.get("enforcement") == nil && n.get("counter") == nil {
		if e := l.implied(n); e != nil {
			return l.combine(name, n, e.Name, "", nil)
		}
		l.report(n.place, "needs a preset, or an enforcement and a counter")
		return Algorithm{}, false
	}
	enforcement := l.entry(n, head, "enforcement", l.catalog.Enforcements)
	if enforcement != nil && enforcement.Counterless {
		if counter := n.get("counter"); counter != nil {
			l.report(counter.place, "enforcement %s has no counter: remove it", enforcement.Name)
			return Algorithm{}, false
		}
		return l.combine(name, n, enforcement.Name, "", nil)
	}
	if enforcement != nil && n.get("counter") == nil {
		if with := enforcement.CounterlessWith; with[0] != "" && n.get(with[0]) != nil && n.get(with[0]).text == with[1] {
			return l.combine(name, n, enforcement.Name, "", nil)
		}
	}
	counter := l.entry(n, head, "counter", l.catalog.Counters)
	if enforcement == nil || counter == nil {
		return Algorithm{}, false
	}
	if enforcement.Over != nil && !slices.Contains(enforcement.Over, counter.Name) {
		l.report(n.at("counter"), "enforcement %s does not support counter %s, only %s",
			enforcement.Name, counter.Name, strings.Join(enforcement.Over, ", "))
		return Algorithm{}, false
	}
	return l.combine(name, n, enforcement.Name, counter.Name, nil)
}

// implied returns the enforcement that an option of a definition stands for, or nil.
func (l *loader) implied(n *node) *catalog.Entry {
	for i := range l.catalog.Enforcements {
		if e := &l.catalog.Enforcements[i]; e.ImpliedBy != "" && n.get(e.ImpliedBy) != nil {
			return e
		}
	}
	return nil
}

// entry returns the entry of the catalog that a definition names, or nil
// after a problem.
func (l *loader) entry(n *node, head catalog.Values, field string, entries []catalog.Entry) *catalog.Entry {
	given := n.get(field)
	switch {
	case given == nil:
		l.report(n.at(field), "is required: one of %s", strings.Join(catalog.Names(entries), ", "))
		return nil
	case !head.Set(field):
		return nil
	}
	found := catalog.Find(entries, given.text)
	if found == nil {
		l.report(given.place, "%v", unknownName(field, given.text, catalog.Names(entries)))
	}
	return found
}

// combinePreset binds an algorithm's definition over a preset.
func (l *loader) combinePreset(name string, n *node, p *catalog.Preset) (Algorithm, bool) {
	a, ok := l.combine(name, n, p.Enforcement, p.Counter, p.Options)
	if p.Counter == "" {
		a.Preset = p.Name
	}
	return a, ok
}

// combine binds the options of an enforcement and a counter. Values of the file
// come first, then those of the preset, then defaults.
func (l *loader) combine(name string, n *node, enforcement, counter string, preset map[string]string) (Algorithm, bool) {
	fields := l.optionFields(enforcement, counter)
	for option := range preset {
		if catalog.Find(fields, option) == nil {
			panic(fmt.Sprintf("scenarios: a preset of %s and %s sets %q, which neither has", enforcement, counter, option))
		}
	}
	a := Algorithm{Name: name, Enforcement: enforcement, Counter: counter, Options: catalog.Values{}, Pos: n.pos}
	l.fields(n, fields, a.Options, preset)
	l.unknownOptions(n, enforcement, counter, append(catalog.Names(AlgorithmFields()), catalog.Names(fields)...))
	for i := range fields {
		f := &fields[i]
		if !a.Options.Set(f.Name) && (f.Required || n.get(f.Name) != nil) {
			return a, false
		}
	}
	if v := a.Options["burst"]; v.Given && v.V == int64(0) && l.needsBurst(&a) {
		l.report(n.at("burst"), "must be at least 1, because 0 requires debt: true")
		return a, false
	}
	return a, true
}

// unknownOptions reports the entries of a definition with unknown names, and of
// an option of other enforcements why this one lacks it or which ones have it.
func (l *loader) unknownOptions(n *node, enforcement, counter string, known []string) {
	for _, p := range n.pairs {
		if slices.Contains(known, p.key) {
			continue
		}
		if why := catalog.Find(l.catalog.Enforcements, enforcement).Lacks[p.key]; why != "" {
			l.report(p.place, "not available in enforcement %s: %s", enforcement, why)
			continue
		}
		var having []string
		for _, of := range []struct {
			kind    string
			entries []catalog.Entry
		}{{"enforcement ", l.catalog.Enforcements}, {"counter ", l.catalog.Counters}} {
			for i := range of.entries {
				if e := &of.entries[i]; catalog.Find(e.Fields, p.key) != nil {
					having = append(having, of.kind+e.Name)
				}
			}
		}
		if len(having) > 0 {
			of := "enforcement " + enforcement
			if counter != "" {
				of += " or counter " + counter
			}
			l.report(p.place, "not an option of %s, but of %s", of, strings.Join(having, ", "))
			continue
		}
		l.report(p.place, "unknown field%s", suggestOrList(p.key, known))
	}
}

// optionFields returns the fields of an enforcement and a counter. If both
// declare a field, the enforcement's declaration is used.
func (l *loader) optionFields(enforcement, counter string) []catalog.Field {
	e, c := catalog.Find(l.catalog.Enforcements, enforcement), l.catalog.Counter(counter)
	if e == nil || c == nil {
		panic(fmt.Sprintf("scenarios: the catalogue lacks enforcement %q or counter %q, which a preset names", enforcement, counter))
	}
	return slices.Concat(e.Fields, without(c.Fields, e.Fields))
}

// without returns the fields whose names no other field has.
func without(fields, others []catalog.Field) []catalog.Field {
	return slices.DeleteFunc(slices.Clone(fields), func(f catalog.Field) bool { return catalog.Find(others, f.Name) != nil })
}

// needsBurst reports whether the algorithm is a bucket that can admit only what
// it holds: it has a burst, does not queue and has no debt.
func (l *loader) needsBurst(a *Algorithm) bool {
	return !a.Options.Bool("debt") && !l.catalog.Counter(a.Counter).Queues &&
		catalog.Find(l.optionFields(a.Enforcement, a.Counter), "burst") != nil
}
