package scenarios

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

var syntaxLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// syntaxError finds the line of a syntax error. The library reports the line of
// scanner errors. For parser errors ("did not find expected …") it reports the
// start of the enclosing block, or no line if that is the first one. For these,
// syntaxError searches for the first line up to which the source already has
// the same error.
func syntaxError(source []byte, err error) (line int, message string) {
	head := syntaxLine.FindStringSubmatch(err.Error())
	if head == nil {
		return 1, err.Error()
	}
	message = err.Error()[len(head[0]):]
	line, _ = strconv.Atoi(head[1])
	line = max(line, 1)
	// The scanner names the line of the token before the character.
	at, tab := tabIndent(source, line)
	switch {
	case tab && (message == "found character that cannot start any token" || strings.HasPrefix(message, "found a tab character ")):
		return at, "a tab cannot indent: write spaces"
	case message == "found character that cannot start any token":
		message += " (a tab cannot indent, and @ and ` need quotes)"
	}
	if !strings.HasPrefix(message, "did not find expected") {
		return line, message
	}
	lines := bytes.SplitAfter(source, []byte("\n"))
	low, high := 0, len(lines) // the first low lines lack the error, the first high lines have it
	for high-low > 1 {
		middle := (low + high) / 2
		if decodes(bytes.Join(lines[:middle], nil), message) {
			low = middle
		} else {
			high = middle
		}
	}
	return high, message
}

// tabIndent returns the first line, from the one before line on, that a tab
// indents.
func tabIndent(source []byte, line int) (at int, found bool) {
	for i, text := range bytes.Split(source, []byte("\n")) {
		spaces := len(text) - len(bytes.TrimLeft(text, " "))
		if i+1 >= line-1 && spaces < len(text) && text[spaces] == '\t' && len(bytes.TrimSpace(text)) > 0 {
			return i + 1, true
		}
	}
	return 0, false
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
