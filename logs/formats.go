package logs

import "slices"

// format is one log format. To add a format, declare it in a new file and list
// it in registry.
type format struct {
	name string

	// matches reports whether a line near the beginning of a file shows that the
	// file has this format. It is nil where a single line does not show it.
	matches func(line []byte) bool
	// refines names a more general format that earlier lines of the file may
	// match too.
	refines string

	// splitter prepares reading a file whose records start with a line. It may
	// read a header.
	splitter func(o *Options, file string, lines *lineReader) (splitter, error)
	// read replaces splitter where records are not lines.
	read func(b *builder, lines *lineReader) error
}

// registry lists the formats in the order in which matches is called.
var registry = []*format{&commonFormat, &combinedFormat, &jsonFormat, &csvFormat, &regexFormat}

// Formats lists the values of Options.Format.
var Formats = formatNames()

func formatNames() []string {
	names := []string{"auto"}
	for _, f := range registry {
		names = append(names, f.name)
	}
	return names
}

// formatCalled returns the format with a name from Formats other than auto.
func formatCalled(name string) *format {
	return registry[slices.IndexFunc(registry, func(f *format) bool { return f.name == name })]
}

// splitter cuts records into the fields that its layout names.
type splitter interface {
	// split returns the fields, valid until the next call. A nil field is absent.
	split(line []byte) (fields [][]byte, f flaw)
	// layout returns the layout of fields. It may be called after the first
	// successful split.
	layout() *layout
}

// readFormat detects the format of the file that lines has just been opened on,
// and reads the file.
func (b *builder) readFormat(lines *lineReader) error {
	name, err := b.detect(lines)
	if err != nil || name == "" {
		return err
	}
	b.format = name
	if !slices.Contains(b.formats, name) {
		b.formats = append(b.formats, name)
	}
	f := formatCalled(name)
	if f.read != nil {
		return f.read(b, lines)
	}
	s, err := f.splitter(b.o, b.o.Files[b.file], lines)
	if err != nil {
		return err
	}
	return b.readLines(lines, s)
}

// readLines reads a file with one record on each line and skips blank lines.
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
			b.record(s, line, func() int64 { return lines.line })
		}
	}
}

// record adds the row of one record, or counts the record as malformed.
func (b *builder) record(s splitter, text []byte, line func() int64) {
	fields, f := s.split(text)
	if !f.bad() {
		f = b.add(s.layout(), fields)
	}
	if f.bad() {
		b.bad(line(), f)
	}
}

var tooLong = flaw{why: "longer than 16 MiB"}
