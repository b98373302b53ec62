package scenarios

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// set returns a file with one scenario in which an axis has a value. It shares what
// it does not change with root, which stays as it is.
func (l *loader) set(root *node, a *Axis, value *node) (*node, error) {
	path := resolved(root, a.Of)
	if ofDefinition(path) {
		section, rest, _ := strings.Cut(path, ".")
		return l.setDefinition(root, section, rest, a, value)
	}
	s := onlyScenario(root)
	if field := firstField(path); field == "traffic" || field == "faults" {
		s = s.withField(field, expanded(s.get(field), root.get(field)))
	}
	s, err := s.with(path, a.place, value)
	if err != nil {
		return nil, err
	}
	return withScenario(root, s), nil
}

// resolved returns the path of a setting with the definition that the scenario names,
// which nothing but this scenario uses: topologies.fleet.clients for topology.clients.
func resolved(root *node, path string) string {
	section, rest, dotted := strings.Cut(path, ".")
	field := firstField(section)
	named := map[string]string{"policy": "policies", "policies": "policies", "topology": "topologies"}[field]
	if !dotted || named == "" || section == named {
		return path
	}
	at := onlyScenario(root).get(field)
	if field == named && at != nil {
		i, _, err := index(strings.TrimPrefix(section, field), at)
		if err != nil {
			return path
		}
		at = at.items[i]
	}
	if at == nil || at.kind != scalar {
		return path
	}
	return named + "." + at.text + "." + rest
}

// firstField returns the field that a path begins with.
func firstField(path string) string {
	if end := strings.IndexAny(path, ".["); end >= 0 {
		return path[:end]
	}
	return path
}

