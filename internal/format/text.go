package format

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// Clean makes text from a file safe for a terminal and a table. It replaces
// each character that is not printable by a space.
func Clean(s string) string {
	if plain(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, s)
}

// Width returns the number of terminal columns that text needs. It ignores the
// locale, in which ± may be wide, so that a table is the same everywhere.
func Width(text string) int {
	if plain(text) {
		return len(text)
	}
	return twwidth.WidthWithOptions(text, twwidth.Options{})
}

// plain reports whether each byte is a character of ASCII that is shown, as in most texts.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// Cut returns the longest prefix of text that is at most limit wide.
func Cut(text string, limit int) string {
	if start := text[:min(len(text), max(limit, 0)+1)]; plain(start) {
		return start[:min(len(start), max(limit, 0))]
	}
	total := 0
	for i, r := range text {
		total += Width(string(r))
		if total > limit {
			return text[:i]
		}
	}
	return text
}

// Shorten removes the middle of text so that it is at most limit wide.
func Shorten(text string, limit int) string {
	if Width(text) <= limit {
		return text
	}
	head := Cut(text, (limit-1)/2)
	room := limit - 1 - Width(head)
	tail := text[len(head):]
	start := len(tail) // a name may be megabytes long, so only the kept part is measured
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(tail[:start])
		if room -= Width(string(r)); room < 0 {
			break
		}
		start -= size
	}
	return head + "…" + tail[start:]
}

// Capital returns the text with a capital first letter. The letter must be ASCII.
func Capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
