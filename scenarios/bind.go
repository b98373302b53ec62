package scenarios

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// binder binds nodes to declared fields, strictly, and reports every problem
// rather than stop at the first.
type binder struct {
	report reporter
}

// group binds a mapping to fields, with their defaults. A field with a problem
// is left out of the values.
func (b *binder) group(n *node, fields []catalog.Field) catalog.Values {
	values := make(catalog.Values, len(fields))
	if !b.is(n, mapping) {
		return values
	}
	b.fields(n, fields, values, nil)
	for _, p := range n.pairs {
		if catalog.Find(fields, p.key) == nil {
			b.report(p.place, "unknown field%s", misplaced(p.key, fields))
		}
	}
	return values
}

// misplaced says which of the fields of a mapping holds one of the name, or what is like it.
func misplaced(name string, fields []catalog.Field) string {
	for _, f := range fields {
		if catalog.Find(f.Fields, name) != nil {
			return fmt.Sprintf(" (it belongs in %s)", f.Name)
		}
	}
	return suggestOrList(name, catalog.Names(fields))
}

// fields binds the entries of a mapping that fields declare and applies
// defaults. presets take precedence over the defaults of the fields.
func (b *binder) fields(n *node, fields []catalog.Field, values catalog.Values, presets map[string]string) {
	for i := range fields {
		f := &fields[i]
		if value := n.get(f.Name); value != nil {
			if v, ok := b.value(value, f); ok {
				values[f.Name] = catalog.Value{V: v, Pos: value.pos, Given: true}
			}
			continue
		}
		text := f.Default
		if preset, ok := presets[f.Name]; ok {
			text = preset
		}
		switch {
		case text != "":
			values[f.Name] = catalog.Value{V: fallback(f, text)}
		case f.Required:
			b.report(n.at(f.Name), "is required: %s", doc(f))
		}
	}
}

// fallback binds a declared default, which is YAML text. It panics if the
// default does not bind, because that is a mistake in the declaration.
func fallback(f *catalog.Field, text string) any {
	p := problems{path: "default of " + f.Name}
	n := readYAML([]byte(text), p.report)
	var v any
	if n != nil {
		b := binder{report: p.report}
		v, _ = b.value(n, f)
	}
	if len(p.list) > 0 {
		panic(fmt.Sprintf("scenarios: %q: %v", text, p.list[0]))
	}
	return v
}

// unknown reports the entries of a mapping with unknown names.
func (b *binder) unknown(n *node, known []string) {
	for _, p := range n.pairs {
		if !slices.Contains(known, p.key) {
			b.report(p.place, "unknown field%s", suggestOrList(p.key, known))
		}
	}
}

// is reports whether a node has the wanted kind, and reports a problem if not.
func (b *binder) is(n *node, want nodeKind) bool {
	switch {
	case n.kind == want:
		return true
	case n.kind == broken:
	case n.kind == null:
		b.report(n.place, "has no value")
	default:
		b.report(n.place, "is %s, but should be %s", kindNames[n.kind], kindNames[want])
	}
	return false
}

var kindNames = [...]string{null: "empty", scalar: "a single value", mapping: "a mapping (name: value)", sequence: "a list"}

// value binds one node to what its field declares; ok is false after a problem.
func (b *binder) value(n *node, f *catalog.Field) (v any, ok bool) {
	switch f.Kind {
	case catalog.Dependent:
		return n, n.kind != broken
	case catalog.Group:
		return b.group(n, f.Fields), n.kind == mapping
	case catalog.List:
		if f.Single && n.kind != sequence && n.kind != null {
			n = &node{kind: sequence, place: n.place, items: []*node{n}}
		}
		return b.list(n, f.Elem)
	case catalog.Union:
		return b.union(n, f)
	}
	if !b.is(n, scalar) {
		return nil, false
	}
	v, err := Value(f, n.text)
	if err != nil {
		b.report(n.place, "%v", err)
		return nil, false
	}
	return v, true
}

