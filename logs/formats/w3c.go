package formats

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs/text"
)

var w3cFormat = Format{
	Name:   "w3c",
	By:     "Microsoft IIS and whatever writes the W3C Extended Log File Format",
	Shows:  "a line `#Fields:` that names date, time and other fields; it may change inside a file",
	Time:   "date and time, UTC, - time-taken where there is one: ms if all are whole numbers, as IIS writes them, else s; without a date, that of #Date, and the next day where the time falls back by more than 12 hours",
	Key:    "c-ip",
	Source: "https://www.w3.org/TR/WD-logfile.html",
	open:   func(in *Input) (Splitter, error) { return openW3C(in, "") },
}

// w3cKind returns the kind of a field, which may hold addresses.
func w3cKind(name string) kind {
	switch {
	case name == "c-ip":
		return address
	case IsForwarded(name):
		return forwarded
	}
	return plain
}

// w3cAliases gives other names of fields, as nginx has them.
var w3cAliases = map[string]string{
	"remote_addr": "c-ip", "client_ip": "c-ip", "ip": "c-ip", "status": "sc-status", "method": "cs-method", "path": "cs-uri-stem", "uri": "cs-uri-stem",
	"query": "cs-uri-query", "user": "cs-username", "remote_user": "cs-username", "user_agent": "cs(User-Agent)", "referer": "cs(Referer)", "bytes": "sc-bytes", "host": "cs-host",
}

// w3cSplitter splits records below a line #Fields:. A further such line changes the
// layout.
type w3cSplitter struct {
	in     *Input
	marker string
	unit   string // of time-taken, "" if it is not subtracted
	others []Candidate
	date   []byte   // of the next record, from the last #Date on; nil if there is none
	dated  bool     // the records have a time without a date: that of #Date is used
	later  int      // days from #Date to date, -1 for a record of the evening before
	last   int      // the minute of the day of the record or #Date before, or -1
	times  []string // how the records tell the time, below each header
	laid
	why    text.Flaw // why the records below the current header cannot be read
	record [][]byte
	width  int // fields of a record
}

// openW3C returns the splitter of a file whose #Fields must name marker, if there is
// one. The sample tells the unit of time-taken.
func openW3C(in *Input, marker string) (Splitter, error) {
	s := &w3cSplitter{in: in, marker: marker}
	at, whole := -1, true
	var first []string
	for _, l := range in.Sample.Lines {
		switch names := w3cFields(l.Text); {
		case names != nil:
			if first == nil {
				first = names
			}
			at = slices.Index(names, "time-taken")
		case s.date == nil && s.dateLine(l.Text):
		case names == nil && first != nil && !bytes.HasPrefix(l.Text, []byte("#")):
			s.cut(l.Text)
			if at >= 0 && at < len(s.record) {
				whole = whole && isWhole(s.record[at])
				s.unit = "s"
			}
			list := slices.IndexFunc(first, IsForwarded)
			if s.others == nil && list >= 0 && list < len(s.record) && addressed(s.record[list:list+1]) {
				s.others = []Candidate{keyCandidate(first[list])}
			}
		}
	}
	if first == nil && marker != "" && len(in.Sample.Lines) > 0 {
		first = s.headless(in.Sample.Lines[0].Text)
	}
	switch {
	case first == nil:
		return nil, &text.Error{Reason: text.BadInput, File: in.File, Line: 1, Message: "no line #Fields: that names the fields"}
	case marker != "":
		s.unit = ""
	case s.unit != "" && whole:
		s.unit = "ms"
	}
	if err := s.name(first); err != nil {
		return nil, err
	}
	return s, nil
}

// dateLine takes the date of a line #Date: and reports whether it is one.
func (s *w3cSplitter) dateLine(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("#Date: "))
	if ok {
		date, daytime, _ := bytes.Cut(rest, []byte(" "))
		s.date, s.later, s.last = bytes.Clone(date), 0, -1
		s.dateAt(bytes.TrimSpace(daytime))
	}
	return ok
}

// w3cFields returns the names in a line #Fields:, or nil.
func w3cFields(line []byte) []string {
	if rest, ok := bytes.CutPrefix(line, []byte("#Fields:")); ok {
		return strings.Fields(string(rest))
	}
	return nil
}

