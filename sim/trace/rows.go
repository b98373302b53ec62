package trace

import (
	"context"
	"fmt"
	"math"
)

// maxCost bounds the cost of one request, so that sums over a trial stay far
// from overflow.
const maxCost = int64(1e15)

// builder turns the fields of records into rows.
type builder struct {
	ctx     context.Context
	o       *Options
	sources *sources
	files   []string // their names as keys

	rec     Recording
	keys    interner
	clients interner
	fields  []interner
	weighed bool // some cost is not 1

	format    string // of the file before, for files too short to tell
	formats   []string
	file      int
	clock     clock
	durShift  int
	at, took  exact
	fileRows  int   // rows of the current file
	last      int64 // time of the row before, in this file
	keySeen   bool
	cltSeen   bool
	outside   int64 // rows outside start and until
	records   int64
	malformed int64
	problems  []Problem
	numeric   int64
	dated     int64
	disorder  int64
}

// Problem is one malformed record.
type Problem struct {
	File    string
	Line    int64 // from 1
	Message string
}

func (p Problem) String() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Message) }

// maxProblems is how many malformed records are remembered with their place.
const maxProblems = 5

func newBuilder(ctx context.Context, o *Options) *builder {
	b := &builder{ctx: ctx, o: o, sources: newSources(o), files: fileKeys(o.Files)}
	b.keys.ids = map[string]int32{}
	b.clients.ids = map[string]int32{}
	for range o.Fields {
		b.fields = append(b.fields, interner{ids: map[string]int32{}})
		b.rec.Fields = append(b.rec.Fields, Column{})
	}
	unit := o.DurationUnit
	if unit == "" {
		unit = "s"
		if f := o.TimeFormat; f != "" && f != "auto" && f != "rfc3339" && f != "clf" {
			unit = f
		}
	}
	b.durShift = unitShift(unit)
	return b
}

// readFile reads one of the files, in whatever format it has.
func (b *builder) readFile(i int) error {
	name := b.o.Files[i]
	r, done, err := b.sources.open(name)
	if err != nil {
		return notOpened(name, err)
	}
	defer done()
	b.file, b.fileRows, b.last = i, 0, 0
	b.clock = newClock(b.o.TimeFormat)
	lines := newLineReader(r)
	if err := b.readFormat(lines); err != nil {
		return err
	}
	if lines.err != nil {
		return &Error{Reason: Unreadable, File: name, Message: "reading traffic", Err: lines.err}
	}
	b.numeric += b.clock.numeric
	b.dated += b.clock.dated
	return nil
}

// canceled looks at the context now and then.
func (b *builder) canceled() error {
	b.records++
	if b.records%4096 == 0 {
		return b.ctx.Err()
	}
	return nil
}

// bad counts a malformed record.
func (b *builder) bad(line int64, f flaw) {
	b.malformed++
	if len(b.problems) < maxProblems {
		b.problems = append(b.problems, Problem{b.o.Files[b.file], line, f.String()})
	}
}

// add makes a row of the fields that l describes; a nil field is absent from
// the record. Nothing is added when the flaw is bad.
func (b *builder) add(l *layout, fields [][]byte) flaw {
	t, f := b.arrival(l, fields)
	if f.bad() {
		return f
	}
	cost := int64(1)
	if len(l.costs) > 0 {
		if cost, f = b.cost(l, fields); f.bad() {
			return f
		}
	}
	if b.fileRows > 0 && t < b.last {
		b.disorder++
	}
	b.fileRows++
	b.last = t
	if t < b.o.Start || t >= b.o.until() {
		b.outside++
		return flaw{}
	}
	key := int32(0)
	switch {
	case b.o.PerFile:
		key = b.keys.id([]byte(b.files[b.file]))
	case l.key < 0:
		key = b.keys.id(nil)
	default:
		b.keySeen = b.keySeen || fields[l.key] != nil
		key = b.keys.id(fields[l.key])
	}
	b.rec.Time = append(b.rec.Time, t)
	b.rec.Key = append(b.rec.Key, key)
	if len(l.costs) > 0 {
		b.rec.Cost = append(b.rec.Cost, cost)
		b.weighed = b.weighed || cost != 1
	}
	for i, at := range l.fields {
		b.rec.Fields[i].Value = append(b.rec.Fields[i].Value, b.fields[i].id(fields[at]))
	}
	if b.o.Client != "" {
		b.cltSeen = b.cltSeen || fields[l.client] != nil
		b.rec.Client = append(b.rec.Client, b.clients.id(fields[l.client]))
	}
	return flaw{}
}

