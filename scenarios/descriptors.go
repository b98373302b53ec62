package scenarios

import (
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Descriptor describes the keys of one policy that a traffic entry's requests
// carry.
type Descriptor struct {
	Applies units.Fraction // share of the requests that the policy applies to
	Count   int            // keys a request carries, all different
	Keys    catalog.Choice // Name "" means that a trace or a list has its own
}

// MaxPolicies limits the policies of a scenario.
const MaxPolicies = 32

// DescriptorFields declares the fields of a traffic entry for one policy.
func DescriptorFields() []catalog.Field {
	return []catalog.Field{
		{Name: "applies", Kind: catalog.Share, Default: "100%", Min: "0", Max: "1",
			Doc: "share of the entry's requests that the policy applies to, drawn request by request"},
		{Name: "keys", Kind: catalog.Union, Choices: DescriptorKinds(),
			Doc: "how the key of a request under the policy is chosen; by default a single key, or for the first policy the key of a trace or a list"},
		{Name: "count", Kind: catalog.Int, Unit: "keys", Default: "1", Min: "1", Max: "100",
			Doc: "number of different keys of this policy that a request carries; a key drawn twice is replaced by the next one"},
	}
}

// DescriptorKinds declares how requests choose a key of one of several
// policies: like the key of a single policy, or by a field of a record.
func DescriptorKinds() []catalog.Entry {
	return append(KeyKinds(), catalog.Entry{
		Name: fieldKeys, Summary: "the key in a field of a trace's record; a record without the field carries no key", Fields: []catalog.Field{
			{Name: "name", Kind: catalog.String, Required: true, Doc: "the field, as the trace's key_field is given"},
		},
	}, catalog.Entry{Name: firstKeys, Summary: "the key of the request under the first policy"})
}

const fieldKeys, firstKeys = "field", "first"

// First reports whether a request has the key that it has under the first policy.
func (d *Descriptor) First() bool { return d.Keys.Name == firstKeys }

// LogField returns the field of a trace's records that holds the descriptor's
// keys, or "".
func (d *Descriptor) LogField() string {
	if d.Keys.Name != fieldKeys {
		return ""
	}
	return d.Keys.Values.String("name")
}

// noDescriptor is written for a policy that does not apply to an entry.
const noDescriptor = "none"

// descriptors binds an entry's descriptors, one per policy in order. A policy
// that the mapping does not name applies to every request.
func (l *loader) descriptors(n *node, e *entry, policies []Policy) {
	given := n.get("descriptors")
	if len(policies) == 0 || given == nil && len(policies) == 1 {
		return
	}
	e.Descriptors = make([]Descriptor, len(policies))
	for i := range policies {
		e.Descriptors[i] = Descriptor{Applies: units.Fraction{Num: 1, Den: 1}, Count: 1, Keys: e.Keys}
		if i > 0 {
			e.Descriptors[i].Keys = l.singleKey()
		}
	}
	if given == nil || !l.is(given, mapping) {
		return
	}
	known := policyNames(policies)
	l.unknownPolicies(given, known)
	for i, name := range known {
		if value := given.get(name); value != nil {
			l.descriptor(n, value, e, i, &policies[i])
		}
	}
}

func (l *loader) unknownPolicies(given *node, known []string) {
	for _, p := range given.pairs {
		if !slices.Contains(known, p.key) {
			l.report(p.place, "is not a policy of this scenario%s", suggestOrList(p.key, known))
		}
	}
}

// descriptor binds an entry's value for policy i: none, a choice of keys, or a
// mapping of DescriptorFields.
func (l *loader) descriptor(n, value *node, e *entry, i int, policy *Policy) {
	d := &e.Descriptors[i]
	if value.kind == scalar && value.text == noDescriptor {
		d.Applies = units.Fraction{Num: 0, Den: 1}
		return
	}
	fields := DescriptorFields()
	if value.kind != mapping || len(value.pairs) == 1 && catalog.Find(DescriptorKinds(), value.pairs[0].key) != nil {
		if keys, ok := l.value(value, catalog.Find(fields, "keys")); ok {
			l.descriptorKeys(n, e, i, keys.(catalog.Choice), value.path)
		}
		return
	}
	v := l.group(value, fields)
	if v.Set("applies") {
		d.Applies = v.Share("applies")
	}
	if v.Set("count") {
		d.Count = int(v.Int("count"))
	}
	if v.Set("keys") {
		l.descriptorKeys(n, e, i, v.Choice("keys"), value.at("keys").path)
	}
	l.enoughKeys(d, policy, place{value.pos, value.at("count").path})
}

// descriptorKeys sets a descriptor's keys. The keys of the first policy are
// also the entry's keys.
func (l *loader) descriptorKeys(n *node, e *entry, i int, keys catalog.Choice, path *path) {
	d, at := &e.Descriptors[i], place{keys.Pos, path}
	if i == 0 {
		for _, field := range []string{"keys", "key"} {
			if n.get(field) != nil {
				l.report(at, "%s already selects the keys of the first policy: remove one of the two", field)
			}
		}
	}
	switch {
	case keys.Name == firstKeys && i == 0:
		l.report(at, "first is for the policies after the first one")
		return
	case keys.Name != fieldKeys:
	case e.Pattern != patternTrace:
		l.report(at, "field requires a trace, because only its records have fields")
		return
	case i == 0:
		l.report(at, "the trace's key_field already selects the keys of the first policy")
		return
	}
	d.Keys = keys
	if i == 0 {
		e.Keys = keys
	}
}

// enoughKeys checks that there are as many different keys as a request carries.
func (l *loader) enoughKeys(d *Descriptor, policy *Policy, at place) {
	available := int64(1)
	if !policy.Shared && !slices.Contains([]string{"", "one", fieldKeys, firstKeys}, d.Keys.Name) {
		available = d.Keys.Values.Int("count")
	}
	if int64(d.Count) > available {
		l.report(at, "a request needs %d different keys, but there are %d", d.Count, available)
	}
}

// singleKey returns the default choice of keys.
func (l *loader) singleKey() catalog.Choice {
	field := catalog.Find(TrafficFields(), "keys")
	return fallback(field, "one").(catalog.Choice)
}

// MultiPolicy reports whether requests carry a descriptor per policy, rather
// than one key under the scenario's only policy.
func (s *Scenario) MultiPolicy() bool {
	return len(s.Further) > 0 || s.Policy.Requests || slices.ContainsFunc(s.Traffic, func(t Traffic) bool { return t.Descriptors != nil })
}

func descriptorsYAML(s *Scenario, t *Traffic) string {
	var parts []string
	for i, p := range s.Policies() {
		parts = append(parts, entryYAML(scalarYAML(p.Name), descriptorYAML(&t.Descriptors[i])))
	}
	return flow(parts)
}

// descriptorYAML writes a descriptor as descriptor reads it.
func descriptorYAML(d *Descriptor) string {
	single := d.Keys.Name == "" || d.Keys.Name == "one" && d.Keys.Values.String("name") == "key-0"
	if d.Applies.Num == 0 && d.Count == 1 && single {
		return noDescriptor
	}
	v := catalog.Values{"applies": {V: d.Applies}, "count": {V: int64(d.Count)}}
	if d.Keys.Name != "" {
		v["keys"] = catalog.Value{V: d.Keys}
	}
	return flow(valuesYAML(DescriptorFields(), v))
}

// descriptorsSchema returns the schema of an entry's descriptors: for each
// policy none, a choice of keys, or a mapping.
func descriptorsSchema(definitions schema) schema {
	keys := catalog.Find(DescriptorFields(), "keys")
	definitions["descriptor_keys"] = schema{"anyOf": kinds(keys)}
	fields := object(DescriptorFields())
	fields["properties"].(schema)["keys"] = schema{"anyOf": append([]any{ref("descriptor_keys")}, unnamedSchemas(keys)...), "description": keys.Doc}
	return schema{
		"type": "object", "minProperties": 1,
		"additionalProperties": schema{"anyOf": []any{schema{"const": noDescriptor}, ref("descriptor_keys"), fields}},
	}
}
