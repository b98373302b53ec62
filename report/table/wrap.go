package table

import (
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
)

// wrap breaks text at spaces into lines of at most limit columns. Lines after the
// first start with indent. A word longer than a line is cut.
func wrap(text string, limit int, indent string) []string {
	var lines []string
	var line []byte
	start, width, empty := "", 0, true // start of the line
	for _, word := range unbroken(text) {
		if more := 1 + format.Width(word); !empty && width+more <= limit {
			line, width = append(append(line, ' '), word...), width+more
			continue
		}
		if !empty {
			lines, start = append(lines, string(line)), indent
		}
		word = strings.TrimLeft(word, " ")
		for {
			head := format.Cut(word, limit-format.Width(start))
			if head == "" || head == word {
				break
			}
			lines = append(lines, start+head)
			word, start = word[len(head):], indent
		}
		line = append(append(line[:0], start...), word...)
		width, empty = format.Width(start+word), false
	}
	return append(lines, string(line))
}

// unbroken splits text into words and keeps a percent sign with its number.
func unbroken(text string) []string {
	words := spaced(text)
	list := words[:0]
	for _, word := range words {
		if last := len(list) - 1; last >= 0 && strings.HasPrefix(word, "%") {
			list[last] += " " + word
		} else {
			list = append(list, word)
		}
	}
	return list
}

// words breaks a header at its spaces and after its hyphens into lines of at most
// limit columns. A longer piece keeps its length.
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
			if format.Width(joined) <= limit {
				lines[last] = joined
				continue
			}
		}
		lines = append(lines, piece)
	}
	return lines
}

// spaced cuts a text into words. A word that several spaces precede keeps all
// of them but one.
func spaced(text string) (words []string) {
	words = make([]string, 0, 1+strings.Count(text, " "))
	before := ""
	for word := range strings.SplitSeq(strings.TrimSpace(text), " ") {
		if word == "" {
			before += " "
			continue
		}
		for w := range strings.FieldsSeq(word) { // at tabs and line breaks
			words = append(words, before+w)
			before = ""
		}
		before = ""
	}
	return words
}
