package formats

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs/text"
)

// csvDelimiters lists the characters that may separate columns. The header
// shows which one a file uses.
const csvDelimiters = ",;\t|"

// maxRecordLines limits a record whose quoted fields contain line breaks. In a
// longer record, the opening quote is treated as a stray character.
const maxRecordLines = 1000

// csvRecord cuts CSV records (RFC 4180: quoted fields, doubled quotes, line
// breaks inside quotes) into fields. A quote inside an unquoted field is an
// ordinary character.
type csvRecord struct {
	delimiter byte
	fields    [][]byte
	scratch   []byte // unescaped fields
}

// split results.
const (
	csvWhole  = iota
	csvOpen   // ends inside quotes
	csvBroken // text behind a closing quote
)

func (c *csvRecord) split(b []byte) int {
	c.fields = c.fields[:0]
	c.scratch = c.scratch[:0]
	for {
		if len(b) == 0 || b[0] != '"' {
			i := bytes.IndexByte(b, c.delimiter)
			if i < 0 {
				c.fields = append(c.fields, b[:len(b):len(b)])
				return csvWhole
			}
			c.fields = append(c.fields, b[:i:i])
			b = b[i+1:]
			continue
		}
		field, n, doubled := quotedCSV(b)
		if n < 0 {
			return csvOpen
		}
		if doubled {
			from := len(c.scratch)
			c.scratch = appendUndoubled(c.scratch, field)
			field = c.scratch[from:len(c.scratch):len(c.scratch)]
		}
		c.fields = append(c.fields, field)
		if b = b[n:]; len(b) == 0 {
			return csvWhole
		}
		if b[0] != c.delimiter {
			return csvBroken
		}
		b = b[1:]
	}
}

// quotedCSV returns the contents of the quoted field at the start of b and the
// length of the field with its quotes, or -1 if it is not closed.
func quotedCSV(b []byte) (inside []byte, n int, doubled bool) {
	for i := 1; ; i += 2 {
		q := bytes.IndexByte(b[i:], '"')
		if q < 0 {
			return nil, -1, false
		}
		i += q
		if i+1 >= len(b) || b[i+1] != '"' {
			return b[1:i:i], i + 1, doubled
		}
		doubled = true
	}
}

// appendUndoubled appends a text with one quote in place of two.
func appendUndoubled(to, text []byte) []byte {
	for i := 0; i < len(text); i++ {
		to = append(to, text[i])
		if text[i] == '"' {
			i++
		}
	}
	return to
}

// headerColumns cuts a header line into names.
func headerColumns(line []byte) (names []string, ok bool) {
	c := csvRecord{delimiter: delimiterOf(line)}
	if c.split(line) != csvWhole {
		return nil, false
	}
	return lists.Map(c.fields, func(f []byte) string { return string(bytes.TrimSpace(f)) }), true
}

// delimiterOf returns the most frequent delimiter in a line. If a comma is as
// frequent as another one, it returns the comma.
func delimiterOf(line []byte) byte {
	count := func(d byte) int { return bytes.Count(line, []byte{d}) }
	return slices.MaxFunc([]byte(csvDelimiters), func(a, b byte) int { return cmp.Compare(count(a), count(b)) })
}

// read splits a record that starts with line and may continue over the
// following lines. If its quotes are not closed correctly, only the first line
// is malformed, so that a truncated line does not swallow the valid lines after
// it.
func (c *csvRecord) read(lines *text.Lines, line []byte, width int) text.Flaw {
	state := c.split(line)
	for n := 1; state == csvOpen && n < maxRecordLines; n++ {
		before := len(line)
		longer, ok := lines.Extend()
		if !ok {
			break
		}
		line = longer
		if bytes.IndexByte(line[before:], '"') >= 0 {
			state = c.split(line)
		}
	}
	if state == csvWhole && len(c.fields) >= width && c.filled() <= width {
		return text.Flaw{}
	}
	lines.GiveBack()
	switch state {
	case csvOpen:
		return text.Flaw{Why: "a quoted field is not closed"}
	case csvBroken:
		return text.Flaw{Why: "text behind a closing quote"}
	}
	if len(c.fields) > width {
		return text.Flaw{Why: "more columns than the header: " + strconv.Itoa(len(c.fields)) + " of " + strconv.Itoa(width)}
	}
	return text.Flaw{Why: "cut short: " + strconv.Itoa(len(c.fields)) + " columns of " + strconv.Itoa(width)}
}

// filled returns the number of fields up to the last one that is not empty.
func (c *csvRecord) filled() int {
	n := len(c.fields)
	for n > 0 && len(c.fields[n-1]) == 0 {
		n--
	}
	return n
}
