package scenarios

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Patterns whose requests have their own keys, clients and costs.
const (
	patternTrace = "trace" // times, keys, clients and costs from a log
	patternList  = "list"  // times, keys, clients and costs from the file
)

// entry is a traffic entry while it is validated.
type entry struct {
	Traffic
	node   *node
	values catalog.Values // of TrafficFields
}

// keepsTime reports whether the entry is a log in its own Unix time.
func (t Traffic) keepsTime() bool {
	return t.Pattern == patternTrace && !t.Options.Bool("rebase")
}

// trafficEntries binds a scenario's traffic. It omits entries with an unknown
// pattern.
func (l *loader) trafficEntries(n *node, policies []Policy) []entry {
	var list []entry
	first := map[string]bool{}
	for i, item := range l.expand(n, l.traffic, nil) {
		e, ok := l.trafficEntry(i, item, policies)
		if e.Name != "" && first[e.Name] {
			l.report(place{item.pos, item.at("name").path}, "another entry is called %s", Clip(e.Name))
		}
		first[e.Name] = true
		if ok {
			list = append(list, e)
		}
	}
	return list
}

func (l *loader) trafficEntry(i int, n *node, policies []Policy) (entry, bool) {
	e := entry{node: n, values: catalog.Values{}}
	if !l.is(n, mapping) {
		return e, false
	}
	var pattern *catalog.Entry
	if given := n.get("pattern"); given != nil && given.kind == scalar {
		if pattern = catalog.Find(l.catalog.Patterns, given.text); pattern == nil {
			l.report(given.place, "%v", unknownName("pattern", given.text, catalog.Names(l.catalog.Patterns)))
		}
	}
	var own []catalog.Field
	if pattern != nil {
		own = pattern.Fields
	}
	// A pattern's own field wins over a common one of the same name.
	shared := without(TrafficFields(), own)
	l.fields(n, shared, e.values, nil)
	if pattern == nil {
		// Without a pattern the valid fields are not known.
		return e, false
	}
	options := catalog.Values{}
	l.fields(n, own, options, nil)
	known := append(catalog.Names(shared), catalog.Names(own)...)
	if l.phase(n, pattern, options) {
		known = append(known, "offset")
	}
	l.unknown(n, known)

	v := e.values
	e.Traffic = Traffic{
		Name: cmp.Or(v.String("name"), fmt.Sprintf("traffic[%d]", i)), Pattern: pattern.Name, Options: options, OnePhase: pattern.OnePhase(options),
		From: v.Duration("from"), To: v.Duration("to"),
		Keys:    l.one(n, v, "keys", "key"),
		Tenants: l.one(n, v, "tenants", "tenant"),
		Spread:  v.Choice("spread"), Cost: v.Choice("cost"), Answer: v.Choice("answer"), Pos: n.pos,
	}
	l.name(e.Name, n.at("name"))
	if pattern.Name == patternTrace || pattern.Name == patternList {
		if n.get("keys") == nil && n.get("key") == nil {
			e.Keys = catalog.Choice{}
		}
		if n.get("cost") == nil {
			e.Cost = catalog.Choice{}
		}
	}
	l.descriptors(n, &e, policies)
	l.costs(&e)
	return e, true
}

// phase checks the offset of a pattern. It reports whether one is given to a pattern
// that has no such field.
func (l *loader) phase(n *node, p *catalog.Entry, v catalog.Values) (lacking bool) {
	given := n.get("offset")
	if given == nil {
		return false
	}
	missing := slices.DeleteFunc(slices.Clone(p.Period), func(name string) bool { return v.Set(name) })
	switch {
	case p.Period == nil && catalog.Find(p.Fields, "offset") == nil:
		l.report(given.place, "%s has no period that an offset could shift", p.Name)
		return true
	case p.Period == nil || !v.Set("offset"): // it means something else, or has a problem
	case len(missing) > 0 && n.get(missing[0]) == nil:
		l.report(given.place, "%s has no period without %s", p.Name, missing[0])
	case len(missing) == 0:
		if err := p.CheckOffset(v); err != nil {
			l.report(given.place, "%v", err)
		}
	}
	return false
}

// one expands the shorthand key: NAME to keys: {one: {name: NAME}}, and tenant
// likewise.
func (l *loader) one(n *node, v catalog.Values, long, short string) catalog.Choice {
	name, given := v[short], n.get(short)
	if given == nil || name.V == nil {
		return v.Choice(long)
	}
	if n.get(long) != nil {
		l.report(given.place, "is short for %s, which is also given: remove one of the two", long)
	}
	return catalog.Choice{Name: "one", Values: catalog.Values{"name": name}, Pos: name.Pos}
}
