package logs

import (
	"bytes"
)

// isDocument reports whether the file is one JSON document with an array of
// records, judging by its beginning, rather than JSON lines.
func isDocument(o *Options, lines *lineReader) bool {
	if o.Records != "" {
		return true
	}
	sample, whole := lines.peek(sampleSize)
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
	switch first[len(first)-1] {
	case '{', '[', ':':
		return true
	case ',': // a pretty-printed member follows, or a record after a cut one
		return len(rest) > 0 && rest[0] == '"'
	}
	return !more && whole && recordsArray(o, first) >= 0
}

// hasTime reports whether a record has the time field that the options name, or
// one that is known as such.
func hasTime(o *Options, record []byte) bool {
	if name := o.stampField(); name != "" {
		return atPath(record, name) != nil
	}
	k := known{find: func(name string) (string, bool) { return wellKnownMember(record, name) }}
	return len(k.defaults(o).arrivals) > 0
}

// recordsArray returns the offset of the first array in a JSON text whose first
// element is an object with a time. If there is none, it returns the first
// array that starts with an object, or -1.
func recordsArray(o *Options, text []byte) int {
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

// readDocument reads a JSON document, which it holds in memory as a whole. From
// a truncated document it reads the records before the cut.
func (b *builder) readDocument(in *input, s splitter) error {
	lines := in.lines
	doc := bytes.TrimRight(lines.rest(), " \t\r\n")
	if lines.err != nil {
		return nil // readFile reports it
	}
	array, at := doc, 0
	if b.o.Records != "" {
		if len(doc) == 0 {
			return nil
		}
		start := skipSpace(doc, 0)
		if array = atPath(doc[start:], b.o.Records); array == nil {
			return b.noArray("no array at " + b.o.Records)
		}
		at = offsetOf(doc, array)
	} else if at = recordsArray(b.o, doc); at >= 0 {
		array = doc[at:]
	} else if at = skipSpace(doc, 0); at < len(doc) && doc[at] == '[' {
		array = doc[at:] // empty, or without objects
	} else {
		return b.noArray("no array of records in the JSON document")
	}
	if array[0] != '[' {
		return b.noArray(b.o.Records + " is not an array")
	}
	return b.readElements(s, doc, array, at)
}

func (b *builder) noArray(message string) error {
	return &Error{Reason: BadOptions, File: b.o.Files[b.file], Message: message}
}

// readElements reads the records of the array at offset at in doc.
func (b *builder) readElements(s splitter, doc, array []byte, at int) error {
	line, counted := int64(1), 0
	lineOf := func(offset int) int64 {
		line += int64(bytes.Count(doc[counted:offset], []byte("\n")))
		counted = offset
		return line
	}
	var failed error
	closed := walk(array, func(_, element []byte, offset int) bool {
		if offset+len(element) == len(array) && skipValue(element, 0) < 0 {
			return true // cut off
		}
		if failed = b.ready(); failed != nil {
			return false
		}
		if len(element) > maxLine {
			b.bad(lineOf(at+offset), tooLong)
			return true
		}
		b.record(s, element, func() int64 { return lineOf(at + offset) })
		return true
	})
	if !closed {
		b.bad(lineOf(len(doc)), flaw{why: "the JSON document is cut off"})
	}
	return failed
}

// offsetOf returns the offset of part, a subslice of whole.
func offsetOf(whole, part []byte) int { return cap(whole) - cap(part) }
