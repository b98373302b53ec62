package report

import (
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// width is how many terminal columns text takes. It does not ask the locale
// whether ± is wide, so that a table is the same everywhere.
func width(text string) int {
	return twwidth.WidthWithOptions(text, twwidth.Options{})
}

// cut returns the longest head of text that is at most limit wide.
func cut(text string, limit int) string {
	total := 0
	for i, r := range text {
		total += width(string(r))
		if total > limit {
			return text[:i]
		}
	}
	return text
}

// shorten takes the middle out of text so that it is at most limit wide.
func shorten(text string, limit int) string {
	if width(text) <= limit {
		return text
	}
	head := cut(text, (limit-1)/2)
	room := limit - 1 - width(head)
	tail := text[len(head):]
	start := len(tail) // a name may be megabytes long, so only what is kept is measured
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(tail[:start])
		if room -= width(string(r)); room < 0 {
			break
		}
		start -= size
	}
	return head + "…" + tail[start:]
}

// wrap breaks text at spaces into lines of at most limit; lines after the first
// start with indent. A word longer than a line is cut.
func wrap(text string, limit int, indent string) []string {
	var lines []string
	line, empty := "", true
	for _, word := range unbroken(text) {
		if !empty && width(line)+1+width(word) <= limit {
			line += " " + word
			continue
		}
		if !empty {
			lines = append(lines, line)
			line = indent
		}
		for {
			head := cut(word, limit-width(line))
			if head == "" || head == word {
				break
			}
			lines = append(lines, line+head)
			word, line = word[len(head):], indent
		}
		line += word
		empty = false
	}
	return append(lines, line)
}

// unbroken are the words of a text, each figure with its percent sign.
func unbroken(text string) []string {
	var list []string
	for _, word := range strings.Fields(text) {
		if last := len(list) - 1; last >= 0 && strings.HasPrefix(word, "%") {
			list[last] += " " + word
		} else {
			list = append(list, word)
		}
	}
	return list
}

// words breaks a header into lines of at most limit at its spaces and after its
// hyphens; a piece longer than that keeps its length.
func words(header string, limit int) []string {
	pieces := strings.Fields(strings.ReplaceAll(header, "-", "- "))
	var lines []string
	for _, piece := range pieces {
		last := len(lines) - 1
		if last >= 0 {
			joined := lines[last] + " " + piece
			if strings.HasSuffix(lines[last], "-") {
				joined = lines[last] + piece
			}
			if width(joined) <= limit {
				lines[last] = joined
				continue
			}
		}
		lines = append(lines, piece)
	}
	return lines
}