// name computes the layout of the records below a header.
func (s *w3cSplitter) name(names []string) error {
	if s.marker != "" && !slices.Contains(names, s.marker) {
		return &text.Error{Reason: text.BadInput, File: s.in.File, Line: 1, Message: "the fields do not name " + s.marker}
	}
	a := arrival{stamp: "date", daytime: "time", zone: "UTC"}
	s.dated = s.date != nil && !slices.Contains(names, "date")
	if s.dated {
		a.stamp = "#Date"
		names = append(names, a.stamp)
	}
	if s.unit != "" && slices.Contains(names, "time-taken") {
		a.minus = []span{{"time-taken", s.unit, "-"}}
	}
	columnOf := func(name string) (column, bool) {
		if name == "date" && s.dated {
			name = a.stamp
		} else if own, ok := w3cAliases[name]; ok && !slices.Contains(names, name) {
			name = own
		}
		return column{name: name, kind: w3cKind(name)}, slices.Contains(names, name)
	}
	d := defaults{others: s.others, has: func(name string) (string, bool) { c, ok := columnOf(name); return c.name, ok }}
	if slices.Contains(names, a.stamp) && slices.Contains(names, "time") {
		d.arrivals = []arrival{a}
	}
	if slices.Contains(names, "c-ip") {
		d.keys = []string{"c-ip"}
	}
	lay, missing := s.in.Asked.fit(columnOf, d)
	if missing != "" {
		return s.in.misfit(missing, "fields", names)
	}
	if slices.Contains(names, "sc-status") {
		lay.Status = lay.add("sc-status")
	}
	s.times = lists.Distinct(append(s.times, s.in.TimeText(lay)))
	lay.times = s.times
	s.laid, s.width = layOut(lay, func(name string) int { return slices.Index(names, name) }), len(names)
	return nil
}

// cut cuts a record at its tabs, or else at its spaces. Quoted text is one field.
func (s *w3cSplitter) cut(line []byte) {
	delimiter := byte(' ')
	if bytes.IndexByte(line, '\t') >= 0 {
		delimiter = '\t'
	}
	s.record = s.record[:0]
	for len(line) > 0 {
		if line[0] == '"' {
			if end := bytes.IndexByte(line[1:], '"'); end >= 0 && (end+2 == len(line) || line[end+2] == delimiter) {
				s.record = append(s.record, line[1:end+1])
				line = line[min(end+3, len(line)):]
				continue
			}
		}
		end := bytes.IndexByte(line, delimiter)
		if end < 0 {
			end = len(line)
		}
		s.record = append(s.record, line[:end:end])
		line = line[min(end+1, len(line)):]
	}
}

// dateAt returns the date of the next record, which has a time of day alone. A day goes by
// where the time falls back by more than half a day. A record of the ten minutes before
// midnight may follow later ones.
func (s *w3cSplitter) dateAt(daytime []byte) []byte {
	if len(daytime) < 5 || !isWhole(daytime[:2]) || !isWhole(daytime[3:5]) {
		return s.date
	}
	digit := func(i int) int { return int(daytime[i] - '0') }
	hour, minute, days := 10*digit(0)+digit(1), 10*digit(3)+digit(4), 0
	now := 60*hour + minute
	switch {
	case hour > 23 || minute > 59:
		return s.date
	case s.last-now > 12*60:
		days = 1
	case s.last >= 0 && now-s.last > 24*60-10 && s.later >= 0:
		days = -1
	}
	if days != 0 {
		day, err := time.Parse(time.DateOnly, string(s.date))
		if err == nil {
			s.date, s.later = day.AddDate(0, 0, days).AppendFormat(nil, time.DateOnly), s.later+days
		}
	}
	s.last = now
	return s.date
}

func (s *w3cSplitter) Split(line []byte) ([][]byte, text.Flaw) {
	if line[0] == '#' {
		if names := w3cFields(line); names != nil {
			s.why = text.Flaw{}
			if err := s.name(names); err != nil {
				s.why = text.Flaw{Why: err.(*text.Error).Message}
			}
		}
		s.dateLine(line)
		return nil, text.Flaw{}
	}
	if s.why.Bad() {
		return nil, s.why
	}
	s.cut(line)
	if s.dated {
		s.record = append(s.record, s.date)
	}
	if len(s.record) != s.width {
		return nil, text.Flaw{Why: fmt.Sprintf("%d fields, but #Fields names %d", len(s.record), s.width)}
	}
	fields := s.pick(s.record)
	if s.dated && s.lay.daytime >= 0 {
		fields[s.lay.Stamp] = s.dateAt(fields[s.lay.daytime])
	}
	return fields, text.Flaw{}
}
