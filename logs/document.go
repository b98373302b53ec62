package logs

import (
	"bytes"
	"fmt"

	"github.com/limitgauge/limitgauge/logs/formats"
	"github.com/limitgauge/limitgauge/logs/jsontext"
	"github.com/limitgauge/limitgauge/logs/text"
)

// readDocument reads the records of a JSON document as they come, so that it needs
// memory for one record. From a truncated document it reads the records before the
// cut.
func (b *builder) readDocument(in *formats.Input, s formats.Splitter) error {
	lines := in.Lines
	at, err := b.findArray(lines)
	if err != nil || lines.Err != nil {
		return err // readFile reports that of lines
	}
	var open brackets
	doc, _ := lines.Ahead(at + 1)
	open.read(doc[:at+1])
	if err := b.readElements(s, in.Peeler, &elements{lines: lines, line: 1}, at+1); err != nil {
		return err
	}
	for ahead, whole := lines.Ahead(1); len(ahead) > 0; ahead, whole = lines.Ahead(1) {
		if end := open.read(ahead); jsontext.SkipSpace(ahead, end) < len(ahead) {
			return several(b.o.Files[b.file])
		}
		if lines.Drop(len(ahead)); whole {
			break
		}
	}
	return nil
}

// followed reports whether another JSON document follows one that ends in the sample.
func followed(lines *text.Lines) bool {
	head, _ := lines.Ahead(formats.SampleSize)
	end := jsontext.SkipValue(head, jsontext.SkipSpace(head, 0))
	return end > 0 && jsontext.SkipSpace(head, end) < len(head)
}

// several returns the error of a file with several JSON documents, of which one alone
// would be read.
func several(file string) error {
	return &text.Error{Reason: text.BadInput, File: file, Message: "several JSON documents, one behind the other: pipe them through jq -c . to have a record on each line, or jq -c '.Records[]' if the records are in an array of that name, and read the result as -"}
}

// brackets counts those of a JSON text that are open.
type brackets struct {
	open            int
	quoted, escaped bool
	closed          bool // all of them
}

// read returns where the last bracket is closed, or the length of the text.
func (b *brackets) read(text []byte) (end int) {
	for i, c := range text {
		if b.closed {
			return i
		}
		switch {
		case b.escaped:
			b.escaped = false
		case b.quoted:
			b.escaped, b.quoted = c == '\\', c != '"'
		case c == '"':
			b.quoted = true
		case c == '{' || c == '[':
			b.open++
		case c == '}' || c == ']':
			b.open--
			b.closed = b.open == 0
		}
	}
	return len(text)
}

// findArray returns the offset of the array of records in the text ahead, and reads
// on until it is there.
func (b *builder) findArray(lines *text.Lines) (at int, err error) {
	doc, whole := lines.Ahead(formats.SampleSize)
	for {
		if b.o.Records != "" {
			start := jsontext.SkipSpace(doc, 0)
			array := jsontext.At(doc[start:], b.o.Records)
			if len(array) > 0 && array[0] != '[' {
				return 0, b.noArray(b.o.Records + " is not an array")
			}
			if len(array) > 0 {
				return offsetOf(doc, array), nil
			}
		} else if at = formats.RecordsArray(&b.o.Asked, doc); at >= 0 {
			return at, nil
		}
		if whole {
			break
		}
		if len(doc) > mostAhead {
			return 0, b.noArray(fmt.Sprintf("no array of records in the first %d bytes of the JSON document", len(doc)))
		}
		doc, whole = lines.More()
	}
	switch at = jsontext.SkipSpace(doc, 0); {
	case b.o.Records != "":
		return 0, b.noArray("no array at " + b.o.Records)
	case at < len(doc) && doc[at] == '[':
		return at, nil // empty, or without objects
	}
	return 0, b.noArray("no array of records in the JSON document")
}

// mostAhead is how much of a JSON document is held: what is before the records, or one record.
const mostAhead = 4 * text.MaxLine

func (b *builder) noArray(message string) error {
	return &text.Error{Reason: text.BadOptions, File: b.o.Files[b.file], Message: message}
}

// elements reads the elements of an array one after the other.
type elements struct {
	lines *text.Lines
	line  int64 // of the text ahead, from 1
}

// skip goes on by n bytes.
func (e *elements) skip(n int) {
	ahead, _ := e.lines.Ahead(n)
	e.line += int64(bytes.Count(ahead[:n], []byte("\n")))
	e.lines.Drop(n)
}

// next returns the next element, which is valid until the next call, and goes on to
// its end. ok is false at the end of the array, and closed if that has been found.
func (e *elements) next() (element []byte, ok, closed bool) {
	text, whole := e.lines.Ahead(0)
	for {
		i := jsontext.SkipSpace(text, 0)
		if i < len(text) && text[i] == ',' {
			i = jsontext.SkipSpace(text, i+1)
		}
		if i < len(text) && (text[i] == ']' || text[i] == '}') {
			return nil, false, true
		}
		if i < len(text) {
			if end := jsontext.SkipValue(text, i); end > 0 && (end < len(text) || whole) {
				e.skip(i)
				element = text[i:end:end]
				return element, true, false
			}
		}
		if whole {
			e.skip(len(text))
			return nil, false, false
		}
		if len(text) > mostAhead {
			e.skip(i)
			return nil, false, false
		}
		text, whole = e.lines.More()
	}
}

// readElements reads the records behind the first skip bytes of the text ahead.
func (b *builder) readElements(s formats.Splitter, p *formats.Peeler, e *elements, skip int) error {
	for e.skip(skip); ; {
		element, ok, closed := e.next()
		if !ok {
			if ahead, whole := e.lines.Ahead(0); !closed && !whole {
				return &text.Error{Reason: text.BadInput, File: b.o.Files[b.file], Line: e.line, Message: fmt.Sprintf("a record of the JSON document does not end within %d bytes", len(ahead))}
			}
			if !closed && e.lines.Err == nil {
				b.bad(e.line, text.Flaw{Why: "the JSON document is cut off"})
			}
			break
		}
		if err := b.ready(); err != nil {
			return err
		}
		if len(element) > text.MaxLine {
			b.bad(e.line, text.TooLong)
		} else {
			b.peeled(s, p, element, func() int64 { return e.line })
		}
		e.skip(len(element))
	}
	return nil
}

// offsetOf returns the offset of part, a subslice of whole.
func offsetOf(whole, part []byte) int { return cap(whole) - cap(part) }
