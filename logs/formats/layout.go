package formats

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs/times"
)

// Layout says which field of a record is the time stamp, the key and so on. Its
// numbers are indices into the fields that a splitter returns; -1 is none.
type Layout struct {
	Names    []string // by index, in the format's own notation
	Stamp    int      // or wrapperStamp
	daytime  int      // the second field of a stamp in two: the time of day
	Notation string
	Zone     string
	times    []string   // what TimeText says of this and of earlier layouts of a file; nil: of this one
	minus    []duration // arrival is the stamp minus all of them
	Keys     [][]Source // the parts of the key; a row takes the first source of a part that it has
	Client   int
	Verdict  int
	Status   int   // that a warning counts; it may be absent from any record
	Fields   []int // -1 for an optional one that the file lacks
	Costs    []int
	Estimate []int
	Answer   int         // -1: none
	where    []condition // all of which a record must fit
	Others   []Candidate // that the file has and the layout does not use
}

// wrapperStamp is the stamp of records that have no time of their own.
const wrapperStamp = -2

// duration is a field that is subtracted from the stamp.
type duration struct {
	field   int
	shift   int    // power of ten from its unit to ns
	unknown string // the text that counts as 0
}

// Source is a field that a key comes from.
type Source struct {
	Field int
	Kind  kind
}

func (l *Layout) add(name string) int {
	if i := slices.Index(l.Names, name); i >= 0 {
		return i
	}
	l.Names = append(l.Names, name)
	return len(l.Names) - 1
}

// defaults lists what a file's format or well-known names offer where the
// options name no field.
type defaults struct {
	arrivals []arrival // the first one is taken
	wrapper  bool      // without an arrival, the time of the wrapper around the line is taken
	keys     []string  // the alternatives of the key
	others   []Candidate
	has      func(name string) (own string, ok bool) // finds the fields of conditions
	part     func(names []string) string             // finds the field of a part of requests by looser rules; nil: none
	values   func(own string) [][]byte               // of a field in the sample; nil: not known
}

// lookup finds the column that a name of the options means.
type lookup func(name string) (c column, ok bool)

// fit computes the layout of a file. missing is the first field of the options
// that find does not find, or noTime or noKey if defaults have none and the
// options name none.
func (o *Asked) fit(find lookup, d defaults) (l *Layout, missing string) {
	l = &Layout{Stamp: -1, daytime: -1, Status: -1}
	source := func(name string) Source {
		c, ok := find(name)
		if !ok {
			missing = cmp.Or(missing, name)
			return Source{-1, plain}
		}
		if c.name != name && c.kind == plain {
			c.kind = partKind(name) // such as the path in a URL
		}
		return Source{l.add(c.name), c.kind}
	}
	named := func(name string) int { return source(name).Field }
	switch {
	case o.stampField() != "":
		l.Stamp = named(o.stampField())
	case len(d.arrivals) > 0:
		l.take(d.arrivals[0], named, o.DurationShift())
	case d.wrapper:
		l.Stamp = wrapperStamp
	default:
		return nil, noTime
	}
	if o.Duration != "" {
		l.minus = []duration{{field: named(o.Duration), shift: o.DurationShift()}}
	}
	switch {
	case o.PerFile:
	case len(o.KeyFields()) > 0:
		for _, name := range o.KeyFields() {
			l.Keys = append(l.Keys, []Source{source(name)})
		}
	case len(d.keys) > 0:
		l.Keys = [][]Source{lists.Map(d.keys, source)}
	case !o.Shared:
		missing = noKey
	}
	ifAsked := func(name string) int {
		if name == "" {
			return -1
		}
		return named(name)
	}
	l.Client, l.Verdict = ifAsked(o.Client), ifAsked(o.Verdict)
	l.Fields, l.Costs, l.Estimate = lists.Map(o.Fields, named), lists.Map(o.Cost, named), lists.Map(o.Estimate, named)
	for _, names := range o.Optional {
		l.Fields = append(l.Fields, -1)
		if own := d.first(names...); own != "" {
			l.Fields[len(l.Fields)-1] = named(own)
		}
	}
	l.Answer = ifAsked(o.Answer)
	where, without := o.conditions(d, named)
	l.where, missing = where, cmp.Or(missing, without)
	if missing != "" {
		return nil, missing
	}
	l.Others = lists.Where(d.others, func(c Candidate) bool { return !slices.Contains(l.Names, c.Field) })
	return l, ""
}

// The values of missing for a layout that lacks a field which no option names.
const (
	noTime = "\x00time"
	noKey  = "\x00key"
)

// take sets the stamp and the durations of an arrival.
func (l *Layout) take(a arrival, named func(string) int, shift int) {
	l.Notation, l.Zone = a.notation, a.zone
	l.Stamp = named(a.stamp)
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
