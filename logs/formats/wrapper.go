package formats

import (
	"bytes"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs/text"
)

// wrapper is text that another program has put around each line of a log.
type wrapper struct {
	name string // as Choice states it
	// peel takes the wrapper off a line. It may use scratch for the inner line
	// and returns false if the line has no such wrapper.
	peel func(line []byte, scratch *[]byte) (peeled, bool)
	// shows reports whether a line tells the wrapper from a record that looks like
	// it. Half of the sample must. nil is every line.
	shows func(line []byte) bool
	// only limits the formats that the wrapper surrounds; nil is all of them.
	only []*Format
	// firm reports that a line with this wrapper is never a record by itself.
	firm bool
	// optional reports that some lines of a file may lack the wrapper.
	optional bool
	// record names the format of the record that has the line in a field, "" if there is
	// none. An array may hold such records.
	record string
}

// peeled is a line without a wrapper.
type peeled struct {
	inner   []byte
	stamp   []byte // the wrapper's time, nil if it has none that is complete
	host    []byte // the virtual host, nil if it names none
	stderr  bool   // the stream that the line belongs to
	partial bool   // the next line of the stream continues this one
}

// wrappers lists all wrappers in the order in which they are tried.
var wrappers = slices.Concat([]*wrapper{&dockerWrapper, &criWrapper, &syslogNewWrapper, &syslogWrapper, &quotesWrapper, &vhostWrapper,
	&stampWrapper, &composeWrapper, &podWrapper, &pythonWrapper, &rubyWrapper}, fieldWrappers)

// Peeler takes the wrappers of one file off its lines.
type Peeler struct {
	layers []layer
	Stamp  []byte // the time of the innermost wrapper that has one
	Host   []byte // the virtual host in front of the current line
}

// layer is the state of one wrapper.
type layer struct {
	*wrapper
	absent  string // the reason that a line without the wrapper is malformed
	scratch []byte
	waiting [2][]byte // parts of a line of each stream
}

// NewPeeler returns a peeler of wrappers, the outermost first.
func NewPeeler(around []*wrapper) *Peeler {
	return &Peeler{layers: lists.Map(around, func(w *wrapper) layer { return layer{wrapper: w, absent: "no " + w.name + " around the line"} })}
}

// Peel returns the inner line, valid until the next call. whole is false if the
// line is a part that a later one completes.
func (p *Peeler) Peel(line []byte) (inner []byte, whole bool, f text.Flaw) {
	p.Stamp, p.Host = nil, nil
	for i := range p.layers {
		l := &p.layers[i]
		out, ok := l.wrapper.peel(line, &l.scratch)
		if !ok && l.optional {
			whole = true
			continue
		}
		if !ok {
			return nil, false, text.Flaw{Why: l.absent, Text: line}
		}
		if out.stamp != nil {
			p.Stamp = out.stamp
		}
		if out.host != nil {
			p.Host = out.host
		}
		if line, whole, f = l.join(out); len(line) == 0 {
			return nil, whole, f // blank, or a part
		}
	}
	return line, true, text.Flaw{}
}

// join returns the line that a part completes.
func (l *layer) join(out peeled) (line []byte, whole bool, f text.Flaw) {
	stream := 0
	if out.stderr {
		stream = 1
	}
	waiting := &l.waiting[stream]
	if !out.partial && len(*waiting) == 0 {
		return out.inner, true, text.Flaw{}
	}
	if len(*waiting)+len(out.inner) > text.MaxLine {
		*waiting = (*waiting)[:0]
		return nil, false, text.TooLong
	}
	*waiting = append(*waiting, out.inner...)
	if out.partial {
		return nil, false, text.Flaw{}
	}
	line = *waiting
	*waiting = line[:0]
	return line, true, text.Flaw{}
}

// reset forgets the parts that wait for their end.
func (p *Peeler) reset() {
	for i := range p.layers {
		w := &p.layers[i].waiting
		w[0], w[1] = w[0][:0], w[1][:0]
	}
}

// CutOff reports whether a part is left that no line has completed.
func (p *Peeler) CutOff() bool {
	return slices.ContainsFunc(p.layers, func(l layer) bool { return len(l.waiting[0])+len(l.waiting[1]) > 0 })
}

// sample takes one wrapper off a sample. ok is false if fewer than half of its
// lines have it, or nothing is inside of it.
func (w *wrapper) sample(from *sample) (inner *sample, ok bool) {
	p := NewPeeler([]*wrapper{w})
	inner = &sample{Document: from.Document}
	has, before := 0, int64(0)
	for i, line := range from.Lines {
		if 2*(has+len(from.Lines)-i) < len(from.Lines) {
			return nil, false
		}
		if line.Number != before+1 {
			p.reset() // lines are missing between the two
		}
		before = line.Number
		text, whole, f := p.Peel(line.Text)
		if f.Bad() {
			continue
		}
		if w.shows == nil || w.shows(line.Text) {
			has++
		}
		if whole && len(bytes.TrimSpace(text)) > 0 {
			next := sampleLine{Text: bytes.Clone(text), Number: line.Number, Stamp: line.Stamp}
			if p.Stamp != nil {
				next.Stamp = bytes.Clone(p.Stamp)
			}
			inner.Lines = append(inner.Lines, next)
		}
	}
	return inner, len(inner.Lines) > 0 && 2*has >= len(from.Lines)
}
