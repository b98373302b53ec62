package formats

import (
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/logs/text"
	"github.com/limitgauge/limitgauge/logs/times"
)

// Input is a file that is about to be read.
type Input struct {
	Asked     *Asked
	Format    *Format
	File      string
	Lines     *text.Lines
	Sample    *sample    // of the inner lines
	Around    []*wrapper // the outermost first
	Peeler    *Peeler    // of them, while the file is read
	Before    *Format    // of the previous file, nil if there is none
	Scores    []Score    // of the sample, where the format was not named
	Inherited bool       // the format is that of the previous file
}

// Empty reports whether the file holds nothing.
func (in *Input) Empty() bool {
	_, whole := in.Lines.Ahead(0)
	return len(in.Sample.Lines) == 0 && !in.Sample.Document && whole
}

// OverSample reads the sample as a file that has no other lines, and visits its records, with
// their flaws. t takes the times of the wrappers.
func (in *Input) OverSample(t *Timer, visit func(split Splitter, fields [][]byte, bad text.Flaw, line int64)) (split Splitter, err error) {
	lines := in.Sample.reader()
	split, err = in.Format.Start(&Input{Asked: in.Asked, Format: in.Format, File: in.File, Lines: lines, Sample: in.Sample, Around: in.Around, Peeler: &Peeler{}})
	if err != nil {
		return nil, err
	}
	for line, _, ok := lines.Next(); ok; line, _, ok = lines.Next() {
		if fields, bad := split.Split(line); fields != nil || bad.Bad() {
			at := in.Sample.Line(lines.Line)
			t.Wrapper = at.Stamp
			visit(split, fields, bad, at.Number)
		}
	}
	return split, nil
}

// Settle decides on the sample how the times of the file are written.
func (in *Input) Settle(c *times.Clock) error {
	var t Timer
	var sample times.Seen
	first := int64(0)
	in.OverSample(&t, func(split Splitter, fields [][]byte, bad text.Flaw, line int64) {
		l := split.Layout()
		if bad.Bad() || len(t.stamp(l, fields)) == 0 {
			return
		}
		c.State(l.Notation)
		c.Take(l.Zone)
		if sample.Name == "" && l.Stamp >= 0 {
			sample.Name = l.Names[l.Stamp]
		}
		if sample.Add(t.stamp(l, fields)) && first == 0 {
			first = line
		}
	})
	if why := c.Settle(&sample); why != "" {
		return &text.Error{Reason: text.BadInput, File: in.File, Line: first, Message: why}
	}
	return nil
}

// TimeText names the fields that make the time of arrival.
func (in *Input) TimeText(l *Layout) string {
	if l.times != nil {
		return strings.Join(l.times, " or ")
	}
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
