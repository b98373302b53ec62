package logs

import (
	"bytes"
)

// Columns of the common and combined log formats
//
//	remote_addr ident remote_user [time_local] "request" status bytes
//	remote_addr ident remote_user [time_local] "request" status bytes "referer" "user_agent"
//
// and the parts of the request: method, target (path and query as sent), path
// (without the query), query, protocol. Extra trailing fields are ignored.
const (
	colAddr = iota
	colIdent
	colUser
	colTime
	colRequest
	colStatus
	colBytes
	colReferer
	colAgent
	clfColumns

	colMethod = iota - 1
	colTarget
	colPath
	colQuery
	colProtocol
)

// clfNames lists the names of each column: first the name in this program, then
// those of Apache, nginx and others.
var clfNames = [][]string{
	colAddr:     {"remote_addr", "host", "remote_host", "ip", "client_ip", "remote_ip"},
	colIdent:    {"ident", "remote_logname"},
	colUser:     {"remote_user", "user"},
	colTime:     {"time_local", "time", "timestamp"},
	colRequest:  {"request"},
	colStatus:   {"status"},
	colBytes:    {"bytes", "body_bytes_sent", "bytes_sent", "size"},
	colReferer:  {"referer", "referrer", "http_referer"},
	colAgent:    {"user_agent", "http_user_agent", "agent"},
	colMethod:   {"method", "request_method"},
	colTarget:   {"target", "request_uri"},
	colPath:     {"path", "uri"},
	colQuery:    {"query", "args", "query_string"},
	colProtocol: {"protocol", "server_protocol"},
}

var (
	commonFormat = format{
		name:     "common",
		matches:  func(line []byte) bool { return looksLikeCLF(line, false) },
		splitter: func(o *Options, file string, _ *lineReader) (splitter, error) { return newCLF(o, file, false) },
	}
	combinedFormat = format{
		name:     "combined",
		matches:  func(line []byte) bool { return looksLikeCLF(line, true) },
		refines:  "common",
		splitter: func(o *Options, file string, _ *lineReader) (splitter, error) { return newCLF(o, file, true) },
	}
)

// looksLikeCLF reports whether a line is in common log format, with or without
// the referer that combined adds.
func looksLikeCLF(line []byte, combined bool) bool {
	var parts clfLine
	return !parts.split(line, true).bad() && (parts[colReferer] != nil) == combined
}

// clfLine holds the columns of one log line.
type clfLine [clfColumns][]byte

var (
	flawNoTime  = flaw{why: "not a log line: no host, user and [time]"}
	flawRequest = flaw{why: "cut short: no closed request, status and size after the time"}
	flawAgent   = flaw{why: "cut short: no closed referer and user agent"}
)

// split cuts a line into columns. With combined, a quoted referer must be
// followed by a quoted user agent. Without it, everything after the size is
// ignored.
func (p *clfLine) split(line []byte, combined bool) flaw {
	*p = clfLine{}
	i := bytes.IndexByte(line, ' ')
	if i < 0 {
		return flawNoTime
	}
	p[colAddr] = line[:i]
	j := bytes.IndexByte(line[i+1:], ' ')
	if j < 0 {
		return flawNoTime
	}
	j += i + 1
	p[colIdent] = line[i+1 : j]
	// The user may hold spaces and brackets: the time is the first bracket
	// that opens with a digit.
	k := j
	for {
		n := bytes.Index(line[k:], []byte(" ["))
		if n < 0 || k+n+2 >= len(line) {
			return flawNoTime
		}
		k += n
		if c := line[k+2]; k > j && '0' <= c && c <= '9' {
			break
		}
		k++
	}
	p[colUser] = line[j+1 : k]
	end := bytes.IndexByte(line[k:], ']')
	if end < 0 {
		return flawNoTime
	}
	end += k
	p[colTime] = line[k+2 : end]
	rest := line[end+1:]
	if len(rest) < 2 || rest[0] != ' ' || rest[1] != '"' {
		return flawRequest
	}
	rest = p.splitRequest(rest[2:])
	if rest == nil {
		return flawRequest
	}
	if !combined || len(rest) < 2 || rest[1] != '"' {
		return flaw{}
	}
	if p[colReferer], rest = quoted(rest[2:]); rest == nil {
		return flawAgent
	}
	if len(rest) < 2 || rest[1] != '"' {
		return flawAgent
	}
	if p[colAgent], rest = quoted(rest[2:]); rest == nil {
		return flawAgent
	}
	return flaw{}
}

