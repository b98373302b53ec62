package targets

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/live/exchange"
)

// Template is a text in which words stand for parts of a request: {key}, {tenant},
// {client}, {cost} and {i}, its number. {run}, {limit}, {burst}, {window_s},
// {window_ms} and {window_us} are the same for each request. Other braces stand for
// themselves, so {"key":"{key}"} is a text in JSON.
type Template []part

// part is a text, and a word behind it or "".
type part struct{ text, word string }

var wordInBraces = regexp.MustCompile(`\{[a-z][a-z0-9_]*\}`)

// Template parses a template. It returns an error that names an unknown word.
func (s *Setting) Template(text string) (Template, error) {
	constants := s.words()
	var t Template
	var before strings.Builder
	end := 0
	for _, at := range wordInBraces.FindAllStringIndex(text, -1) {
		before.WriteString(text[end:at[0]])
		end = at[1]
		word := text[at[0]+1 : at[1]-1]
		if value, ok := constants[word]; ok {
			before.WriteString(value)
			continue
		}
		switch word {
		case "key", "tenant", "client", "cost", "i":
		default:
			return nil, fmt.Errorf("%q: unknown word {%s} at character %d: want {key}, {tenant}, {client}, {cost}, {i}, {run}, {limit}, {burst}, {window_s}, {window_ms} or {window_us}", text, word, at[0]+1)
		}
		t = append(t, part{before.String(), word})
		before.Reset()
	}
	before.WriteString(text[end:])
	return append(t, part{before.String(), ""}), nil
}

// Of returns the text for a request.
func (t Template) Of(r *exchange.Request) string {
	var room [128]byte
	b := room[:0]
	for _, p := range t {
		b = append(b, p.text...)
		switch p.word {
		case "key":
			b = append(b, r.Key...)
		case "tenant":
			b = append(b, r.Tenant...)
		case "client":
			b = strconv.AppendInt(b, int64(r.Client), 10)
		case "cost":
			b = strconv.AppendInt(b, r.Cost, 10)
		case "i":
			b = strconv.AppendInt(b, r.Number, 10)
		}
	}
	return string(b)
}
