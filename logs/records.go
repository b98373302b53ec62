package logs

import (
	"slices"

	"github.com/limitgauge/limitgauge/logs/formats"
	"github.com/limitgauge/limitgauge/logs/text"
)

// input samples the file that lines has just been opened on.
func (b *builder) input(lines *text.Lines) *formats.Input {
	name := b.o.Files[b.file]
	return formats.NewInput(&b.o.Asked, name, b.o.Places.path(name), lines, b.format)
}

// readFormat decides the format of the file that lines has just been opened on,
// and reads the file.
func (b *builder) readFormat(lines *text.Lines) error {
	in := b.input(lines)
	if in.Empty() {
		return nil // an empty file
	}
	if err := decide(b.o, in); err != nil {
		return err
	}
	b.format = in.Format
	if !slices.Contains(b.formats, in.Format.Name) {
		b.formats = append(b.formats, in.Format.Name)
	}
	if err := in.Settle(&b.timer.Clock); err != nil {
		return err
	}
	in.Peeler = formats.NewPeeler(in.Around)
	s, err := in.Format.Start(in)
	if err != nil {
		return err
	}
	if in.Sample.Document && (in.Format.IsJSON() || len(in.Around) > 0) {
		err = b.readDocument(in, s)
	} else {
		err = b.readLines(lines, s, in.Peeler)
	}
	if err == nil && s != nil {
		b.noted.Choices = append(b.noted.Choices, b.choice(in, s.Layout()))
	}
	return err
}

// readLines reads a file with one record on each line and skips blank lines.
func (b *builder) readLines(lines *text.Lines, s formats.Splitter, p *formats.Peeler) error {
	for line, long, ok := lines.Next(); ok; line, long, ok = lines.Next() {
		if err := b.ready(); err != nil {
			return err
		}
		switch {
		case long:
			b.bad(lines.Line, text.TooLong)
		case len(line) > 0:
			b.peeled(s, p, line, func() int64 { return lines.Line })
		}
	}
	if p.CutOff() {
		b.bad(lines.Line-1, text.Flaw{Why: "the last line is a part without its end"})
	}
	return nil
}

// peeled takes the wrappers off a line and reads the record inside.
func (b *builder) peeled(s formats.Splitter, p *formats.Peeler, text []byte, line func() int64) {
	inner, whole, f := p.Peel(text)
	switch {
	case f.Bad():
		b.bad(line(), f)
	case whole && len(inner) > 0:
		b.timer.Wrapper = p.Stamp
		b.record(s, inner, line)
	}
}

// record adds the row of one record, or counts the record as malformed. It may be
// the only one in quotes.
func (b *builder) record(s formats.Splitter, text []byte, line func() int64) {
	fields, f := s.Split(text)
	if f.Bad() {
		if inner, ok := b.format.Unquoted(text, &b.unquoted); ok {
			if again, bad := s.Split(inner); !bad.Bad() {
				fields, f = again, bad
			}
		}
	}
	switch {
	case f.Bad():
	case fields == nil:
		return // a comment or a header
	default:
		if b.o.Lines {
			b.line = line()
		}
		f = b.add(s.Layout(), fields)
	}
	switch {
	case f.Bad():
		b.bad(line(), f)
	case b.extends:
		b.extends = false
		b.ends.extend(b.last, place{b.o.Files[b.file], line()})
	}
}
