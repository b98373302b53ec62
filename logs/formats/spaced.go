package formats

import (
	"bytes"

	"github.com/limitgauge/limitgauge/logs/text"
)

// cutSpaced cuts a line at its spaces into columns, until there is no further
// column. Text in quotes or in brackets is one field, without them. It sets the
// columns that the line does not have to nil, and returns how many it has and what
// is left of the line. ok is false if quotes or brackets are not closed.
func cutSpaced(line []byte, columns [][]byte) (n int, rest []byte, ok bool) {
	for len(line) > 0 && n < len(columns) {
		var field []byte
		switch line[0] {
		case '"':
			if field, line = quoted(line[1:]); line == nil {
				clear(columns[n:])
				return n, nil, false
			}
		case '[':
			end := bytes.IndexByte(line, ']')
			if end < 0 {
				clear(columns[n:])
				return n, nil, false
			}
			if end+1 < len(line) && line[end+1] != ' ' { // an address with a port
				if end = bytes.IndexByte(line, ' '); end < 0 {
					end = len(line)
				}
				field, line = line[:end], line[end:]
				break
			}
			field, line = line[1:end], line[end+1:]
		default:
			end := bytes.IndexByte(line, ' ')
			if end < 0 {
				end = len(line)
			}
			field, line = line[:end:end], line[end:]
		}
		columns[n] = field
		n++
		if len(line) > 0 {
			line = line[1:]
		}
	}
	clear(columns[n:])
	return n, line, true
}

// shape is what a column holds in each line of a format.
type shape struct {
	column int
	fits   func(text []byte) bool
	why    string // of a line whose column does not fit
}

// spaced returns a function that cuts a line at its spaces. It has a flaw unless each
// column that it has fits its shape, and it has at least least of them. short says so.
func spaced(least int, short string, shapes ...shape) func(line []byte, columns [][]byte) text.Flaw {
	return func(line []byte, columns [][]byte) text.Flaw {
		n, _, ok := cutSpaced(line, columns)
		for _, s := range shapes {
			if n > s.column && !s.fits(columns[s.column]) {
				return text.Flaw{Why: s.why, Text: columns[s.column]}
			}
		}
		if !ok || n < least {
			return text.Flaw{Why: short}
		}
		return text.Flaw{}
	}
}

// isWhole reports whether text is a whole number.
func isWhole(raw []byte) bool { return len(raw) > 0 && text.Digits(raw) == len(raw) }

// isStatus reports whether text is a status: three digits, "-" or -1.
func isStatus(text []byte) bool {
	return len(text) == 3 && isWhole(text) || string(text) == "-" || string(text) == "-1"
}

// isParts reports whether text has n numbers with slashes between them. A number
// may have a sign.
func isParts(text []byte, n int) bool {
	for i := range n {
		part, rest, more := bytes.Cut(text, []byte("/"))
		if len(part) > 1 && (part[0] == '-' || part[0] == '+') {
			part = part[1:]
		}
		if !isWhole(part) || more != (i+1 < n) {
			return false
		}
		text = rest
	}
	return true
}
