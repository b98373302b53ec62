package catalog

import "strings"

// Wildcard stands for any characters, also none, in a pattern of Matches.
const Wildcard = "*"

// Matches reports whether a name is the pattern's, in which * stands for any
// characters, also none.
func Matches(pattern, name string) bool {
	first, rest, wild := strings.Cut(pattern, Wildcard)
	name, ok := strings.CutPrefix(name, first)
	for ok && wild {
		var piece string
		if piece, rest, wild = strings.Cut(rest, Wildcard); !wild {
			return strings.HasSuffix(name, piece)
		}
		_, name, ok = strings.Cut(name, piece)
	}
	return ok && name == ""
}
