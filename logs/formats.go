package logs

import "slices"

// splitter cuts one line of a line-based format into the fields that its
// layout names.
type splitter interface {
	// split returns the fields, valid until the next call; nil is absent.
	split(line []byte) (fields [][]byte, f flaw)
	// layout is known once split has succeeded.
	layout() *layout
}

// readFormat finds out what a file holds and reads it.
func (b *builder) readFormat(lines *lineReader) error {
	format, err := b.detect(lines)
	if err != nil || format == "" {
		return err
	}
	b.format = format
	if !slices.Contains(b.formats, format) {
		b.formats = append(b.formats, format)
	}
	name := b.o.Files[b.file]
	var s splitter
	switch format {
	case "common", "combined":
		s, err = newCLF(b.o, name, format == "combined")
	case "regex":
		s, err = newRegex(b.o, name)
	case "csv":
		return b.readCSV(lines)
	case "json":
		if isDocument(b.o, lines) {
			return b.readDocument(lines)
		}
		s = &jsonSplitter{o: b.o}
	}
	if err != nil {
		return err
	}
	return b.readLines(lines, s)
}

// readLines reads a file with one record on each line; blank lines are no
// records.
func (b *builder) readLines(lines *lineReader, s splitter) error {
	for {
		line, long, ok := lines.next()
		if !ok {
			return nil
		}
		if err := b.ready(); err != nil {
			return err
		}
		switch {
		case long:
			b.bad(lines.line, tooLong)
		case len(line) > 0:
			fields, f := s.split(line)
			if !f.bad() {
				f = b.add(s.layout(), fields)
			}
			if f.bad() {
				b.bad(lines.line, f)
			}
		}
	}
}

var tooLong = flaw{why: "longer than 16 MiB"}