// within reports whether a setting is the one of a path, or a part of it.
func within(setting, path string) bool {
	rest, ok := strings.CutPrefix(setting, path)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// setDefinition sets a value in a definition of the file. An algorithm that is a
// preset gets a definition of the same name.
func (l *loader) setDefinition(root *node, section, rest string, a *Axis, value *node) (*node, error) {
	definitions := cmp.Or(root.get(section), &node{kind: mapping, place: a.place})
	name, _ := definitions.keyOf(rest)
	if definitions.get(name) == nil {
		known := mapped(definitions.pairs, func(p pair) string { return p.key })
		if section == "algorithms" {
			for _, item := range onlyScenario(root).list("algorithms") {
				if !slices.Contains(known, item.text) && catalog.Find(l.catalog.Presets, item.text) != nil {
					known = append(known, item.text)
				}
			}
			preset := ""
			for _, k := range known { // a preset's name may have dots
				if (rest == k || strings.HasPrefix(rest, k+".")) && len(k) > len(preset) {
					preset = k
				}
			}
			if preset != "" {
				definition := &node{kind: mapping, place: a.place}
				definition = definition.withField("preset", &node{kind: scalar, text: preset, place: a.place})
				definitions = definitions.withField(preset, definition)
				name = preset
			}
		}
		if definitions.get(name) == nil {
			return nil, unknownName(strings.TrimSuffix(strings.Replace(section, "ies", "y", 1), "s"), name, known)
		}
	}
	if rest == name {
		return nil, errors.New("names a definition, not a setting of it")
	}
	definitions, err := definitions.with(rest, a.place, value)
	if err != nil {
		return nil, err
	}
	return root.withField(section, definitions), nil
}

// onlyScenario returns the scenario of a file that has one.
func onlyScenario(root *node) *node { return root.get("scenarios").items[0] }

// withScenario returns a file with this scenario alone.
func withScenario(root, scenario *node) *node {
	list := *root.get("scenarios")
	list.items = []*node{scenario}
	return root.withField("scenarios", &list)
}

// expanded returns a list with the named blocks of the file in place of their names.
func expanded(list, blocks *node) *node {
	if list == nil || list.kind != sequence || blocks == nil {
		return list
	}
	out := *list
	out.items = nil
	for _, item := range list.items {
		switch block := blocks.get(item.text); {
		case item.kind != scalar || block == nil:
			out.items = append(out.items, item)
		case block.kind == sequence:
			out.items = append(out.items, block.items...)
		default:
			out.items = append(out.items, block)
		}
	}
	return &out
}

// with returns the value with another value at a path within it: field.field[0].
// Fields that are missing are added, at a place. The original stays as it is.
func (n *node) with(path string, at place, value *node) (*node, error) {
	switch {
	case path == "":
		return value, nil
	case path[0] == '[':
		n = n.asPaces()
		i, rest, err := index(path, n)
		if err != nil {
			return nil, err
		}
		item, err := n.items[i].asPace(rest).with(rest, at, value)
		list := *n
		list.items = slices.Clone(n.items)
		list.items[i] = item
		return &list, err
	case n.kind != mapping:
		return nil, fmt.Errorf("%s has no field %s: it is %s", n.path, Clip(path), kindNames[n.kind])
	}
	key, rest := n.keyOf(path)
	if key == "" {
		return nil, errNoPath
	}
	field := n.get(key)
	if field == nil {
		field = &node{kind: mapping, place: at}
		if strings.HasPrefix(rest, "[") {
			return nil, fmt.Errorf("the scenario has no list %s", Clip(key))
		}
	}
	field, err := field.with(rest, at, value)
	if err != nil {
		return nil, err
	}
	if old := slices.IndexFunc(n.pairs, func(p pair) bool { return p.key == key }); old >= 0 {
		at = n.pairs[old].place
	}
	return n.withPair(pair{key, at, field}), nil
}

var errNoPath = errors.New("is not a path, such as traffic[0].rate")

// keyOf splits a path after the field of a mapping that it begins with: the longest
// of those that are there, because names may hold dots. The key is empty if a dot is
// not followed by a field.
func (n *node) keyOf(path string) (key, rest string) {
	for _, p := range n.pairs {
		after, ok := strings.CutPrefix(path, p.key)
		if ok && len(p.key) > len(key) && (after == "" || after[0] == '.' || after[0] == '[') {
			key, rest = p.key, after
		}
	}
	if key == "" {
		key = firstField(path)
		rest = path[len(key):]
	}
	if rest, ok := afterDot(rest); ok {
		return key, rest
	}
	return "", rest
}

// afterDot returns what follows the dot that the rest of a path begins with. ok is
// false if no field follows it.
func afterDot(rest string) (after string, ok bool) {
	after, dotted := strings.CutPrefix(rest, ".")
	return after, !dotted || after != "" && after[0] != '.' && after[0] != '['
}

// index reads the index that a path into a list begins with.
func index(path string, n *node) (i int, rest string, err error) {
	number, rest, closed := strings.Cut(strings.TrimPrefix(path, "["), "]")
	i, err = strconv.Atoi(number)
	next, ok := afterDot(rest)
	switch {
	case !closed || err != nil || i < 0 || number != strconv.Itoa(i):
		return 0, "", fmt.Errorf("[%s] is not the number of an item, such as [0]", Clip(number))
	case !ok || rest != "" && rest[0] != '.' && rest[0] != '[':
		return 0, "", errNoPath
	case n.kind != sequence:
		return 0, "", fmt.Errorf("%s has no items: it is %s", n.path, kindNames[n.kind])
	case i >= len(n.items):
		return 0, "", fmt.Errorf("%s has no item %d: its last one is [%d]", n.path, i, len(n.items)-1)
	}
	return i, next, nil
}

// withField returns a mapping with a value in a field.
func (n *node) withField(key string, value *node) *node {
	if value == nil {
		return n
	}
	return n.withPair(pair{key, value.place, value})
}

// withPair returns a mapping with an entry in place of that of the same key.
func (n *node) withPair(p pair) *node {
	m := *n
	m.pairs = slices.Clone(n.pairs)
	if old := slices.IndexFunc(m.pairs, func(q pair) bool { return q.key == p.key }); old >= 0 {
		m.pairs[old] = p
	} else {
		m.pairs = append(m.pairs, p)
	}
	return &m
}
