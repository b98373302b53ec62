package figure

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// Slugs turns the names of items into file names, in order. It appends a number
// to a file name that an earlier item has already, or that a file system could take
// for it, because it ignores case or how letters are composed.
func Slugs[T any](items []T, name func(T) string) []string {
	slugs := lists.Map(items, func(item T) string { return slug(name(item)) })
	return format.DistinctBy(slugs, "%s-%d", folded)
}

// longestSlug limits the length of a slug in bytes. File systems take names of 255
// bytes, some of 143; a name has two slugs at most, and a few words.
const longestSlug = 80

// slug turns a name into part of a file name: letters in lower case, digits and
// symbols of any script, and single hyphens in place of everything else. Of ASCII it
// keeps only letters and digits, which need no quotes in a shell. What Windows
// refuses, such as con, cannot occur, because words follow the slug in the name.
func slug(name string) string {
	var out []byte
	for _, r := range norm.NFC.String(strings.ToLower(name)) {
		switch {
		case kept(r):
			if len(out)+utf8.RuneLen(r) > longestSlug {
				return strings.TrimRight(string(out), "-")
			}
			out = utf8.AppendRune(out, r)
		case unicode.Is(unicode.Cf, r): // invisible, such as marks of the direction
		case len(out) > 0 && out[len(out)-1] != '-':
			out = append(out, '-')
		}
	}
	return cmp.Or(strings.TrimRight(string(out), "-"), "scenario")
}

func kept(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
	}
	return r != utf8.RuneError && unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.S)
}

// folded returns a text that is the same for all names that some file system takes
// for one: without case, and with letters decomposed.
func folded(name string) string {
	whole := strings.Map(func(r rune) rune {
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, norm.NFKD.String(name))
	return strings.ReplaceAll(whole, "ß", "SS")
}
