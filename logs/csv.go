package logs

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

var csvFormat = format{
	name: "csv",
	about: about{
		by:     "spreadsheets, databases and exports",
		shows:  "a header line that names columns, separated by comma, semicolon, tab or bar, one of them like a time",
		time:   "a column named time, timestamp, ts, date ...",
		key:    "a column named client, client_ip, ip, remote_addr, user, tenant ...",
		source: "https://www.rfc-editor.org/rfc/rfc4180",
	},
	open:   openCSV,
	shaped: tabular,
	bare:   true,
}

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
			field = c.undouble(field)
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
		if i+2 > len(b) {
			return nil, -1, false
		}
	}
}

// undouble replaces each doubled quote by one quote.
func (c *csvRecord) undouble(field []byte) []byte {
	from := len(c.scratch)
	for i := 0; i < len(field); i++ {
		c.scratch = append(c.scratch, field[i])
		if field[i] == '"' {
			i++
		}
	}
	return c.scratch[from:len(c.scratch):len(c.scratch)]
}

// headerColumns cuts a header line into names.
func headerColumns(line []byte) (names []string, ok bool) {
	c := csvRecord{delimiter: delimiterOf(line)}
	if c.split(line) != csvWhole {
		return nil, false
	}
	for _, f := range c.fields {
		names = append(names, string(bytes.TrimSpace(f)))
	}
	return names, true
}

// delimiterOf returns the most frequent delimiter in a line. If a comma is as
// frequent as another one, it returns the comma.
func delimiterOf(line []byte) byte {
	best := csvDelimiters[0]
	for _, d := range []byte(csvDelimiters) {
		if bytes.Count(line, []byte{d}) > bytes.Count(line, []byte{best}) {
			best = d
		}
	}
	return best
}

// numbered reports whether the options name columns by number, counted from 1.
// A file without a matching header is then read as one that has no header.
func numbered(o *Options) bool {
	n, err := strconv.Atoi(o.stampField())
	return err == nil && n >= 1
}

// csvSplitter splits the rows of a file with a header line, or with columns named
// by number.
type csvSplitter struct {
	lines  *lineReader
	record csvRecord
	width  int // columns of the header; a row with fewer is malformed
	lay    *layout
	at     []int // columns, by the layout's fields
	fields [][]byte
}

func openCSV(in *input) (splitter, error) {
	o, file, lines := in.o, in.file, in.lines
	var header []byte
	for len(header) == 0 {
		line, long, ok := lines.next()
		if !ok {
			return nil, nil // readLines finds no row either
		}
		if long {
			return nil, &Error{Reason: BadInput, File: file, Line: lines.line, Message: "the header is " + tooLong.why}
		}
		header = bytes.TrimSpace(line)
	}
	columns, ok := headerColumns(header)
	if !ok {
		return nil, &Error{Reason: BadInput, File: file, Line: lines.line, Message: "the header has an open or misplaced quote"}
	}
	s := &csvSplitter{lines: lines, record: csvRecord{delimiter: delimiterOf(header)}, width: len(columns)}
	if numbered(o) && !slices.Contains(columns, o.stampField()) {
		for i := range columns {
			columns[i] = strconv.Itoa(i + 1)
		}
		lines.again()
	}
	var missing string
	s.lay, missing = o.fit(named(columns), in.sample.knownColumns(columns, s.record.delimiter).defaults(o))
	if missing != "" {
		return nil, in.misfit(missing, "columns", columns)
	}
	for _, name := range s.lay.names {
		s.at = append(s.at, slices.Index(columns, name))
	}
	s.fields = make([][]byte, len(s.at))
	return s, nil
}

// knownColumns finds columns by well-known names. The sample begins with the
// header.
func (s *sample) knownColumns(columns []string, delimiter byte) known {
	return known{
		find: func(name string) (string, bool) {
			i := slices.IndexFunc(columns, func(c string) bool { return strings.EqualFold(c, name) })
			if i < 0 {
				return "", false
			}
			return columns[i], true
		},
		values: func(own string) (list [][]byte) {
			c := csvRecord{delimiter: delimiter}
			at := slices.Index(columns, own)
			for i, l := range s.lines {
				if i > 0 && c.split(l.text) == csvWhole && len(c.fields) > at {
					list = append(list, bytes.Clone(c.fields[at]))
				}
			}
			return list
		},
	}
}

// named returns the lookup of a file whose fields have these names.
func named(names []string) lookup {
	return func(name string) (column, bool) { return namedColumn(name), slices.Contains(names, name) }
}

func (s *csvSplitter) layout() *layout { return s.lay }

func (s *csvSplitter) split(line []byte) ([][]byte, flaw) {
	if f := s.record.read(s.lines, line, s.width); f.bad() {
		return nil, f
	}
	for i, column := range s.at {
		s.fields[i] = s.record.fields[column]
	}
	return s.fields, flaw{}
}

// read splits a record that starts with line and may continue over the
// following lines. If its quotes are not closed correctly, only the first line
// is malformed, so that a truncated line does not swallow the valid lines after
// it.
func (c *csvRecord) read(lines *lineReader, line []byte, width int) flaw {
	state := c.split(line)
	for n := 1; state == csvOpen && n < maxRecordLines; n++ {
		before := len(line)
		longer, ok := lines.extend()
		if !ok {
			break
		}
		line = longer
		if bytes.IndexByte(line[before:], '"') >= 0 {
			state = c.split(line)
		}
	}
	if state == csvWhole && len(c.fields) >= width && c.filled() <= width {
		return flaw{}
	}
	lines.giveBack()
	switch state {
	case csvOpen:
		return flaw{why: "a quoted field is not closed"}
	case csvBroken:
		return flaw{why: "text behind a closing quote"}
	}
	if len(c.fields) > width {
		return flaw{why: "more columns than the header: " + strconv.Itoa(len(c.fields)) + " of " + strconv.Itoa(width)}
	}
	return flaw{why: "cut short: " + strconv.Itoa(len(c.fields)) + " columns of " + strconv.Itoa(width)}
}

// filled returns the number of fields up to the last one that is not empty.
func (c *csvRecord) filled() int {
	n := len(c.fields)
	for n > 0 && len(c.fields[n-1]) == 0 {
		n--
	}
	return n
}

// isName reports whether text may be the name of a column: a letter followed by
// letters, digits and a few other characters.
func isName(text []byte) bool {
	for i, c := range bytes.TrimSpace(text) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '@' || c == '$' || c >= 0x80
		if !letter && (i == 0 || bytes.IndexByte([]byte("0123456789 .-/()#:"), c) < 0) {
			return false
		}
	}
	return len(text) > 0
}

// tabular returns the number of lines with as many columns as the first one, if
// that has at least two, all of which may be names.
func tabular(s *sample) (lines int) {
	if len(s.lines) == 0 {
		return 0
	}
	first := s.lines[0].text
	c := csvRecord{delimiter: delimiterOf(first)}
	c.split(first)
	width := len(c.fields)
	for _, name := range c.fields {
		if !isName(name) {
			return 0
		}
	}
	for _, l := range s.lines {
		if width > 1 && c.split(l.text) == csvWhole && len(c.fields) == width {
			lines++
		}
	}
	return lines
}
