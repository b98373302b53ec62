package logs

import (
	"bytes"
	"strings"
)

var jsonFormat = format{
	name: "json",
	matches: func(line []byte) bool {
		line = bytes.TrimSpace(line)
		return len(line) > 0 && line[0] == '{' && validJSON(line)
	},
	read: func(b *builder, lines *lineReader) error {
		if isDocument(b.o, lines) {
			return b.readDocument(lines)
		}
		return b.readLines(lines, &jsonSplitter{o: b.o})
	},
}

// jsonSplitter reads JSON objects, one on each line or as the elements of an
// array. Only the records show which fields exist. Therefore the first record
// that has a time determines the layout, and a well-known key field is searched
// for until a record has one.
type jsonSplitter struct {
	o      *Options
	lay    *layout
	fields [][]byte
}

func (s *jsonSplitter) layout() *layout { return s.lay }

func (s *jsonSplitter) split(line []byte) ([][]byte, flaw) {
	record := bytes.TrimSpace(line)
	switch {
	case !validJSON(record):
		return nil, flaw{"not JSON", line}
	case record[0] != '{':
		return nil, flaw{"not a JSON object", line}
	}
	if !s.fit(record) {
		return nil, flaw{"no time field", record}
	}
	clear(s.fields)
	walk(record, func(key, member []byte, _ int) bool {
		name := unquote(key)
		for i, path := range s.lay.names {
			if v := throughMember(name, member, path); v != nil {
				s.fields[i] = v
			}
		}
		return true
	})
	for i, name := range s.lay.names {
		text, ok := scalar(s.fields[i])
		if !ok {
			return nil, flaw{"field " + name + " is no string or number", record}
		}
		s.fields[i] = text
	}
	return s.fields, flaw{}
}

// fit computes the layout from a record. It returns false if the record has no
// time.
func (s *jsonSplitter) fit(record []byte) bool {
	if s.lay != nil {
		if s.lay.key < 0 && !s.o.PerFile {
			if own, ok := wellKnownMember(record, keyNames); ok {
				s.lay.key = s.lay.add(own)
				s.fields = make([][]byte, len(s.lay.names))
			}
		}
		return true
	}
	lay, missing := s.o.fit(func(name string, wellKnown bool) (string, bool) {
		if !wellKnown {
			return name, true // records may lack it; a key that all lack is an error
		}
		return wellKnownMember(record, []string{name})
	})
	if missing != "" {
		return false
	}
	s.lay, s.fields = lay, make([][]byte, len(lay.names))
	return true
}

// wellKnownMember finds the first of names among an object's keys, without
// regard to case, and returns it as it is written there.
func wellKnownMember(record []byte, names []string) (own string, ok bool) {
	for _, name := range names {
		walk(record, func(key, _ []byte, _ int) bool {
			if k := unquote(key); len(k) == len(name) && strings.EqualFold(string(k), name) {
				own, ok = string(k), true
			}
			return !ok
		})
		if ok {
			return own, true
		}
	}
	return "", false
}
