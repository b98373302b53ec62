package scenarios

import "slices"

// LogFiles returns the values of every file: and files: of a scenario file, in
// order: the names or globs of the logs that its traffic reads. It also reads a file
// that has problems, as far as it is YAML.
func LogFiles(source []byte) (names []string) {
	var visit func(n *node)
	visit = func(n *node) {
		for _, item := range n.items {
			visit(item)
		}
		for _, p := range n.pairs {
			if p.key == "file" || p.key == "files" {
				for _, value := range slices.Concat(p.value.items, []*node{p.value}) {
					if value.kind == scalar {
						names = append(names, value.text)
					}
				}
			}
			visit(p.value)
		}
	}
	if root := readYAML(source, func(place, string, ...any) {}); root != nil {
		visit(root)
	}
	return names
}
