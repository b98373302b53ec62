package scenarios

import (
	"bytes"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

var syntaxLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// syntaxError finds the line of a syntax error: the first line up to which the source
// already has the same error. The library reports the start of the enclosing block for
// some, the line before a tab, or no line. A key without a colon, which may be a quote that
// is not closed, is only missed later, so its line is that of the library.
func syntaxError(source []byte, err error) (line int, message string) {
	head := syntaxLine.FindStringSubmatch(err.Error())
	if head == nil {
		return 1, err.Error()
	}
	message = err.Error()[len(head[0]):]
	if line, _ = strconv.Atoi(head[1]); message == "could not find expected ':'" {
		return line, message
	}
	lines := bytes.SplitAfter(source, []byte("\n"))
	line = 1 + sort.Search(len(lines)-1, func(i int) bool { return !decodes(bytes.Join(lines[:i+1], nil), message) })
	switch {
	case bytes.HasPrefix(bytes.TrimLeft(lines[line-1], " "), []byte("\t")):
		message = "a tab cannot indent: write spaces"
	case message == "found character that cannot start any token":
		message += " (a tab cannot indent, and @ and ` need quotes)"
	}
	return line, message
}

// decodes reports whether source lacks this syntax error.
func decodes(source []byte, message string) bool {
	decoder := yaml.NewDecoder(bytes.NewReader(source))
	for {
		if _, err := nextDocument(decoder); err != nil {
			return !strings.HasSuffix(err.Error(), message)
		}
	}
}

// commas reports the commas of a mapping in braces that were meant as part of a
// value, such as {limit: 1,000/s}: YAML reads what follows as a field without a
// colon. It marks the value as broken and removes the field.
func (r *yamlReader) commas(n *node) {
	kept := n.pairs[:0]
	for i := 0; i < len(n.pairs); i++ {
		value := n.pairs[i].value
		kept = append(kept, n.pairs[i])
		whole, digits := value.text, value.text
		first := i + 1
		for value.plain && i+1 < len(n.pairs) && n.pairs[i+1].value.kind == null && !r.hasColon(n.pairs[i+1]) {
			i++
			whole += ", " + n.pairs[i].key
			digits += "," + n.pairs[i].key
		}
		if i < first {
			continue
		}
		advice := "quote a text with a comma: " + strconv.Quote(whole)
		if thousands.MatchString(digits) {
			advice = "write the number without it: " + strings.ReplaceAll(digits, ",", "")
		}
		r.report(value.place, "a comma ends a value in braces, so %s is a field without a value; %s", Clip(n.pairs[first].key), advice)
		value.kind = broken
	}
	n.pairs = kept
}

// thousands matches a number with commas between its thousands.
var thousands = regexp.MustCompile(`^\d{1,3}(,\d{3})+($|\D)`)

// maxCommas limits the fields of a file that hasColon looks up in its source.
const maxCommas = 100

// hasColon reports whether a field without a value has a colon or quotes, so that
// it was meant as a field.
func (r *yamlReader) hasColon(p pair) bool {
	if r.commasSeen++; r.commasSeen > maxCommas {
		return true
	}
	rest := r.source
	for range p.pos.Line - 1 {
		_, rest, _ = bytes.Cut(rest, []byte("\n"))
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	runes := []rune(string(line))
	after, plain := strings.CutPrefix(string(runes[min(len(runes), max(0, p.pos.Col-1)):]), p.key)
	after = strings.TrimSpace(after)
	return !plain || !strings.HasPrefix(after, ",") && !strings.HasPrefix(after, "}")
}
