package table

import (
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
)

// wrap breaks text at spaces into lines of at most limit columns. Lines after the
// first start with indent. A word longer than a line is cut.
func wrap(text string, limit int, indent string) []string {
	var lines []string
	line, width, empty := "", 0, true
	for _, word := range unbroken(text) {
		if more := 1 + format.Width(word); !empty && width+more <= limit {
			line, width = line+" "+word, width+more
			continue
		}
		if !empty {
			lines = append(lines, line)
			line = indent
		}
		word = strings.TrimLeft(word, " ")
		for {
			head := format.Cut(word, limit-format.Width(line))
			if head == "" || head == word {
				break
			}
			lines = append(lines, line+head)
			word, line = word[len(head):], indent
		}
		line += word
		width, empty = format.Width(line), false
	}
	return append(lines, line)
}

// unbroken splits text into words and keeps a percent sign with its number.
func unbroken(text string) []string {
	var list []string
	for _, word := range spaced(text) {
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
	before := ""
	for word := range strings.SplitSeq(strings.TrimSpace(text), " ") {
		if word == "" {
			before += " "
			continue
		}
		for i, w := range strings.Fields(word) { // at tabs and line breaks
			if i > 0 {
				before = ""
			}
			words = append(words, before+w)
		}
		before = ""
	}
	return words
}