// items returns the items of a list, none if it is missing, empty or no list. It
// reports the latter two.
func (b *binder) items(n *node) []*node {
	if n == nil || !b.is(n, sequence) {
		return nil
	}
	if len(n.items) == 0 {
		b.report(n.place, "is an empty list")
	}
	return n.items
}

func (b *binder) list(n *node, elem *catalog.Field) (any, bool) {
	items := b.items(n)
	list, ok := make([]any, len(items)), len(items) > 0
	for i, item := range items {
		v, good := b.value(item, elem)
		list[i], ok = v, ok && good
	}
	return list, ok
}

// union binds a kind's name, or {kind: {fields}}. Where a kind has a value that
// is not a mapping, the value is its first field: {zipf: 1000}. Two or more
// fields that together occur in only one kind stand for it without its name, and
// so does any field of the only kind there is.
func (b *binder) union(n *node, f *catalog.Field) (any, bool) {
	switch n.kind {
	case scalar:
		if entry := catalog.Find(f.Choices, n.text); entry != nil {
			// All fields have defaults, or their absence is reported here.
			return b.choice(entry, &node{kind: mapping, place: n.place.field(entry.Name)}, n.pos)
		}
		if bare := catalog.Find(f.Choices, f.Bare); bare != nil && n.text != "" && strings.ContainsRune("0123456789.-", rune(n.text[0])) {
			return b.choice(bare, n, n.pos)
		}
		b.report(n.place, "%v", notOneOf(n.text, catalog.Names(f.Choices)))
		return nil, false
	case mapping:
		if len(n.pairs) == 1 {
			p := n.pairs[0]
			if entry := catalog.Find(f.Choices, p.key); entry != nil {
				return b.choice(entry, p.value, p.pos)
			}
		}
		if kinds := kindsWith(f.Choices, n); len(kinds) == 1 && len(n.pairs) > 1 && mayGoUnnamed(f, kinds[0]) {
			return b.choice(kinds[0], n, n.pos)
		}
		if only := &f.Choices[0]; len(f.Choices) == 1 && matching(only, n) > 0 {
			return b.choice(only, n, n.pos)
		}
		b.reportUnnamed(n, f)
		return nil, false
	case sequence:
		if bare := catalog.Find(f.Choices, f.Bare); bare != nil && len(bare.Fields) > 0 && bare.Fields[0].Kind == catalog.List {
			return b.choice(bare, n, n.pos)
		}
	}
	b.is(n, mapping)
	return nil, false
}

// choice binds the fields of one kind of a union, or the value of the first one.
func (b *binder) choice(entry *catalog.Entry, n *node, pos catalog.Position) (any, bool) {
	if (n.kind == scalar || n.kind == sequence) && len(entry.Fields) > 0 {
		n = &node{kind: mapping, place: n.place, pairs: []pair{{entry.Fields[0].Name, n.place, n}}}
	}
	values := b.group(n, entry.Fields)
	for i := range entry.Fields {
		if f := &entry.Fields[i]; !values.Set(f.Name) && (n.get(f.Name) != nil || f.Required) {
			return nil, false
		}
	}
	return catalog.Choice{Name: entry.Name, Values: values, Pos: pos}, n.kind == mapping
}

// Value reads the text of a value that is neither a list nor a mapping.
func Value(f *catalog.Field, text string) (any, error) {
	v, err := parse(f, text)
	if err == nil {
		err = inRange(f, v)
	}
	return v, err
}

