package logs

import (
	"context"
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/internal/memory"
	"github.com/limitgauge/limitgauge/logs/formats"
	"github.com/limitgauge/limitgauge/logs/kept"
	"github.com/limitgauge/limitgauge/logs/text"
)

// maxCost limits the cost of one request, so that sums over a trial cannot
// overflow.
const maxCost = int64(1e15)

// builder converts the fields of records to rows.
type builder struct {
	ctx     context.Context
	o       *Options
	sources *sources
	files   []string // their names as keys

	sorter          *kept.Sorter
	names           []interner // of the columns of codes
	unnamed         int        // the newest rows, whose codes are missing
	noted           Facts      // but for what needs all rows in order
	largest         int64      // cost
	largestEstimate int64
	costly          bool // the sum would be too large
	weighed         bool // some cost is not 1

	format       *formats.Format // of the previous file
	formats      []string
	file         int
	line         int64 // of the current record, if Options.Lines asks for it
	timer        formats.Timer
	fileRows     int64               // rows of the current file
	fileBad      int64               // its malformed records
	fileKeyless  int64               // its rows without a key
	fileUnfit    int64               // its rows that conditions leave out
	fileTimes    int64               // the sum of its times, which may wrap around
	filesOf      map[[2]int64]string // the files by rows and the sum of their times
	fileProblems []Problem           // its first malformed records
	addressed    string              // the key, if it was taken for an address
	ends         ends                // of the rows between start and end
	extends      bool                // the current row lies beyond ends
	last         int64               // time of the previous row of this file
	zones        zoneMix
	keySeen      bool
	joined       []byte // a key of several fields
	unquoted     []byte // a line without the quotes around it, reused
	cltSeen      bool
	verdicts     verdictReader
	refusals     refusals
	outside      int64 // rows that start, until and where leave out
	records      int64
	dated        int64
}

func newBuilder(ctx context.Context, o *Options) *builder {
	b := &builder{ctx: ctx, o: o, sources: newSources(o), files: fileKeys(o.Files), noted: Facts{Files: o.Files}, filesOf: map[[2]int64]string{}, sorter: kept.NewSorter(o.shape(), o.roomFor(o.shape()))}
	for range b.sorter.Shape.Codes {
		b.names = append(b.names, newInterner())
	}
	if s := b.sorter.Shape; s.Verdict {
		b.names[s.VerdictColumn()].names = verdictNames
		b.verdicts = newVerdictReader(o)
	}
	return b
}

// read reads all files. On an error the caller closes the sorter.
func (b *builder) read() (*Recording, error) {
	for i := range b.o.Files {
		if err := b.readFile(i); err != nil {
			return nil, err
		}
	}
	return b.finish()
}

// readFile reads one file in the format it has.
func (b *builder) readFile(i int) error {
	name := b.o.Files[i]
	r, done, err := b.sources.open(name)
	if err != nil {
		return text.NotOpened(name, err)
	}
	defer done()
	b.file, b.fileRows, b.fileBad, b.fileKeyless, b.fileUnfit, b.fileTimes, b.last = i, 0, 0, 0, 0, 0, 0
	b.timer.Clock = b.o.clock()
	b.fileProblems = nil
	lines := text.NewLines(r)
	err = b.readFormat(lines)
	b.nameRows()
	if lines.Err != nil {
		return r.Broken(name, lines.Err)
	}
	if err != nil {
		return err
	}
	if err := b.tooMalformed(); err != nil {
		return err
	}
	n := min(len(b.fileProblems), maxProblems-len(b.noted.Problems))
	b.noted.Problems = append(b.noted.Problems, b.fileProblems[:n]...)
	b.dated += b.timer.Clock.Dated
	b.zones.note(name, &b.timer.Clock)
	return nil
}

