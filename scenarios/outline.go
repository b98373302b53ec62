package scenarios

// Heading holds the name and the description of one scenario in a file.
type Heading struct{ Name, About string }

// Outline reads only the names and descriptions of a file's scenarios, so that
// they are known while the rest of the file has problems. It returns nil for a
// text that is not YAML.
func Outline(source []byte) []Heading {
	root := readYAML(source, func(place, string, ...any) {})
	if root == nil {
		return nil
	}
	list := root.get("scenarios")
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
		if name := text(item.get("name")); name != "" {
			headings = append(headings, Heading{name, text(item.get("about"))})
		}
	}
	return headings
}
