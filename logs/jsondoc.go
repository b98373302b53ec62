package logs

import (
	"bytes"
)

// isDocument reports whether the file is one JSON document with an array of
// records, judging by its beginning, rather than JSON lines.
func isDocument(o *Asked, lines *lineReader) bool {
	if o.Records != "" {
		return true
	}
	sample, whole := lines.ahead(sampleSize)
	sample = bytes.TrimSpace(sample)
	switch {
	case len(sample) == 0:
		return false
	case sample[0] == '[':
		next := skipSpace(sample, 1)
		return next == len(sample) || sample[next] == '{' || sample[next] == ']'
	case sample[0] != '{':
		return false
	}
	first, rest, more := bytes.Cut(sample, []byte("\n"))
	first, rest = bytes.TrimSpace(first), bytes.TrimSpace(rest)
	if validJSON(first) {
		// One object alone is a record when it has a time, else a wrapping.
		alone := !more && whole
		return alone && !hasTime(o, first) && recordsArray(o, first) >= 0
	}
	if !more {
		return !hasTime(o, first) && recordsArray(o, first) >= 0 // on one line
	}
	switch first[len(first)-1] {
	case '{', '[', ':':
		return true
	case ',': // a pretty-printed member follows, or a record after a cut one
		return len(rest) > 0 && rest[0] == '"'
	}
	return false
}

// hasTime reports whether a record has the time field that the options name, or
// one that is known as such.
func hasTime(o *Asked, record []byte) bool {
	if name := o.stampField(); name != "" {
		return atPath(record, name) != nil
	}
	k := known{find: func(name string) (string, bool) { return wellKnownMember(record, name) }}
	return len(k.defaults(o).arrivals) > 0
}

// recordsArray returns the offset of the first array in a JSON text whose first
// element is an object with a time. If there is none, it returns the first
// array that starts with an object, or -1.
func recordsArray(o *Asked, text []byte) int {
	fallback := -1
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			if i = skipString(text, i); i < 0 {
				return fallback
			}
		case '[':
			if j := skipSpace(text, i+1); j < len(text) && text[j] == '{' {
				if fallback < 0 {
					fallback = i
				}
				if end := skipValue(text, j); end > 0 && hasTime(o, text[j:end]) {
					return i
				}
			}
			i++
		default:
			i++
		}
	}
	return fallback
}

// readDocument reads the records of a JSON document as they come, so that it needs
// memory for one record. From a truncated document it reads the records before the
// cut.
func (b *builder) readDocument(in *input, s splitter) error {
	lines := in.lines
	at, err := b.findArray(lines)
	if err != nil || lines.err != nil {
		return err // readFile reports that of lines
	}
	return b.readElements(s, &elements{lines: lines, line: 1}, at+1)
}

// findArray returns the offset of the array of records in the text ahead, and reads
// on until it is there.
func (b *builder) findArray(lines *lineReader) (at int, err error) {
	doc, whole := lines.ahead(sampleSize)
	for {
		if b.o.Records != "" {
			start := skipSpace(doc, 0)
			array := atPath(doc[start:], b.o.Records)
			if len(array) > 0 && array[0] != '[' {
				return 0, b.noArray(b.o.Records + " is not an array")
			}
			if len(array) > 0 {
				return offsetOf(doc, array), nil
			}
		} else if at = recordsArray(&b.o.Asked, doc); at >= 0 {
			return at, nil
		}
		if whole {
			break
		}
		doc, whole = lines.more()
	}
	switch at = skipSpace(doc, 0); {
	case b.o.Records != "":
		return 0, b.noArray("no array at " + b.o.Records)
	case at < len(doc) && doc[at] == '[':
		return at, nil // empty, or without objects
	}
	return 0, b.noArray("no array of records in the JSON document")
}

func (b *builder) noArray(message string) error {
	return &Error{Reason: BadOptions, File: b.o.Files[b.file], Message: message}
}

// elements reads the elements of an array one after the other.
type elements struct {
	lines *lineReader
	line  int64 // of the text ahead, from 1
}

// skip goes on by n bytes.
func (e *elements) skip(n int) {
	l := e.lines
	e.line += int64(bytes.Count(l.buf[l.start:l.start+n], []byte("\n")))
	l.start += n
	l.rec = l.start
}

// next returns the next element, which is valid until the next call, and goes on to
// its end. ok is false at the end of the array, and closed if that has been found.
func (e *elements) next() (element []byte, ok, closed bool) {
	l := e.lines
	for {
		text := l.buf[l.start:l.end]
		i := skipSpace(text, 0)
		if i < len(text) && text[i] == ',' {
			i = skipSpace(text, i+1)
		}
		if i < len(text) && (text[i] == ']' || text[i] == '}') {
			return nil, false, true
		}
		if i < len(text) {
			if end := skipValue(text, i); end > 0 && (end < len(text) || l.eof) {
				e.skip(i)
				element = text[i:end:end]
				return element, true, false
			}
		}
		if l.eof {
			e.skip(len(text))
			return nil, false, false
		}
		l.fill()
	}
}

// readElements reads the records behind the first skip bytes of the text ahead.
func (b *builder) readElements(s splitter, e *elements, skip int) error {
	for e.skip(skip); ; {
		element, ok, closed := e.next()
		if !ok {
			if !closed && e.lines.err == nil {
				b.bad(e.line, flaw{why: "the JSON document is cut off"})
			}
			break
		}
		if err := b.ready(); err != nil {
			return err
		}
		if len(element) > maxLine {
			b.bad(e.line, tooLong)
		} else {
			b.record(s, element, func() int64 { return e.line })
		}
		e.skip(len(element))
	}
	e.lines.drain()
	return nil
}

// offsetOf returns the offset of part, a subslice of whole.
func offsetOf(whole, part []byte) int { return cap(whole) - cap(part) }
