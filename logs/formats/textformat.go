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
	laid        // at: a column, or len(columns) + a part of the request
}

// The parts of a request line.
const (
	partMethod = iota
	partTarget
	partPath
	partQuery
	partProtocol
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
	number := func(name string) int { return slices.IndexFunc(all, func(c column) bool { return c.has(name) }) }
	s := &textSplitter{cut: in.Format.cut, columns: make([][]byte, len(in.Format.columns)), request: number(in.Format.request)}
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
	}, arrivals: in.Format.arrivalsOf(in.Sample, s, number), keys: in.Format.keys, others: in.Format.lists(in.Sample)})
	if missing != "" {
		return nil, in.misfit(missing, "fields of "+in.Format.Name, lists.Map(all, func(c column) string { return c.name }))
	}
	s.lay.settleLists(in.Sample, func(line []byte, name string) []byte {
		if s.cut(line, s.columns).Bad() {
			return nil
		}
		return s.columns[number(name)]
	})
	if status := number("status"); status >= 0 {
		s.lay.Status = s.lay.add(all[status].name)
	}
	s.laid = layOut(s.lay, number)
	return s, nil
}

// lists returns the columns of X-Forwarded-For that hold addresses in a sample.
func (f *Format) lists(s *sample) (found []Candidate) {
	columns := make([][]byte, len(f.columns))
	for i, c := range f.columns {
		if c.kind == forwarded && !slices.Contains(f.keys, c.name) && addressed(lists.Map(s.Lines, func(l sampleLine) []byte {
			if f.cut(l.Text, columns).Bad() {
				return nil
			}
			return columns[i]
		})) {
			found = append(found, keyCandidate(c.name))
		}
	}
	return found
}

// settleLists decides whether the keys that may be lists are: whether a line of
// the sample has one.
func (l *Layout) settleLists(s *sample, get func(line []byte, name string) []byte) {
	for _, sources := range l.Keys {
		for i := range sources {
			from := &sources[i]
			if from.Kind != addresses {
				continue
			}
			from.Kind = address
			listed := func(line sampleLine) bool { return bytes.IndexByte(get(line.Text, l.Names[from.Field]), ',') >= 0 }
			if slices.ContainsFunc(s.Lines, listed) {
				from.Kind = forwarded
			}
		}
	}
}

// arrivalsOf returns the arrivals of a text format, first the one whose columns
// most lines of the sample have.
func (f *Format) arrivalsOf(sample *sample, s *textSplitter, number func(string) int) []arrival {
	for i, a := range f.arrivals[:len(f.arrivals)-1] {
		fits, has := 0, 0
		for _, line := range sample.Lines {
			if s.cut(line.Text, s.columns).Bad() {
				continue
			}
			fits++
			if a.in(func(name string) bool { return Present(s.columns[number(name)]) }) {
				has++
			}
		}
		if fits > 0 && 2*has >= fits {
			return f.arrivals[i:]
		}
	}
	return f.arrivals[len(f.arrivals)-1:]
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
		if c < len(s.columns) {
			s.fields[i] = s.columns[c]
		} else {
			s.fields[i] = requestPart(s.columns[s.request], c-len(s.columns))
		}
	}
	return s.fields, text.Flaw{}
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
