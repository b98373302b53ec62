package logs

import (
	"slices"
	"strings"
)

// settle decides on the sample how the times of the current file are written,
// before rows are added.
func (b *builder) settle(in *input) error {
	c := &b.timer.clock
	var n numbers
	dates, first, name := 0, int64(0), ""
	in.eachStamp(func(l *layout, stamp []byte, line int64) {
		if c.format == "auto" && l.notation != "" {
			c.fix(l.notation)
		}
		c.take(l.zone)
		if name == "" && l.stamp >= 0 {
			name = l.names[l.stamp]
		}
		var split number
		switch {
		case dated(stamp):
			dates++
		case split.split(stamp) && !split.neg:
			if n.add(stamp); first == 0 {
				first = line
			}
		}
	})
	switch {
	case c.format != "auto":
		return nil
	case len(n.values) <= dates:
		c.only = "dates"
		return nil
	}
	format, others, why := n.format(name)
	if why != "" {
		return &Error{Reason: BadInput, File: in.file, Line: first, Message: why}
	}
	c.fix(format)
	c.only, c.others = "numbers", others
	c.least, c.most = relativeBelow, lastInstant
	if c.relative() {
		c.least, c.most = 0, relativeBelow
	}
	return nil
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
		line, _, ok := lines.next()
		if !ok {
			return
		}
		fields, bad := split.split(line)
		if fields == nil || bad.bad() {
			continue
		}
		at := in.sample.line(lines.line)
		t.wrapper = at.stamp
		if stamp := t.stamp(split.layout(), fields); len(stamp) > 0 {
			visit(split.layout(), stamp, at.number)
		}
	}
}

// dated reports whether a stamp is written like a date.
func dated(text []byte) bool {
	return len(text) > 11 && (text[4] == '-' || text[4] == '/' || text[2] == '/')
}

// fix sets the format of all stamps.
func (c *clock) fix(format string) {
	c.format, c.shift = format, unitShift(format)
}

// describe says how the stamps that were read are written.
func (c *clock) describe() string {
	var list []string
	if c.dated > 0 {
		list = append(list, c.written.name+c.zone.describe())
	}
	if c.numeric > 0 && c.format != "auto" {
		since := " since 1970"
		if c.relative() {
			since = " since the start"
		}
		unit := slices.IndexFunc(timeUnits, func(u timeUnit) bool { return u.shift == c.shift })
		list = append(list, timeUnits[unit].long+since)
	}
	return strings.Join(list, " and ")
}