// arrival reads the stamp, less the duration where there is one.
func (b *builder) arrival(l *layout, fields [][]byte) (int64, flaw) {
	stamp := fields[l.stamp]
	if len(stamp) == 0 {
		return 0, flaw{why: "no time"}
	}
	if why := b.clock.parse(stamp, &b.at); why != "" {
		return 0, flaw{"time is " + why, stamp}
	}
	if l.duration < 0 {
		return b.at.ns, flaw{}
	}
	took := fields[l.duration]
	if len(took) == 0 {
		return 0, flaw{why: "no duration"}
	}
	if why := parseDecimal(took, b.durShift, &b.took); why != "" {
		return 0, flaw{"duration is " + why, took}
	}
	t := b.at.floorMinus(&b.took)
	if t < 0 {
		return 0, flaw{"arrival is before time 0: duration", took}
	}
	return t, flaw{}
}

// cost adds up the cost fields. "-" is how logs write that nothing was sent.
func (b *builder) cost(l *layout, fields [][]byte) (int64, flaw) {
	sum := int64(0)
	for _, i := range l.costs {
		text := fields[i]
		if string(text) == "-" {
			continue
		}
		if len(text) == 0 {
			return 0, flaw{why: "no cost"}
		}
		if why := parseDecimal(text, 0, &b.took); why != "" {
			return 0, flaw{"cost is " + why, text}
		}
		if len(b.took.frac) > 0 {
			return 0, flaw{"cost is not a whole number", text}
		}
		if b.took.ns > maxCost-sum {
			return 0, flaw{"cost is above 1e15", text}
		}
		sum += b.took.ns
	}
	return sum, flaw{}
}

// finish sorts the rows and states the facts.
func (b *builder) finish() (*Recording, error) {
	b.sources.done()
	r := &b.rec
	if err := b.usable(); err != nil {
		return nil, err
	}
	r.merge()
	r.KeyNames = b.keys.byFirstUse(r.Key)
	if r.Client != nil {
		r.ClientNames = b.clients.byFirstUse(r.Client)
	}
	for i := range r.Fields {
		r.Fields[i].Names = b.fields[i].byFirstUse(r.Fields[i].Value)
		if len(r.Fields[i].Names) == 1 && r.Fields[i].Names[0] == NoKey {
			return nil, badOptions("no record has a field %q", b.o.Fields[i])
		}
	}
	total := int64(0)
	if r.Cost == nil {
		total = int64(len(r.Time))
	}
	for _, c := range r.Cost {
		if total > math.MaxInt64/2-c {
			return nil, &Error{Reason: BadInput, Message: "the costs add up to more than 4.6e18"}
		}
		total += c
	}
	if !b.weighed {
		r.Cost = nil
	}
	r.Facts = b.facts(total)
	return r, nil
}

// usable says why there is nothing to replay.
func (b *builder) usable() error {
	if len(b.rec.Time) > math.MaxInt32 {
		return &Error{Reason: BadInput, Message: "more than 2147483647 requests"}
	}
	if len(b.rec.Time) > 0 {
		switch {
		case b.o.Key != "" && !b.keySeen:
			return badOptions("no record has a field %q for the key", b.o.Key)
		case b.o.Client != "" && !b.cltSeen:
			return badOptions("no record has a field %q for the client", b.o.Client)
		}
		return nil
	}
	e := &Error{Reason: BadInput}
	if len(b.o.Files) == 1 {
		e.File = b.o.Files[0]
	}
	switch {
	case b.outside > 0:
		e.Message = fmt.Sprintf("none of the %d requests lies between start and until", b.outside)
	case b.malformed > 0:
		e.Message = fmt.Sprintf("all %d lines are malformed; the first ones:", b.malformed)
		for _, p := range b.problems {
			e.Message += "\n  " + p.String()
		}
	default:
		e.Message = "no requests"
	}
	return e
}