// parse reads a scalar as its field's kind.
func parse(f *catalog.Field, text string) (any, error) {
	if read := catalog.Parsers[f.Kind]; read != nil {
		return read(text)
	}
	switch f.Kind {
	case catalog.Time:
		return instant(text)
	case catalog.Bool:
		switch text {
		case "true", "on":
			return true, nil
		case "false", "off":
			return false, nil
		}
		return nil, fmt.Errorf("%s is not true, false, on or off", Clip(text))
	case catalog.String:
		if text == "" {
			return nil, fmt.Errorf("is empty")
		}
		return text, nil
	case catalog.Enum:
		if slices.Contains(f.Enum, text) {
			return text, nil
		}
		return nil, notOneOf(text, f.Enum)
	case catalog.IntOrEnum:
		if slices.Contains(f.Enum, text) {
			return text, nil
		}
		count, err := units.ParseCount(text)
		if err != nil {
			return nil, fmt.Errorf("%s is neither a whole number nor one of %s%s", Clip(text), strings.Join(f.Enum, ", "), Suggest(text, f.Enum))
		}
		return count, nil
	}
	panic(fmt.Sprintf("scenarios: field %q has a kind that no value has: %d", f.Name, f.Kind))
}

// instant parses an RFC 3339 time as Unix nanoseconds.
func instant(text string) (any, error) {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return nil, fmt.Errorf("%s is not an RFC 3339 time, such as 2026-01-31T12:00:00Z", Clip(text))
	}
	if t.Year() < 1970 || t.Year() > 2261 {
		return nil, fmt.Errorf("%s is outside the years 1970 to 2261", Clip(text))
	}
	return t.UnixNano(), nil
}

// doc returns a field's documentation as the end of a message.
func doc(f *catalog.Field) string { return cmp.Or(f.Doc, "it is required") }

// mapped returns what of makes of each item, such as its name, in order.
func mapped[T, R any](list []T, of func(T) R) []R {
	made := make([]R, len(list))
	for i, item := range list {
		made[i] = of(item)
	}
	return made
}

// notOneOf returns the error for a name that is none of known.
func notOneOf(name string, known []string) error {
	return fmt.Errorf("%s is not one of %s%s", Clip(name), catalog.Join(known), Suggest(name, known))
}

// unknownName returns the error for a name that no thing of a kind has.
func unknownName(what, name string, known []string) error {
	return fmt.Errorf("no %s is called %s%s", what, catalog.Quoted(Clip(name)), suggestOrList(name, known))
}

// mostListed is the most names that an error lists.
const mostListed = 24

// suggestOrList suggests the most similar of known. If none is similar, it lists them all,
// or of many the three nearest.
func suggestOrList(name string, known []string) string {
	switch s := Suggest(name, known); {
	case s != "" || len(known) == 0:
		return s
	case len(known) > mostListed:
		return " (nearest of " + strconv.Itoa(len(known)) + ": " + catalog.Join(nearest(name, known)[:3]) + ")"
	}
	return " (known: " + catalog.Join(known) + ")"
}

// nearest sorts names by what they share with a name: the longest run of characters, then
// the fewest edits.
func nearest(name string, known []string) []string {
	return slices.SortedStableFunc(slices.Values(known), func(a, b string) int {
		return cmp.Or(cmp.Compare(shared(name, b), shared(name, a)), cmp.Compare(editDistance(name, a, 100), editDistance(name, b, 100)))
	})
}

// shared returns the length of the longest run of bytes that two names share.
func shared(a, b string) (longest int) {
	for i := range a {
		for i+longest < len(a) && strings.Contains(b, a[i:i+longest+1]) {
			longest++
		}
	}
	return longest
}

// Options binds options given as YAML texts, as on a command line, to declared
// fields with their defaults. The error lists every problem by field.
func Options(fields []catalog.Field, texts map[string]string) (catalog.Values, error) {
	found := &problems{}
	given := &node{kind: mapping}
	for i := range fields {
		if text, ok := texts[fields[i].Name]; ok {
			value := cmp.Or(readYAML([]byte(text), func(place, string, ...any) {}), &node{kind: scalar, text: text})
			value.place = place{}.field(fields[i].Name)
			given.pairs = append(given.pairs, pair{key: fields[i].Name, value: value})
		}
	}
	b := binder{report: found.report}
	values := b.group(given, fields)
	errs := mapped(found.list, func(p Problem) error { return fmt.Errorf("%s: %s", p.Field, p.Message) })
	return values, errors.Join(errs...)
}
