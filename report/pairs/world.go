package pairs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// fields are the values of a mapping by their names.
type fields map[string]*yaml.Node

// fieldsOf returns the fields of a mapping; nil if n is none.
func fieldsOf(n *yaml.Node) fields {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	f := fields{}
	for pair := range slices.Chunk(n.Content, 2) {
		f[pair[0].Value] = pair[1]
	}
	return f
}

// readWorld parses an effective scenario file. A text that is none has no fields.
func readWorld(text string) fields {
	var document yaml.Node
	if yaml.Unmarshal([]byte(text), &document) != nil || len(document.Content) == 0 {
		return nil
	}
	return fieldsOf(document.Content[0])
}

// free lists the fields of a scenario that influence neither its traffic nor
// its measurement. Seeds are compared separately.
var free = []string{"about", "seed", "replications", "metrics", "measure_memory", "algorithms", "expect"}

// scenario returns the fields of a scenario of the file that determine its traffic, with
// the definitions of its policy and its topology instead of their names, and those of several
// policies beside them; nil if there is no such scenario.
func (f fields) scenario(name string) fields {
	if f["scenarios"] == nil {
		return nil
	}
	for _, s := range lists.Map(f["scenarios"].Content, fieldsOf) {
		if s["name"] == nil || s["name"].Value != name {
			continue
		}
		maps.DeleteFunc(s, func(field string, _ *yaml.Node) bool { return slices.Contains(free, field) })
		definitions := fieldsOf(f["policies"])
		if names := s["policies"]; names != nil {
			for _, one := range names.Content {
				s["policy "+one.Value] = definitions[one.Value]
			}
		}
		s["policy"] = defined(definitions, s["policy"])
		s["topology"] = defined(fieldsOf(f["topologies"]), s["topology"])
		return s
	}
	return nil
}

// defined returns the definition of a name, or the value itself if it is none.
func defined(definitions fields, n *yaml.Node) *yaml.Node {
	if n == nil || definitions[n.Value] == nil {
		return n
	}
	return definitions[n.Value]
}

// differences returns the differences between two mappings.
func (f fields) differences(path string, g fields) (list []Difference) {
	names := slices.AppendSeq(slices.Collect(maps.Keys(f)), maps.Keys(g))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		list = append(list, differences(path+": "+name, f[name], g[name])...)
	}
	return list
}

// differences returns the differences between two values, of lists those of the first
// entry that differs.
func differences(path string, a, b *yaml.Node) (list []Difference) {
	if x, y := fieldsOf(a), fieldsOf(b); x != nil && y != nil {
		return x.differences(path, y)
	}
	if a != nil && b != nil && a.Kind == yaml.SequenceNode && b.Kind == yaml.SequenceNode {
		for i := 0; len(list) == 0 && i < max(len(a.Content), len(b.Content)); i++ {
			list = differences(fmt.Sprintf("%s[%d]", path, i), entry(a, i), entry(b, i))
		}
		return list
	}
	if x, y := text(a), text(b); x != y {
		return []Difference{{path, clip(x), clip(y)}}
	}
	return nil
}

// entry returns entry i of a list, nil if the list is shorter.
func entry(n *yaml.Node, i int) *yaml.Node {
	if i < len(n.Content) {
		return n.Content[i]
	}
	return nil
}

// text returns a value in one line of YAML, "none" if there is none.
func text(n *yaml.Node) string {
	if n == nil {
		return "none"
	}
	line, _ := yaml.Marshal(&yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle, Content: []*yaml.Node{n}})
	return strings.TrimSuffix(strings.TrimPrefix(string(line), "["), "]\n")
}

// longest is the number of bytes of a difference that a message shows.
const longest = 160

func clip(text string) string {
	if len(text) > longest {
		return strings.ToValidUTF8(text[:longest], "") + " …"
	}
	return text
}
