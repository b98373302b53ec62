package logs

import (
	"slices"

	"github.com/limitgauge/limitgauge/logs/text"
)

// input is a file that is about to be read.
type input struct {
	o         *Asked
	f         *format
	file      string
	lines     *text.Lines
	sample    *sample    // of the inner lines
	around    []*wrapper // the outermost first
	before    *format    // of the previous file, nil if there is none
	scores    []score    // of the sample, where the format was not named
	inherited bool       // the format is that of the previous file
}

// empty reports whether the file holds nothing.
func (in *input) empty() bool {
	_, whole := in.lines.Ahead(0)
	return len(in.sample.lines) == 0 && !in.sample.document && whole
}

// eachStamp reads the sample and visits the time stamps with their lines.
func (in *input) eachStamp(visit func(l *layout, stamp []byte, line int64)) {
	lines := in.sample.reader()
	split, err := in.f.start(&input{o: in.o, f: in.f, file: in.file, lines: lines, sample: in.sample, around: in.around})
	if err != nil {
		return
	}
	var t timer
	for {
		line, _, ok := lines.Next()
		if !ok {
			return
		}
		fields, bad := split.split(line)
		if fields == nil || bad.Bad() {
			continue
		}
		at := in.sample.line(lines.Line)
		t.wrapper = at.stamp
		if stamp := t.stamp(split.layout(), fields); len(stamp) > 0 {
			visit(split.layout(), stamp, at.number)
		}
	}
}

// timeText names the fields that make the time of arrival.
func (in *input) timeText(l *layout) string {
	if l.stamp == wrapperStamp {
		return "that of " + in.around[len(in.around)-1].name
	}
	text := l.names[l.stamp]
	if l.daytime >= 0 {
		text += " and " + l.names[l.daytime]
	}
	for _, d := range l.minus {
		text += " - " + l.names[d.field]
	}
	return text
}

// wrapperNames names wrappers, the innermost first.
func wrapperNames(around []*wrapper) (names []string) {
	for _, w := range slices.Backward(around) {
		names = append(names, w.name)
	}
	return names
}
