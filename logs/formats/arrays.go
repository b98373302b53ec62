package formats

import (
	"bytes"

	"github.com/limitgauge/limitgauge/logs/jsontext"
	"github.com/limitgauge/limitgauge/logs/text"
)

// isDocument reports whether the file is one JSON document with an array of
// records, judging by its beginning, rather than JSON lines.
func isDocument(o *Asked, lines *text.Lines) bool {
	if o.Records != "" {
		return true
	}
	sample, whole := lines.Ahead(SampleSize)
	sample = bytes.TrimSpace(sample)
	switch {
	case len(sample) == 0:
		return false
	case sample[0] == '[':
		next := jsontext.SkipSpace(sample, 1)
		return next == len(sample) || sample[next] == '{' || sample[next] == ']'
	case sample[0] != '{':
		return false
	}
	first, rest, more := bytes.Cut(sample, []byte("\n"))
	first, rest = bytes.TrimSpace(first), bytes.TrimSpace(rest)
	if jsontext.Valid(first) {
		// One object alone is a record when it has a time, else a wrapping.
		alone := !more && whole
		return alone && !hasTime(o, first) && RecordsArray(o, first) >= 0
	}
	if !more {
		return !hasTime(o, first) && RecordsArray(o, first) >= 0 // on one line
	}
	switch first[len(first)-1] {
	case '{', '[', ':':
		return true
	case ',': // a pretty-printed member follows, or a record after a cut one
		return len(rest) > 0 && rest[0] == '"'
	}
	return false
}

// hasTime reports whether a record has the time field that the options name, or
// one that is known as such.
func hasTime(o *Asked, record []byte) bool {
	if name := o.stampField(); name != "" {
		return jsontext.At(record, name) != nil
	}
	k := known{names: paths([][]byte{record}), values: func(string) [][]byte { return nil }}
	return len(k.defaults(o).arrivals) > 0
}

// RecordsArray returns the offset of the first array in a JSON text whose first
// element is an object with a time. If there is none, it returns the first
// array that starts with an object, or -1.
func RecordsArray(o *Asked, text []byte) int {
	fallback := -1
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			if i = jsontext.SkipString(text, i); i < 0 {
				return fallback
			}
		case '[':
			if j := jsontext.SkipSpace(text, i+1); j < len(text) && text[j] == '{' {
				if fallback < 0 {
					fallback = i
				}
				if end := jsontext.SkipValue(text, j); end > 0 && hasTime(o, text[j:end]) {
					return i
				}
			}
			i++
		default:
			i++
		}
	}
	return fallback
}
