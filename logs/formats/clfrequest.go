package formats

import (
	"bytes"

	"github.com/limitgauge/limitgauge/logs/text"
)

// cutRequest cuts `request" status bytes` and returns the rest of the line,
// or nil if the text has another form. The request ends at the first unescaped
// quote with a status and a size behind it, because some servers write quotes
// without escaping them.
func cutRequest(b []byte, p [][]byte) []byte {
	for q := 0; ; q++ {
		n := bytes.IndexByte(b[q:], '"')
		if n < 0 {
			return nil
		}
		q += n
		if escaped(b, q) {
			continue
		}
		t := b[q+1:]
		if len(t) < 4 || t[0] != ' ' {
			continue
		}
		s := 1 + text.Digits(t[1:])
		if s == 1 && t[1] == '-' {
			s = 2
		} else if s != 4 {
			continue
		}
		if s+1 >= len(t) || t[s] != ' ' {
			continue
		}
		e := s + 1 + text.Digits(t[s+1:])
		if e == s+1 {
			if t[e] != '-' {
				continue
			}
			e++
		}
		if e < len(t) && t[e] != ' ' {
			continue
		}
		p[colRequest], p[colStatus], p[colBytes] = b[:q], t[1:s], t[s+1:e]
		return t[e:]
	}
}

// quoted returns the text before its closing quote and the rest of the line.
// The closing quote is not escaped and is followed by a space or the end. rest
// is nil if there is no such quote.
func quoted(b []byte) (text, rest []byte) {
	for q := 0; ; q++ {
		n := bytes.IndexByte(b[q:], '"')
		if n < 0 {
			return nil, nil
		}
		q += n
		if !escaped(b, q) && (q+1 == len(b) || b[q+1] == ' ') {
			return b[:q:q], b[q+1:]
		}
	}
}

// escaped reports whether b[i] follows an odd number of backslashes.
func escaped(b []byte, i int) bool {
	n := 0
	for i > n && b[i-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}
