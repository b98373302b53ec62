package logs

import (
	"slices"

	"github.com/limitgauge/limitgauge/logs/text"
)

var Formats = formatNames()

// input samples the file that lines has just been opened on.
func (b *builder) input(lines *text.Lines) *input {
	name := b.o.Files[b.file]
	return &input{o: &b.o.Asked, file: name, lines: lines, sample: newSample(&b.o.Asked, b.o.Places.path(name), lines), before: b.format}
}

// readFormat decides the format of the file that lines has just been opened on,
// and reads the file.
func (b *builder) readFormat(lines *text.Lines) error {
	in := b.input(lines)
	if in.empty() {
		return nil // an empty file
	}
	if err := decide(b.o, in); err != nil {
		return err
	}
	b.format = in.f
	if !slices.Contains(b.formats, in.f.name) {
		b.formats = append(b.formats, in.f.name)
	}
	if err := b.settle(in); err != nil {
		return err
	}
	s, err := in.f.start(in)
	if err != nil {
		return err
	}
	switch {
	case in.sample.document && in.f.json():
		err = b.readDocument(in, s)
	case len(in.around) > 0:
		err = b.readWrapped(lines, s, newPeeler(in.around))
	default:
		err = b.readLines(lines, s)
	}
	if err == nil && s != nil {
		b.choices = append(b.choices, b.choice(in, s.layout()))
	}
	return err
}

// readLines reads a file with one record on each line and skips blank lines.
func (b *builder) readLines(lines *text.Lines, s splitter) error {
	for {
		line, long, ok := lines.Next()
		if !ok {
			return nil
		}
		if err := b.ready(); err != nil {
			return err
		}
		switch {
		case long:
			b.bad(lines.Line, text.TooLong)
		case len(line) > 0:
			b.record(s, line, func() int64 { return lines.Line })
		}
	}
}

// readWrapped reads a file whose lines have wrappers around them.
func (b *builder) readWrapped(lines *text.Lines, s splitter, p *peeler) error {
	for {
		line, long, ok := lines.Next()
		if !ok {
			if p.cutOff() {
				b.bad(lines.Line-1, text.Flaw{Why: "the last line is a part without its end"})
			}
			return nil
		}
		if err := b.ready(); err != nil {
			return err
		}
		if long {
			b.bad(lines.Line, text.TooLong)
			continue
		}
		if len(line) == 0 {
			continue
		}
		inner, whole, f := p.peel(line)
		switch {
		case f.Bad():
			b.bad(lines.Line, f)
		case whole && len(inner) > 0:
			b.timer.wrapper = p.stamp
			b.record(s, inner, func() int64 { return lines.Line })
		}
	}
}

// record adds the row of one record, or counts the record as malformed.
func (b *builder) record(s splitter, text []byte, line func() int64) {
	fields, f := s.split(text)
	switch {
	case f.Bad():
	case fields == nil:
		return // a comment or a header
	default:
		f = b.add(s.layout(), fields)
	}
	switch {
	case f.Bad():
		b.bad(line(), f)
	case b.extends:
		b.extends = false
		b.ends.extend(b.last, place{b.o.Files[b.file], line()})
	}
}
