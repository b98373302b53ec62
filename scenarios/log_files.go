package scenarios

import "slices"

// LogFiles returns the values of every file: and files: of a scenario file, in
// order: the names or globs of the logs that its traffic reads. It also reads a file
// that has problems, as far as it is YAML.
func LogFiles(source []byte) []string { return Words(source, "file", "files") }

// Words returns the values of every field of these names of a scenario file, those of lists
// too, as LogFiles does.
func Words(source []byte, fields ...string) (words []string) {
	var visit func(n *node)
	visit = func(n *node) {
		for _, item := range n.items {
			visit(item)
		}
		for _, p := range n.pairs {
			if slices.Contains(fields, p.key) {
				for _, value := range slices.Concat(p.value.items, []*node{p.value}) {
					if value.kind == scalar {
						words = append(words, value.text)
					}
				}
			}
			visit(p.value)
		}
	}
	if root := readYAML(source, func(place, string, ...any) {}); root != nil {
		visit(root)
	}
	return words
}
