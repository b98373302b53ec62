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
	l.unknown(n, append(catalog.Names(shared), catalog.Names(own)...))

	v := e.values
	e.Traffic = Traffic{
		Name: v.String("name"), Pattern: pattern.Name, Options: options,
		From: v.Duration("from"), To: v.Duration("to"),
		Keys:    l.one(n, v, "keys", "key"),
		Tenants: l.one(n, v, "tenants", "tenant"),
		Spread:  v.Choice("spread"), Cost: v.Choice("cost"), Answer: v.Choice("answer"), Pos: n.pos,
	}
	if e.Name == "" {
		e.Name = trafficName(i)
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