// ready flushes rows if there is no space for another one. From time to time it
// checks the context.
func (b *builder) ready() error {
	b.records++
	if b.records%4096 == 0 {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		if limit, full := memory.Full(); full {
			return &text.Error{Reason: text.Failure, File: b.o.Files[b.file], Message: fmt.Sprintf("all of the %.1f GiB of memory that may be used is taken after %d records, by their distinct keys: select some with --where, or name another field with --per", float64(limit)/(1<<30), b.records)}
		}
	}
	if b.unnamed == rowsToName || b.sorter.Full() {
		b.nameRows()
	}
	return b.sorter.Ready()
}

// rowsToName is how many rows get the codes of their names together.
const rowsToName = 64

// nameRows gives the rows that have none the codes of their names.
func (b *builder) nameRows() {
	b.unnamed = 0
	for i, codes := range b.sorter.Rows.Codes {
		b.sorter.Rows.Codes[i] = b.names[i].codes(codes)
	}
}

// lineBits holds the number of a line; the bits above hold the file.
const lineBits = 40

// add appends a row made of fields, which l describes. A nil field is absent
// from the record. If it returns a flaw, no row was added.
func (b *builder) add(l *formats.Layout, fields [][]byte) text.Flaw {
	t, f := b.timer.Arrival(l, fields)
	if f.Bad() {
		return f
	}
	cost := int64(1)
	if len(l.Costs) > 0 {
		if cost, f = b.cost(l.Costs, fields); f.Bad() {
			return f
		}
	}
	estimate, answer := int64(0), int64(0)
	if l.Estimate != nil {
		if estimate, f = b.cost(l.Estimate, fields); f.Bad() {
			return f
		}
	}
	if l.Answer >= 0 {
		if answer, f = b.answer(fields[l.Answer]); f.Bad() {
			return f
		}
	}
	rejected := int32(0)
	if l.Verdict >= 0 {
		if rejected, f = b.verdicts.of(fields[l.Verdict]); f.Bad() {
			return f
		}
	}
	if b.fileRows > 0 && t < b.last {
		b.noted.OutOfOrder++
	}
	b.fileRows++
	b.last = t
	b.fileTimes += t
	fits := l.Fits(fields)
	if !fits {
		b.fileUnfit++
	}
	if t < b.o.Start || t >= b.o.until() || !fits {
		b.outside++
		return text.Flaw{}
	}
	b.unnamed++
	b.count(cost)
	if l.Status >= 0 {
		b.refusals.count(fields[l.Status])
	}
	b.extends = b.ends.beyond(t)
	wide := b.sorter.Rows.Wide
	wide[0] = append(wide[0], t)
	var key []byte
	switch {
	case b.o.PerFile:
		key = []byte(b.files[b.file])
	case len(l.Keys) > 0:
		key = b.keyOf(l.Keys, fields)
		b.keySeen = b.keySeen || key != nil
		if !formats.Present(key) {
			b.fileKeyless++
		}
	}
	b.names[0].later(key)
	for i, at := range l.Fields {
		var value []byte
		if at >= 0 {
			value = fields[at]
		}
		b.names[1+i].later(value)
	}
	if l.Verdict >= 0 {
		b.verdicts.hits += int64(rejected)
		at := b.sorter.Shape.VerdictColumn()
		b.sorter.Rows.Codes[at] = append(b.sorter.Rows.Codes[at], rejected)
	}
	if b.sorter.Shape.Client {
		client := fields[l.Client]
		b.cltSeen = b.cltSeen || client != nil
		b.names[len(b.names)-1].later(client)
	}
	if len(l.Costs) > 0 {
		wide[1] = append(wide[1], cost)
	}
	if l.Estimate != nil {
		wide[2] = append(wide[2], estimate)
		b.largestEstimate = max(b.largestEstimate, estimate)
	}
	if at := len(wide) - 1; l.Answer >= 0 {
		wide[at] = append(wide[at], answer)
	} else if b.o.Lines {
		wide[at] = append(wide[at], int64(b.file)<<lineBits|b.line)
	}
	return text.Flaw{}
}

