package formats

import (
	"bytes"
	"strings"

	"github.com/limitgauge/limitgauge/logs/text"
)

// Resemblance returns the text format whose documented sample has the most
// fields of the same kinds as the first line of a sample, and how many percent
// of them. It serves messages about files that no format fits.
func Resemblance(scores []Score, line []byte) (best Score, percent int) {
	fields := fieldKinds(line)
	for _, s := range scores {
		if s.Format.cut == nil {
			continue
		}
		for text := range strings.Lines(s.Format.Sample()) {
			p := alike(fields, fieldKinds([]byte(strings.TrimSuffix(text, "\n"))))
			if p > percent {
				best, percent = s, p
			}
		}
	}
	return best, percent
}

// alike returns how many percent of the fields have equal kinds, counted from
// the first or from the last field. "-" is like anything but a field in brackets.
func alike(a, b string) int {
	same := func(i, j int) bool {
		return a[i] == b[j] || (a[i] == '-' || b[j] == '-') && a[i] != 'b' && b[j] != 'b'
	}
	front, back := 0, 0
	for i := range min(len(a), len(b)) {
		if same(i, i) {
			front++
		}
		if same(len(a)-1-i, len(b)-1-i) {
			back++
		}
	}
	return 100 * max(front, back) / max(1, len(a), len(b))
}

// fieldKinds returns one letter for each field of a line: quoted, bracketed,
// number, address, time, "-" or word. Spaces and tabs separate fields.
func fieldKinds(line []byte) string {
	var kinds []byte
	for line = bytes.TrimLeft(line, " \t"); len(line) > 0; line = bytes.TrimLeft(line, " \t") {
		closing, kind := byte(' '), byte(0)
		switch line[0] {
		case '"':
			closing, kind = '"', 'q'
		case '[':
			closing, kind = ']', 'b'
		}
		end := bytes.IndexByte(line[1:], closing) + 1
		if kind != 0 && end > 0 {
			end++
		} else if end = bytes.IndexAny(line, " \t"); end < 0 {
			end = len(line)
		}
		if kind == 0 {
			kind = fieldKind(line[:end])
		}
		kinds, line = append(kinds, kind), line[end:]
	}
	return string(kinds)
}

func fieldKind(raw []byte) byte {
	var n text.Number
	switch {
	case len(raw) == 1 && raw[0] == '-':
		return '-'
	case n.Split(raw):
		return 'n'
	case hasIP(raw):
		return 'a'
	case isoStamp(raw):
		return 't'
	}
	return 'w'
}
