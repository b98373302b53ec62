package pairing

import (
	"slices"
	"strings"
)

// world is an effective scenario file taken apart. It is read by its layout,
// which is fixed: two spaces a level, blocks down to the fields of a scenario,
// one line for each definition and each entry of traffic.
type world struct {
	policies, topologies, algorithms map[string]string // by name
	order                            []string          // of the algorithms
	scenarios                        map[string][]field
}

// field is one field of a scenario: its value's lines, as text.
type field struct {
	name  string
	lines []string
}

func (f field) value() string { return strings.TrimSpace(strings.Join(f.lines, "\n")) }

// free are the fields of a scenario that leave its traffic, and how the traffic
// is measured, alone. Seeds are compared by themselves.
var free = []string{"about", "seed", "replications", "metrics", "measure_memory", "algorithms", "expect"}

// readWorld takes an effective scenario file apart; ok is false where the text
// holds no scenario in that layout.
func readWorld(text string) (w world, ok bool) {
	w = world{map[string]string{}, map[string]string{}, map[string]string{}, nil, map[string][]field{}}
	section, name := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		body := strings.TrimLeft(line, " ")
		indent := len(line) - len(body)
		key, value := splitKey(body)
		switch {
		case indent == 0:
			section, name = key, ""
		case section != "scenarios":
			switch section {
			case "policies":
				w.policies[key] = value
			case "topologies":
				w.topologies[key] = value
			case "algorithms":
				w.algorithms[key] = value
				w.order = append(w.order, key)
			}
		case indent == 2:
			_, value := splitKey(strings.TrimPrefix(body, "- "))
			name = unquoted(value)
			w.scenarios[name] = nil
		case name == "" && len(w.scenarios) == 0:
			return w, false
		case indent == 4:
			w.scenarios[name] = append(w.scenarios[name], field{key, []string{value}})
		default: // an entry of traffic, or of what is expected
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

// fields are those of a scenario that make its traffic, with the policy and the
// topology that it names in the place of their names.
func (w world) fields(scenario string) (list []field) {
	for _, f := range w.scenarios[scenario] {
		if slices.Contains(free, f.name) {
			continue
		}
		definitions := map[string]map[string]string{"policy": w.policies, "topology": w.topologies}[f.name]
		if definition, ok := definitions[unquoted(f.value())]; ok {
			f.lines = []string{definition}
		}
		list = append(list, f)
	}
	return list
}

// differences names each field of the scenario that differs, and in what.
func (w world) differences(other world, scenario string) (list []Difference) {
	x, y := w.fields(scenario), other.fields(scenario)
	for _, f := range x {
		i := slices.IndexFunc(y, func(g field) bool { return g.name == f.name })
		switch {
		case i < 0 && f.value() == "": // says as little as none
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

// splitKey cuts `name: value`, where the name may be in double quotes.
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

// unquoted takes the double quotes off a scalar; escapes stay as they are, in
// both documents.
func unquoted(text string) string {
	if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
		return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(text[1 : len(text)-1])
	}
	return text
}

// separators end a part of a definition.
const separators = ",{}[]\n"

// differing are the parts of two texts between what they share at both ends,
// widened to whole `name: value` parts: of two definitions that differ in one
// option, that option.
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
	return clip(strings.TrimSpace(a[head : len(a)-tail])), clip(strings.TrimSpace(b[head : len(b)-tail]))
}

// longest is the most of a difference that is shown, in bytes.
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
