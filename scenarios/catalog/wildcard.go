package catalog

import "strings"

// Wildcard stands for any characters, also none, in a pattern of Matches.
const Wildcard = "*"

// Matches reports whether a name is the pattern's, in which * stands for any
// characters, also none.
func Matches(pattern, name string) bool {
	pieces := strings.Split(pattern, Wildcard)
	last := len(pieces) - 1
	if last == 0 {
		return name == pattern
	}
	name, ok := strings.CutPrefix(name, pieces[0])
	if !ok {
		return false
	}
	for _, piece := range pieces[1:last] {
		_, rest, found := strings.Cut(name, piece)
		if !found {
			return false
		}
		name = rest
	}
	return strings.HasSuffix(name, pieces[last])
}
