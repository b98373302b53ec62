package logs

import (
	"slices"

	"github.com/limitgauge/limitgauge/logs/times"
)

// layout says which field of a record is the time stamp, the key and so on. Its
// numbers are indices into the fields that a splitter returns; -1 is none.
type layout struct {
	names    []string // by index, in the format's own notation
	stamp    int      // or wrapperStamp
	daytime  int      // the second field of a stamp in two: the time of day
	notation string
	zone     string
	minus    []duration // arrival is the stamp minus all of them
	keys     [][]source // the parts of the key; a row takes the first source of a part that it has
	client   int
	verdict  int
	status   int // that a warning counts; it may be absent from any record
	fields   []int
	costs    []int
	estimate []int
	answer   int         // -1: none
	others   []Candidate // that the file has and the layout does not use
}

// wrapperStamp is the stamp of records that have no time of their own.
const wrapperStamp = -2

// duration is a field that is subtracted from the stamp.
type duration struct {
	field   int
	shift   int    // power of ten from its unit to ns
	unknown string // the text that counts as 0
}

// source is a field that a key comes from.
type source struct {
	field int
	kind  kind
}

func (l *layout) add(name string) int {
	if i := slices.Index(l.names, name); i >= 0 {
		return i
	}
	l.names = append(l.names, name)
	return len(l.names) - 1
}

// defaults lists what a file's format or well-known names offer where the
// options name no field.
type defaults struct {
	arrivals []arrival // the first one is taken
	wrapper  bool      // without an arrival, the time of the wrapper around the line is taken
	keys     []string  // the alternatives of the key
	others   []Candidate
}

// lookup finds the column that a name of the options means.
type lookup func(name string) (c column, ok bool)

// fit computes the layout of a file. missing is the first field of the options
// that find does not find, or noTime or noKey if defaults have none and the
// options name none.
func (o *Asked) fit(find lookup, d defaults) (l *layout, missing string) {
	l = &layout{stamp: -1, daytime: -1, client: -1, verdict: -1, answer: -1, status: -1}
	var kinds []kind
	named := func(name string) int {
		c, ok := find(name)
		if !ok {
			if missing == "" {
				missing = name
			}
			return -1
		}
		i := l.add(c.name)
		if i == len(kinds) {
			kinds = append(kinds, c.kind)
		}
		return i
	}
	switch {
	case o.stampField() != "":
		l.stamp = named(o.stampField())
	case len(d.arrivals) > 0:
		l.take(d.arrivals[0], named, o.durationShift())
	case d.wrapper:
		l.stamp = wrapperStamp
	default:
		return nil, noTime
	}
	if o.Duration != "" {
		l.minus = []duration{{field: named(o.Duration), shift: o.durationShift()}}
	}
	switch {
	case o.PerFile:
	case len(o.keyFields()) > 0:
		for _, name := range o.keyFields() {
			if i := named(name); i >= 0 {
				l.keys = append(l.keys, []source{{i, kinds[i]}})
			}
		}
	case len(d.keys) > 0:
		var sources []source
		for _, name := range d.keys {
			i := named(name)
			sources = append(sources, source{i, kinds[i]})
		}
		l.keys = [][]source{sources}
	case !o.Shared:
		missing = noKey
	}
	if o.Client != "" {
		l.client = named(o.Client)
	}
	if o.Verdict != "" {
		l.verdict = named(o.Verdict)
	}
	for _, name := range o.Fields {
		l.fields = append(l.fields, named(name))
	}
	for _, name := range o.Cost {
		l.costs = append(l.costs, named(name))
	}
	for _, name := range o.Estimate {
		l.estimate = append(l.estimate, named(name))
	}
	if o.Answer != "" {
		l.answer = named(o.Answer)
	}
	if missing != "" {
		return nil, missing
	}
	for _, c := range d.others {
		if !slices.Contains(l.names, c.Field) {
			l.others = append(l.others, c)
		}
	}
	return l, ""
}

// The values of missing for a layout that lacks a field which no option names.
const (
	noTime = "\x00time"
	noKey  = "\x00key"
)

// take sets the stamp and the durations of an arrival.
func (l *layout) take(a arrival, named func(string) int, shift int) {
	l.notation, l.zone = a.notation, a.zone
	l.stamp = named(a.stamp)
	if a.daytime != "" {
		l.daytime = named(a.daytime)
	}
	for _, s := range a.minus {
		d := duration{field: named(s.field), shift: shift, unknown: s.unknown}
		if s.unit != "" {
			d.shift = times.UnitShift(s.unit)
		}
		l.minus = append(l.minus, d)
	}
}
