package formats

import (
	"slices"

	"github.com/limitgauge/limitgauge/logs/text"
)

// Input is a file that is about to be read.
type Input struct {
	Asked     *Asked
	Format    *Format
	File      string
	Lines     *text.Lines
	Sample    *sample    // of the inner lines
	Around    []*wrapper // the outermost first
	Before    *Format    // of the previous file, nil if there is none
	Scores    []Score    // of the sample, where the format was not named
	Inherited bool       // the format is that of the previous file
}

// Empty reports whether the file holds nothing.
func (in *Input) Empty() bool {
	_, whole := in.Lines.Ahead(0)
	return len(in.Sample.Lines) == 0 && !in.Sample.Document && whole
}

// OverSample returns the lines of the sample and the splitter of a file that has
// no others.
func (in *Input) OverSample() (*text.Lines, Splitter, error) {
	lines := in.Sample.reader()
	split, err := in.Format.Start(&Input{Asked: in.Asked, Format: in.Format, File: in.File, Lines: lines, Sample: in.Sample, Around: in.Around})
	return lines, split, err
}

// EachStamp reads the sample and visits the time stamps with their lines.
func (in *Input) EachStamp(visit func(l *Layout, stamp []byte, line int64)) {
	lines, split, err := in.OverSample()
	if err != nil {
		return
	}
	var t Timer
	for line, _, ok := lines.Next(); ok; line, _, ok = lines.Next() {
		fields, bad := split.Split(line)
		if fields == nil || bad.Bad() {
			continue
		}
		at := in.Sample.Line(lines.Line)
		t.Wrapper = at.Stamp
		if stamp := t.stamp(split.Layout(), fields); len(stamp) > 0 {
			visit(split.Layout(), stamp, at.Number)
		}
	}
}

// TimeText names the fields that make the time of arrival.
func (in *Input) TimeText(l *Layout) string {
	if l.Stamp == wrapperStamp {
		return "that of " + in.Around[len(in.Around)-1].name
	}
	text := l.Names[l.Stamp]
	if l.daytime >= 0 {
		text += " and " + l.Names[l.daytime]
	}
	for _, d := range l.minus {
		text += " - " + l.Names[d.field]
	}
	return text
}

// WrapperNames names wrappers, the innermost first.
func WrapperNames(around []*wrapper) (names []string) {
	for _, w := range slices.Backward(around) {
		names = append(names, w.name)
	}
	return names
}

// NewInput samples the file that lines has just been opened on, and that lies at
// path. before is the format of the previous file, or nil.
func NewInput(o *Asked, file, path string, lines *text.Lines, before *Format) *Input {
	return &Input{Asked: o, File: file, Lines: lines, Sample: newSample(o, path, lines), Before: before}
}
