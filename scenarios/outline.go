package scenarios

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// Heading is what a scenario file calls one of its scenarios.
type Heading struct{ Name, About string }

// Outline reads the names of a file's scenarios and nothing else, so that they
// are known while the rest of the file is still wrong. What is not YAML has none.
func Outline(source []byte) []Heading {
	root := readYAML(source, func(catalog.Position, *path, string, ...any) {})
	if root == nil {
		return nil
	}
	list := root.field("scenarios")
	if list == nil {
		return nil
	}
	text := func(n *node) string {
		if n == nil {
			return ""
		}
		return n.text
	}
	var headings []Heading
	for _, item := range list.items {
		if name := text(item.field("name")); name != "" {
			headings = append(headings, Heading{name, text(item.field("about"))})
		}
	}
	return headings
}
