package scenarios

import (
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// The name of a kind may be omitted if two or more of its fields are given and
// no other kind has all of them: {rate: 100/s, burst: 10} is short for {rate:
// {rate: 100/s, burst: 10}}. The name is required for a kind without required
// fields, and for elements of lists, such as faults.

// mayGoUnnamed reports whether a kind of a union may be written without its
// name.
func mayGoUnnamed(f *catalog.Field, kind *catalog.Entry) bool {
	required := func(f catalog.Field) bool { return f.Required }
	return f.Name != "" && len(kind.Fields) >= 2 && slices.ContainsFunc(kind.Fields, required)
}

// kindsWith returns the kinds that have all entries of a mapping as fields.
func kindsWith(kinds []catalog.Entry, n *node) []*catalog.Entry {
	var list []*catalog.Entry
	for i := range kinds {
		if len(n.pairs) > 0 && matching(&kinds[i], n) == len(n.pairs) {
			list = append(list, &kinds[i])
		}
	}
	return list
}

// matching counts the entries of a mapping that are fields of a kind.
func matching(kind *catalog.Entry, n *node) int {
	count := 0
	for i := range kind.Fields {
		if n.get(kind.Fields[i].Name) != nil {
			count++
		}
	}
	return count
}

// underName returns a mapping as it should have been written: under the name of
// the most similar kind, with "…" for missing fields. It returns "" if
// no kind is similar.
func underName(kinds []catalog.Entry, n *node) string {
	var closest *catalog.Entry
	most := 0
	for i := range kinds {
		if m := matching(&kinds[i], n); m > most {
			closest, most = &kinds[i], m
		}
	}
	if closest == nil {
		return ""
	}
	var fields []string
	for _, f := range closest.Fields {
		if value := n.get(f.Name); value != nil {
			fields = append(fields, entryYAML(f.Name, Clip(value.yaml())))
		} else if f.Required {
			fields = append(fields, entryYAML(f.Name, "…"))
		}
	}
	return flow([]string{entryYAML(closest.Name, flow(fields))})
}

// reportUnnamed reports a mapping that does not name its kind.
func (b *binder) reportUnnamed(n *node, f *catalog.Field) {
	all := strings.Join(catalog.Names(f.Choices), ", ")
	example := underName(f.Choices, n)
	if fits := kindsWith(f.Choices, n); len(fits) > 1 {
		list := mapped(fits, func(kind *catalog.Entry) string { return kind.Name })
		b.report(n.place, "could be %s: add the name, such as %s", strings.Join(list, " or "), example)
		return
	}
	if example != "" {
		example = ", such as " + example
	}
	if len(n.pairs) == 1 {
		p := n.pairs[0]
		b.report(place{p.pos, n.path}, "%s is not one of %s%s%s", Clip(p.key), all, Suggest(p.key, catalog.Names(f.Choices)), example)
		return
	}
	b.report(n.place, "should be one of %s, as a name or as {name: {fields}}%s", all, example)
}

// unnamedSchemas returns the schemas of a union's kinds without their names.
// The fields are described under the name.
func unnamedSchemas(f *catalog.Field) []any {
	var list []any
	fewest := min(2, len(f.Choices)) // any field stands for the only kind there is
	for i := range f.Choices {
		kind := &f.Choices[i]
		conditions, distinct := distinction(f.Choices, kind)
		if fewest > 1 && (!distinct || !mayGoUnnamed(f, kind)) {
			continue
		}
		s := object(kind.Fields)
		s["minProperties"] = fewest
		properties := schema{}
		for j := range kind.Fields {
			properties[kind.Fields[j].Name] = value(&kind.Fields[j])
		}
		s["properties"] = properties
		if conditions != nil {
			s["allOf"] = conditions
		}
		list = append(list, s)
	}
	return list
}

// distinction returns conditions under which a mapping with fields of a kind
// cannot be another kind. ok is false if another kind has all these fields.
func distinction(kinds []catalog.Entry, kind *catalog.Entry) (conditions []any, ok bool) {
	for i := range kinds {
		known := catalog.Names(kinds[i].Fields)
		var others []any
		certain := false
		for _, f := range kind.Fields {
			if !slices.Contains(known, f.Name) {
				others = append(others, schema{"required": []string{f.Name}})
				certain = certain || f.Required
			}
		}
		switch {
		case kinds[i].Name == kind.Name || certain:
		case others == nil:
			return nil, false
		case len(others) == 1:
			conditions = append(conditions, others[0])
		default:
			conditions = append(conditions, schema{"anyOf": others})
		}
	}
	return conditions, true
}
