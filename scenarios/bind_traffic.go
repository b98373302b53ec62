package scenarios

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// Patterns whose requests have their own keys, clients and costs.
const (
	patternTrace = "trace" // times, keys, clients and costs from a log
	patternList  = "list"  // times, keys, clients and costs from the file
)

// entry is a traffic entry while it is validated.
type entry struct {
	Traffic
	index  int            // in the scenario's list
	values catalog.Values // of TrafficFields
}

// keepsTime reports whether the entry is a log in its own Unix time.
func (t Traffic) keepsTime() bool {
	return t.Pattern == patternTrace && !t.Options.Bool("rebase")
}

// trafficEntries binds a scenario's traffic. It omits entries with an unknown
// pattern.
func (l *loader) trafficEntries(n *node, policies []Policy, at *path) []entry {
	var list []entry
	first := map[string]bool{}
	for i, item := range l.items(n, at) {
		inside := at.item(i)
		e, ok := l.trafficEntry(i, item, policies, inside)
		if e.Name != "" && first[e.Name] {
			l.report(item.pos, inside.field("name"), "another entry is called %s", clip(e.Name))
		}
		first[e.Name] = true
		if ok {
			list = append(list, e)
		}
	}
	return list
}

func (l *loader) trafficEntry(i int, n *node, policies []Policy, at *path) (entry, bool) {
	e := entry{index: i, values: catalog.Values{}}
	if !l.is(n, mapping, at) {
		return e, false
	}
	var pattern *catalog.Entry
	if given := n.field("pattern"); given != nil && given.kind == scalar {
		if pattern = catalog.Find(l.catalog.Patterns, given.text); pattern == nil {
			l.report(given.pos, at.field("pattern"), "no pattern is called %s%s", clip(given.text), suggestOrList(given.text, entryNames(l.catalog.Patterns)))
		}
	}
	var own []catalog.Field
	if pattern != nil {
		own = pattern.Fields
	}
	// A pattern's own field wins over a common one of the same name.
	shared := without(TrafficFields(), own)
	l.fields(n, shared, at, e.values, nil)
	if pattern == nil {
		// Without a pattern the valid fields are not known.
		return e, false
	}
	options := catalog.Values{}
	l.fields(n, own, at, options, nil)
	l.unknown(n, append(names(shared), names(own)...), at)

	v := e.values
	e.Traffic = Traffic{
		Name: v.String("name"), Pattern: pattern.Name, Options: options,
		From: v.Duration("from"), To: v.Duration("to"),
		Keys:    l.one(n, v, "keys", "key", at),
		Tenants: l.one(n, v, "tenants", "tenant", at),
		Spread:  v.Choice("spread"), Cost: v.Choice("cost"), Pos: n.pos,
	}
	if e.Name == "" {
		e.Name = trafficName(i)
	}
	l.name(e.Name, v["name"].Pos, at.field("name"))
	if pattern.Name == patternTrace || pattern.Name == patternList {
		if n.field("keys") == nil && n.field("key") == nil {
			e.Keys = catalog.Choice{}
		}
		if n.field("cost") == nil {
			e.Cost = catalog.Choice{}
		}
	}
	l.descriptors(n, &e, policies, at)
	l.costs(&e, at.field("cost"))
	return e, true
}

// one expands the shorthand key: NAME to keys: {one: {name: NAME}}, and tenant
// likewise.
func (l *loader) one(n *node, v catalog.Values, long, short string, at *path) catalog.Choice {
	name, given := v[short], n.field(short)
	if given == nil || name.V == nil {
		return v.Choice(long)
	}
	if n.field(long) != nil {
		l.report(given.pos, at.field(short), "is short for %s, which is also given: remove one of the two", long)
	}
	return catalog.Choice{Name: "one", Values: catalog.Values{"name": name}, Pos: name.Pos}
}