// keyOf returns the key of a row. Of several parts, "," joins the values, with a
// backslash before each comma and backslash in them, so that different values give
// different keys; a missing one is NoKey. The result is NoKey if all
// are empty, and nil if the record has none of the fields.
func (b *builder) keyOf(parts [][]formats.Source, fields [][]byte) []byte {
	if len(parts) == 1 {
		return keyOf(parts[0], fields)
	}
	b.joined = b.joined[:0]
	some, field := false, false
	for i, p := range parts {
		if i > 0 {
			b.joined = append(b.joined, ',')
		}
		value := keyOf(p, fields)
		field = field || value != nil
		if len(value) == 0 {
			b.joined = append(b.joined, NoKey...)
			continue
		}
		some = some || formats.Present(value)
		for _, c := range value {
			if c == ',' || c == '\\' {
				b.joined = append(b.joined, '\\')
			}
			b.joined = append(b.joined, c)
		}
	}
	switch {
	case some:
		return b.joined
	case field:
		return []byte(NoKey)
	}
	return nil
}

// count updates the totals by one row.
func (b *builder) count(cost int64) {
	b.noted.Rows++
	b.weighed = b.weighed || cost != 1
	b.largest = max(b.largest, cost)
	if b.noted.Cost > math.MaxInt64/2-cost {
		b.costly = true
		return
	}
	b.noted.Cost += cost
}

// keyOf returns the first of the sources that a row has a value for.
func keyOf(sources []formats.Source, fields [][]byte) []byte {
	var none []byte
	for _, s := range sources {
		if text := fields[s.Field]; formats.Present(text) {
			return s.Kind.Key(text)
		} else if none == nil {
			none = text
		}
	}
	return none
}

// answer returns the ns until an answer. A log writes "-" for none.
func (b *builder) answer(raw []byte) (int64, text.Flaw) {
	switch string(raw) {
	case "-":
		return 0, text.Flaw{}
	case "":
		return 0, text.Flaw{Why: "no answer time"}
	}
	took, why := text.ParseDecimal(raw, b.o.DurationShift())
	if why != "" {
		return 0, text.Flaw{Why: "answer time is " + why, Text: raw}
	}
	return took.Floor, text.Flaw{}
}

// cost returns the sum of fields with costs. Logs write "-" for no bytes.
func (b *builder) cost(columns []int, fields [][]byte) (int64, text.Flaw) {
	sum := int64(0)
	for _, i := range columns {
		raw := fields[i]
		if string(raw) == "-" {
			continue
		}
		if len(raw) == 0 {
			return 0, text.Flaw{Why: "no cost"}
		}
		cost, why := text.ParseDecimal(raw, 0)
		if why != "" {
			return 0, text.Flaw{Why: "cost is " + why, Text: raw}
		}
		if cost.More {
			return 0, text.Flaw{Why: "cost is not a whole number", Text: raw}
		}
		if cost.Floor > maxCost-sum {
			return 0, text.Flaw{Why: "cost is above 1e15", Text: raw}
		}
		sum += cost.Floor
	}
	return sum, text.Flaw{}
}

// finish sorts the rows and computes the facts.
func (b *builder) finish() (*Recording, error) {
	b.sources.done()
	if err := b.usable(); err != nil {
		return nil, err
	}
	if err := b.ends.check(); err != nil {
		return nil, err
	}
	sorted, in, err := b.sorter.Finish(b.ctx)
	if err != nil {
		return nil, err
	}
	r := &Recording{in: in, run: sorted, shape: b.sorter.Shape, weighed: b.weighed, largest: b.largest, largestEstimate: b.largestEstimate}
	over, u := newOverview(b), kept.NewUnpacker(r.shape)
	for u.Begin(in, sorted); ; over.see(u.Rows) {
		if err := u.Next(); err != nil {
			return nil, err
		}
		if len(u.Rows.Times()) == 0 {
			break
		}
	}
	for i := range b.names {
		r.names = append(r.names, Names{Of: b.names[i].names, Order: over.firstUse[i].order})
	}
	b.warnNoAddress()
	b.warnProxy()
	b.warnZones()
	b.warnShaped()
	b.warnNeverRejected()
	r.Facts = b.facts(r, over.peak)
	r.player, err = newPlayer(b.o, b.noted.Rows, sorted.First, sorted.Last)
	return r, err
}
