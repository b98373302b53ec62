package formats

import (
	"bytes"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs/text"
)

// textSplitter splits the lines of a text format.
type textSplitter struct {
	cut     func(line []byte, columns [][]byte) text.Flaw
	columns [][]byte
	request int // the column with the request line, -1 if there is none
	in      *Input
	laid    // at: a column, or len(columns) + a part of the request
}

// The parts of a request line.
const (
	partMethod = iota
	partTarget
	partPath
	partQuery
	partProtocol
	partHost // the virtual host in front of the line
)

// requestParts lists the names of the parts of a request line.
var requestParts = []column{
	partMethod:   {name: "method", aliases: "request_method"},
	partTarget:   {name: "target", aliases: "request_uri"},
	partPath:     {name: "path", aliases: "uri"},
	partQuery:    {name: "query", aliases: "args query_string"},
	partProtocol: {name: "protocol", aliases: "server_protocol"},
}

// allColumns returns the columns of a text format: those that cut fills and the
// parts of the request.
func (f *Format) allColumns() []column {
	if f.request == "" {
		return f.columns
	}
	return slices.Concat(f.columns, requestParts)
}

// openText returns the splitter of a file in a text format.
func openText(in *Input) (Splitter, error) {
	all := in.Format.allColumns()
	if slices.Contains(in.Around, &vhostWrapper) {
		all = append(all, column{"vhost", "", plain})
	}
	number := func(name string) int { return slices.IndexFunc(all, func(c column) bool { return c.has(name) }) }
	rows := in.Format.rows(in.Sample)
	s := &textSplitter{cut: in.Format.cut, columns: make([][]byte, len(in.Format.columns)), request: number(in.Format.request), in: in}
	var missing string
	s.lay, missing = in.Asked.fit(func(name string) (column, bool) {
		i := number(name)
		if i < 0 {
			return column{}, false
		}
		return all[i], true
	}, defaults{has: func(name string) (string, bool) {
		i := number(name)
		return name, i >= 0 && (name != "host" || all[i].kind == plain) // of common, it is the client
	}, values: func(name string) [][]byte {
		return lists.Map(rows, func(row [][]byte) []byte { return s.field(row, number(name)) })
	}, arrivals: arrivalsIn(in.Format, rows, func(row [][]byte, name string) bool {
		return Present(row[number(name)])
	}), keys: in.Format.keys, others: in.Format.lists(rows)})
	if missing != "" {
		return nil, in.misfit(missing, "fields of "+in.Format.Name, lists.Map(all, func(c column) string { return c.name }))
	}
	s.lay.settleLists(rows, number)
	if status := number("status"); status >= 0 {
		s.lay.Status = s.lay.add(all[status].name)
	}
	s.laid = layOut(s.lay, number)
	return s, nil
}

// rows cuts the lines of a sample that the format fits into columns.
func (f *Format) rows(s *sample) (rows [][][]byte) {
	for _, l := range s.Lines {
		if row := make([][]byte, len(f.columns)); !f.cut(l.Text, row).Bad() {
			rows = append(rows, row)
		}
	}
	return rows
}

// lists returns the columns of X-Forwarded-For that hold addresses.
func (f *Format) lists(rows [][][]byte) (found []Candidate) {
	for i, c := range f.columns {
		if c.kind == forwarded && !slices.Contains(f.keys, c.name) && addressed(lists.Map(rows, func(row [][]byte) []byte { return row[i] })) {
			found = append(found, keyCandidate(c.name))
		}
	}
	return found
}

// settleLists decides whether the keys that may be lists are: whether a row has one.
func (l *Layout) settleLists(rows [][][]byte, number func(name string) int) {
	for _, sources := range l.Keys {
		for i := range sources {
			from := &sources[i]
			if from.Kind != addresses {
				continue
			}
			from.Kind = address
			column := number(l.Names[from.Field])
			if slices.ContainsFunc(rows, func(row [][]byte) bool { return bytes.IndexByte(row[column], ',') >= 0 }) {
				from.Kind = forwarded
			}
		}
	}
}

// arrivalsIn returns the arrivals of a format, first the one whose fields most records
// of a sample have.
func arrivalsIn[R any](f *Format, records []R, has func(r R, field string) bool) []arrival {
	for i, a := range f.arrivals {
		n := lists.Count(records, func(r R) bool { return a.in(func(field string) bool { return has(r, field) }) })
		if 2*n >= len(records) && n > 0 {
			return f.arrivals[i:]
		}
	}
	return f.arrivals
}

// in reports whether a record has all fields of an arrival.
func (a arrival) in(has func(name string) bool) bool {
	if !has(a.stamp) || a.daytime != "" && !has(a.daytime) {
		return false
	}
	return !slices.ContainsFunc(a.minus, func(s span) bool { return !has(s.field) })
}

// Present reports whether a field has a value. Logs write "-" for none.
func Present(field []byte) bool {
	return len(field) > 0 && !(len(field) == 1 && field[0] == '-')
}

func (s *textSplitter) Split(line []byte) ([][]byte, text.Flaw) {
	if f := s.cut(line, s.columns); f.Bad() {
		return nil, f
	}
	for i, c := range s.at {
		s.fields[i] = s.field(s.columns, c)
	}
	return s.fields, text.Flaw{}
}

// field returns a field of a line that is cut into columns.
func (s *textSplitter) field(columns [][]byte, at int) []byte {
	switch part := at - len(columns); {
	case part < 0:
		return columns[at]
	case part == partHost:
		return s.in.Peeler.Host
	default:
		return requestPart(columns[s.request], part)
	}
}

// Absent is what logs write for a field without a value.
const Absent = "-"

// requestPart returns one part of a request line, or "-" if the part is
// missing. A request line may lack the protocol, contain spaces or be no
// request at all.
func requestPart(request []byte, part int) []byte {
	method, target, _ := bytes.Cut(request, []byte(" "))
	var protocol []byte
	i, mark := bytes.LastIndexByte(target, ' '), []byte(" HTTP/")
	if i >= 0 && !bytes.HasPrefix(target[i:], mark) {
		i = bytes.LastIndex(target, mark)
	}
	if i >= 0 {
		target, protocol = target[:i], target[i+1:]
	}
	text := method
	switch part {
	case partTarget:
		text = target
	case partProtocol:
		text = protocol
	case partPath:
		text, _, _ = bytes.Cut(target, []byte("?"))
	case partQuery:
		_, text, _ = bytes.Cut(target, []byte("?"))
	}
	if len(text) == 0 {
		return []byte(Absent)
	}
	return text
}
