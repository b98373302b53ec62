package format

import (
	"strings"
	"unicode"
)

// apart separates a character from the next one, so that GitHub finds neither a
// mention nor an issue there. A reader does not see it.
const apart = "<!-- -->"

// Markdown returns text from a file as Markdown that shows it as it is, inside a
// line: nothing in it becomes a link, an image, a mention, HTML, emphasis or a
// cell. It leaves alone what can be none of these.
func Markdown(text string) string { return markdown([]rune(strings.TrimSpace(Clean(text))), -1) }

// MarkdownLine returns Markdown for a line of its own or an item of a list: nothing
// in it becomes a block either.
func MarkdownLine(text string) string {
	line := []rune(strings.TrimSpace(Clean(text)))
	return markdown(line, beginsBlock(line))
}

// markdown escapes what is markup, and the character at block.
func markdown(runes []rune, block int) string {
	at := func(i int) rune {
		if i < 0 || i >= len(runes) {
			return ' '
		}
		return runes[i]
	}
	var out strings.Builder
	for i, r := range runes {
		before, after := at(i-1), at(i+1)
		switch {
		case r == '<' && (isWord(after) || strings.ContainsRune("/!?", after)):
			out.WriteString("&lt;")
			continue
		case r == '&' && (isWord(after) || after == '#'):
			out.WriteString("&amp;")
			continue
		case i == block, strings.ContainsRune("`*~$|", r),
			r == '\\' && (i+1 == len(runes) || unicode.IsPunct(after) || unicode.IsSymbol(after)),
			r == '_' && !(isWord(before) && isWord(after)),
			r == ']' && strings.ContainsRune("([:", after),
			r == '/' && before == ':',
			r == '.' && strings.EqualFold(string([]rune{at(i - 3), at(i - 2), before}), "www"):
			out.WriteByte('\\')
		}
		out.WriteRune(r)
		if r == '@' && (isWord(before) || isWord(after)) || r == '#' && unicode.IsDigit(after) {
			out.WriteString(apart)
		}
	}
	return out.String()
}

// beginsBlock returns the index of the character that makes the beginning of a
// line a heading, a quote, a list, a task or a rule, or -1.
func beginsBlock(line []rune) int {
	digits := 0
	for digits < len(line) && line[digits] >= '0' && line[digits] <= '9' {
		digits++
	}
	if digits == len(line) {
		return -1
	}
	alone := digits+1 == len(line) || strings.ContainsRune(" #-+=", line[digits+1])
	switch r := line[digits]; {
	case digits > 0:
		if alone && (r == '.' || r == ')') {
			return digits
		}
	case strings.ContainsRune(">[", r), alone && strings.ContainsRune("#-+=", r):
		return 0
	}
	return -1
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
