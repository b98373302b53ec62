package scenarios

import (
	"slices"
	"strings"
)

// Setting writes the values of a cell as YAML to paste: first into the definitions of the
// file, then into the scenario. with selects the axes, by number. Values inside lists are
// written with their paths, as comments, because the rest of the list is not known here.
func (g *Grid) Setting(c Cell, with func(axis int) bool) string {
	var definitions, scenario branch
	var lists []string
	for i := range c.Scenario.Axes {
		if !with(i) {
			continue
		}
		a := &c.Scenario.Axes[i]
		value := a.Values[c.At[i]]
		if a.nodes[c.At[i]].kind == scalar {
			value = plainYAML(value)
		}
		switch path := g.steps(a.Of); {
		case slices.ContainsFunc(path, func(step string) bool { return strings.Contains(step, "[") }):
			lists = append(lists, "# "+a.Of+": "+value+"\n")
		case ofDefinition(a.Of):
			definitions.put(path, value)
		default:
			scenario.put(path, value)
		}
	}
	var out strings.Builder
	definitions.write(&out, 0)
	if len(scenario.parts)+len(lists) > 0 {
		out.WriteString("# in the scenario " + Clip(c.Scenario.Name) + ":\n")
	}
	scenario.write(&out, 0)
	return out.String() + strings.Join(lists, "")
}

// steps splits a path at its dots, but not within the name of a definition.
func (g *Grid) steps(path string) []string {
	if !ofDefinition(path) {
		return strings.Split(path, ".")
	}
	section, rest, _ := strings.Cut(path, ".")
	definitions := g.root.get(section)
	if definitions == nil {
		definitions = &node{kind: mapping}
	}
	name, rest := definitions.keyOf(rest)
	return append([]string{section, name}, strings.Split(rest, ".")...)
}

// plainYAML writes a value of an axis that is one word: without quotes where YAML allows it.
func plainYAML(text string) string {
	if quoting(text) == 0 {
		return text
	}
	return scalarYAML(text)
}

// branch is a mapping or a value of a YAML text.
type branch struct {
	key, value string
	parts      []*branch
}

func (b *branch) put(path []string, value string) {
	i := slices.IndexFunc(b.parts, func(p *branch) bool { return p.key == path[0] })
	if i < 0 {
		i = len(b.parts)
		b.parts = append(b.parts, &branch{key: path[0]})
	}
	if len(path) == 1 {
		b.parts[i].value = value
		return
	}
	b.parts[i].put(path[1:], value)
}

func (b *branch) write(out *strings.Builder, indent int) {
	for _, p := range b.parts {
		out.WriteString(strings.Repeat("  ", indent) + scalarYAML(p.key) + ":")
		if p.value != "" {
			out.WriteString(" " + p.value)
		}
		out.WriteByte('\n')
		p.write(out, indent+1)
	}
}
