package formats

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs/text"
)

var csvFormat = Format{
	Name:   "csv",
	By:     "spreadsheets, databases and exports",
	Shows:  "a header line that names columns, separated by comma, semicolon, tab or bar, one of them like a time",
	Time:   "a column named time, timestamp, ts, date ...",
	Key:    "a column named client, client_ip, ip, remote_addr, user, tenant ...",
	Source: "https://www.rfc-editor.org/rfc/rfc4180",
	open:   openCSV,
	shaped: tabular,
	bare:   true,
}

// numbered reports whether the options name columns by number, counted from 1.
// A file without a matching header is then read as one that has no header.
func numbered(o *Asked) bool {
	n, err := strconv.Atoi(o.stampField())
	return err == nil && n >= 1
}

// csvSplitter splits the rows of a file with a header line, or with columns named
// by number.
type csvSplitter struct {
	lines  *text.Lines
	record csvRecord
	width  int // columns of the header; a row with fewer is malformed
	laid
}

func openCSV(in *Input) (Splitter, error) {
	o, file, lines := in.Asked, in.File, in.Lines
	var header []byte
	for len(header) == 0 {
		line, long, ok := lines.Next()
		if !ok {
			return nil, nil // the reader finds no row either
		}
		if long {
			return nil, &text.Error{Reason: text.BadInput, File: file, Line: lines.Line, Message: "the header is " + text.TooLong.Why}
		}
		header = bytes.TrimSpace(line)
	}
	columns, ok := headerColumns(header)
	if !ok {
		return nil, &text.Error{Reason: text.BadInput, File: file, Line: lines.Line, Message: "the header has an open or misplaced quote"}
	}
	s := &csvSplitter{lines: lines, record: csvRecord{delimiter: delimiterOf(header)}, width: len(columns)}
	if numbered(o) && !slices.Contains(columns, o.stampField()) {
		for i := range columns {
			columns[i] = strconv.Itoa(i + 1)
		}
		lines.Again()
	}
	known := in.Sample.knownColumns(columns, s.record.delimiter)
	d := known.defaults(o)
	if len(d.arrivals) == 0 && tabular(in.Sample) > 0 {
		d.arrivals = known.onlyDate(o)
	}
	lay, err := known.layout(in, d, "columns")
	if err != nil {
		return nil, err
	}
	s.laid = layOut(lay, func(name string) int { return slices.Index(columns, name) })
	return s, nil
}

// knownColumns finds columns by well-known names. The sample begins with the
// header.
func (s *sample) knownColumns(columns []string, delimiter byte) known {
	return known{names: columns, values: func(own string) (list [][]byte) {
		c := csvRecord{delimiter: delimiter}
		at := slices.Index(columns, own)
		for i, l := range s.Lines {
			if i > 0 && c.split(l.Text) == csvWhole && len(c.fields) > at {
				list = append(list, bytes.Clone(c.fields[at]))
			}
		}
		return list
	}}
}

func (s *csvSplitter) Split(line []byte) ([][]byte, text.Flaw) {
	if f := s.record.read(s.lines, line, s.width); f.Bad() {
		return nil, f
	}
	return s.pick(s.record.fields), text.Flaw{}
}

// isName reports whether text may be the name of a column: a letter followed by
// letters, digits and a few other characters.
func isName(text []byte) bool {
	for i, c := range bytes.TrimSpace(text) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '@' || c == '$' || c >= 0x80
		if !letter && (i == 0 || bytes.IndexByte([]byte("0123456789 .-/()[]#:"), c) < 0) {
			return false
		}
	}
	return len(text) > 0
}

// tabular returns the number of lines with as many columns as the first one, if
// that has at least two, all of which may be names.
func tabular(s *sample) (lines int) {
	if len(s.Lines) == 0 {
		return 0
	}
	first := s.Lines[0].Text
	c := csvRecord{delimiter: delimiterOf(first)}
	c.split(first)
	width := len(c.fields)
	if width < 2 || slices.ContainsFunc(c.fields, func(name []byte) bool { return !isName(name) }) {
		return 0
	}
	return lists.Count(s.Lines, func(l sampleLine) bool { return c.split(l.Text) == csvWhole && len(c.fields) == width })
}
