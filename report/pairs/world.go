package pairs

import (
	"slices"
	"strings"
)

// world is a parsed effective scenario file. The layout of such a file is
// fixed: an indentation of two spaces per level, blocks for sections, scenarios
// and their fields, and one line for each definition and each traffic entry.
type world struct {
	definitions map[string]map[string]string // by section and name
	algorithms  []string                     // names, in order
	scenarios   map[string][]field
}

// field is one field of a scenario with the lines of its value.
type field struct {
	name  string
	lines []string
}

func (f field) value() string { return strings.TrimSpace(strings.Join(f.lines, "\n")) }

// free lists the fields of a scenario that influence neither its traffic nor
// its measurement. Seeds are compared separately.
var free = []string{"about", "seed", "replications", "metrics", "measure_memory", "algorithms", "expect"}

// readWorld parses an effective scenario file. ok is false if the text has no
// scenario in that layout, or one that has a field twice.
func readWorld(text string) (w world, ok bool) {
	w = world{map[string]map[string]string{"": {}}, nil, map[string][]field{}}
	section, name := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		body := strings.TrimLeft(line, " ")
		indent := len(line) - len(body)
		key, value := splitKey(body)
		switch {
		case indent == 0:
			section, name = key, ""
			w.definitions[section] = map[string]string{}
		case section != "scenarios":
			w.definitions[section][key] = value
			if section == "algorithms" {
				w.algorithms = append(w.algorithms, key)
			}
		case indent == 2:
			_, value := splitKey(strings.TrimPrefix(body, "- "))
			name = unquoted(value)
			w.scenarios[name] = nil
		case name == "" && len(w.scenarios) == 0:
			return w, false
		case indent == 4 && slices.ContainsFunc(w.scenarios[name], func(f field) bool { return f.name == key }):
			return w, false
		case indent == 4:
			w.scenarios[name] = append(w.scenarios[name], field{key, []string{value}})
		default: // an entry of traffic or of expectations
			fields := w.scenarios[name]
			if len(fields) == 0 {
				return w, false
			}
			last := &fields[len(fields)-1]
			last.lines = append(last.lines, body)
		}
	}
	return w, len(w.scenarios) > 0
}

func (w world) has(scenario string) bool { _, ok := w.scenarios[scenario]; return ok }

// fields returns the fields of a scenario that determine its traffic. The names
// of its policy and topology are replaced by their definitions.
func (w world) fields(scenario string) (list []field) {
	for _, f := range w.scenarios[scenario] {
		if slices.Contains(free, f.name) {
			continue
		}
		section := map[string]string{"policy": "policies", "topology": "topologies"}[f.name]
		if definition, ok := w.definitions[section][unquoted(f.value())]; ok {
			f.lines = []string{definition}
		}
		list = append(list, f)
	}
	return list
}

// differences returns each field of the scenario that differs.
func (w world) differences(other world, scenario string) (list []Difference) {
	x, y := w.fields(scenario), other.fields(scenario)
	for _, f := range x {
		i := slices.IndexFunc(y, func(g field) bool { return g.name == f.name })
		switch {
		case i < 0 && f.value() == "": // an empty field equals an absent one
		case i < 0:
			list = append(list, Difference{in(scenario, f.name), clip(f.value()), "none"})
		case y[i].value() != f.value():
			a, b := differing(f.value(), y[i].value())
			list = append(list, Difference{in(scenario, f.name), a, b})
		}
	}
	for _, f := range y {
		if f.value() != "" && !slices.ContainsFunc(x, func(g field) bool { return g.name == f.name }) {
			list = append(list, Difference{in(scenario, f.name), "none", clip(f.value())})
		}
	}
	return list
}

// splitKey splits `name: value`. The name may be in double quotes.
func splitKey(line string) (key, value string) {
	end := 0
	if strings.HasPrefix(line, `"`) {
		for end = 1; end < len(line) && line[end] != '"'; end++ {
			if line[end] == '\\' {
				end++
			}
		}
	}
	end = min(end, len(line))
	key, value, _ = strings.Cut(line[end:], ":")
	return unquoted(line[:end] + key), strings.TrimSpace(value)
}

// unquoted removes the double quotes of a scalar. Escapes stay, in both
// documents.
func unquoted(text string) string {
	if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
		return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(text[1 : len(text)-1])
	}
	return text
}

// separators lists the characters that end a part of a definition.
const separators = ",{}[]\n"

// differing removes from two texts what they share at both ends and keeps whole
// `name: value` parts. For two definitions that differ in one option, it
// returns that option, after the names of what it is in.
func differing(a, b string) (x, y string) {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	head = strings.LastIndexAny(a[:head], separators) + 1
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	if next := strings.IndexAny(a[len(a)-tail:], separators); next >= 0 {
		tail -= next
	} else {
		tail = 0
	}
	part := func(text string) string {
		one := strings.TrimSuffix(strings.TrimSpace(text[head:len(text)-tail]), ":")
		if one == "" {
			return "none"
		}
		return clip(within(text[:head]) + one)
	}
	return part(a), part(b)
}

// within returns the names of the mappings that text, the beginning of a definition, leaves
// open, each with a colon and a space: "reference: sliding-log: ".
func within(text string) string {
	var open []string
	quoted, from := false, 0
	for i, c := range []byte(text) {
		switch {
		case c == '"' && (i == 0 || text[i-1] != '\\'):
			quoted = !quoted
		case quoted || !strings.ContainsRune(separators, rune(c)):
			continue
		case c == '{' || c == '[':
			name, isKey := strings.CutSuffix(strings.TrimSpace(text[from:i]), ":")
			if isKey {
				name += ": "
			} else {
				name = ""
			}
			open = append(open, name)
		case (c == '}' || c == ']') && len(open) > 0:
			open = open[:len(open)-1]
		}
		if c != '"' {
			from = i + 1
		}
	}
	return strings.Join(open, "")
}

// longest is the number of bytes of a difference that a message shows.
const longest = 160

func clip(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return "none"
	}
	if len(text) > longest {
		return strings.ToValidUTF8(text[:longest], "") + " …"
	}
	return text
}
