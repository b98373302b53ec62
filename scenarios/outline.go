package scenarios

// Heading holds the name and the description of one scenario in a file, and the
// algorithms that it compares.
type Heading struct {
	Name, About string
	Algorithms  []string
}

// Outline reads only the headings of a file's scenarios, so that they are known
// while the rest of the file has problems. It returns nil for a
// text that is not YAML.
func Outline(source []byte) []Heading {
	root := readYAML(source, func(place, string, ...any) {})
	if root == nil {
		return nil
	}
	text := func(n *node) string {
		if n == nil {
			return ""
		}
		return n.text
	}
	var headings []Heading
	for _, item := range root.list("scenarios") {
		h := Heading{Name: text(item.get("name")), About: text(item.get("about"))}
		if h.Name == "" {
			continue
		}
		for _, one := range item.list("algorithms") {
			if one.text != "" {
				h.Algorithms = append(h.Algorithms, one.text)
			}
		}
		headings = append(headings, h)
	}
	return headings
}

// Blocks returns the names that a file gives to its policies or topologies, or to the
// algorithms that it defines. kind is the field. Problems of the file hide none.
func Blocks(source []byte, kind string) (names []string) {
	root := readYAML(source, func(place, string, ...any) {})
	if root == nil {
		return nil
	}
	if blocks := root.get(kind); blocks != nil {
		names = mapped(blocks.pairs, func(p pair) string { return p.key })
	}
	return names
}