// splitRequest cuts `request" status bytes` and returns the rest of the line,
// or nil if the text has another form. The request ends at the first unescaped
// quote with a status and a size behind it, because some servers write quotes
// without escaping them.
func (p *clfLine) splitRequest(b []byte) []byte {
	for q := 0; ; q++ {
		n := bytes.IndexByte(b[q:], '"')
		if n < 0 {
			return nil
		}
		q += n
		if escaped(b, q) {
			continue
		}
		t := b[q+1:]
		if len(t) < 4 || t[0] != ' ' {
			continue
		}
		s := 1 + digits(t[1:])
		if s == 1 && t[1] == '-' {
			s = 2
		} else if s != 4 {
			continue
		}
		if s+1 >= len(t) || t[s] != ' ' {
			continue
		}
		e := s + 1 + digits(t[s+1:])
		if e == s+1 {
			if t[e] != '-' {
				continue
			}
			e++
		}
		if e < len(t) && t[e] != ' ' {
			continue
		}
		p[colRequest], p[colStatus], p[colBytes] = b[:q], t[1:s], t[s+1:e]
		return t[e:]
	}
}

// quoted returns the text before its closing quote and the rest of the line.
// The closing quote is not escaped and is followed by a space or the end. rest
// is nil if there is no such quote.
func quoted(b []byte) (text, rest []byte) {
	for q := 0; ; q++ {
		n := bytes.IndexByte(b[q:], '"')
		if n < 0 {
			return nil, nil
		}
		q += n
		if !escaped(b, q) && (q+1 == len(b) || b[q+1] == ' ') {
			return b[:q:q], b[q+1:]
		}
	}
}

// escaped reports whether b[i] follows an odd number of backslashes.
func escaped(b []byte, i int) bool {
	n := 0
	for i > n && b[i-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}

// requestPart returns one part of a request line, or "-" if the part is
// missing. A request line may lack the protocol, contain spaces or be no
// request at all.
func requestPart(request []byte, column int) []byte {
	method, target, _ := bytes.Cut(request, []byte(" "))
	var protocol []byte
	if i := bytes.LastIndex(target, []byte(" HTTP/")); i >= 0 {
		target, protocol = target[:i], target[i+1:]
	}
	part := method
	switch column {
	case colTarget:
		part = target
	case colProtocol:
		part = protocol
	case colPath:
		part, _, _ = bytes.Cut(target, []byte("?"))
	case colQuery:
		_, part, _ = bytes.Cut(target, []byte("?"))
	}
	if len(part) == 0 {
		return []byte(NoKey)
	}
	return part
}

// clfSplitter splits lines in common and combined log format.
type clfSplitter struct {
	combined bool
	lay      *layout
	columns  []int // by the layout's fields
	parts    clfLine
	fields   [][]byte
}

func newCLF(o *Options, file string, combined bool) (splitter, error) {
	have := make([]string, 0, len(clfNames))
	column := map[string]int{}
	for c, names := range clfNames {
		if !combined && (c == colReferer || c == colAgent) {
			continue
		}
		have = append(have, names[0])
		for _, n := range names {
			column[n] = c
		}
	}
	lay, missing := o.fit(func(name string, _ bool) (string, bool) {
		c, ok := column[name]
		if !ok {
			return "", false
		}
		return clfNames[c][0], true
	})
	if missing != "" {
		return nil, misfit(file, missing, "fields of the log format", have)
	}
	s := &clfSplitter{combined: combined, lay: lay, fields: make([][]byte, len(lay.names))}
	for _, n := range lay.names {
		s.columns = append(s.columns, column[n])
	}
	return s, nil
}

func (s *clfSplitter) layout() *layout { return s.lay }

func (s *clfSplitter) split(line []byte) ([][]byte, flaw) {
	if f := s.parts.split(line, s.combined); f.bad() {
		return nil, f
	}
	for i, c := range s.columns {
		if c < clfColumns {
			s.fields[i] = s.parts[c]
		} else {
			s.fields[i] = requestPart(s.parts[colRequest], c)
		}
	}
	return s.fields, flaw{}
}
