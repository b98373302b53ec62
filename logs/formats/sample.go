package formats

import (
	"bytes"
	"os"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs/jsontext"
	"github.com/limitgauge/limitgauge/logs/text"
)

// SampleSize is the number of bytes at the start of a file that its sample
// comes from.
const SampleSize = 1 << 20

// sampleLines limits the lines of a sample: half of them are the first lines,
// the others are spread evenly over what follows.
const sampleLines = 256

// sample holds the lines of a file that decide its format. Of a JSON document
// it holds records.
type sample struct {
	Lines    []sampleLine
	Document bool   // one JSON document, not lines
	text     []byte // the lines with their line breaks
}

// sampleLine is one line of a sample, without its line break.
type sampleLine struct {
	Text   []byte
	Number int64  // from 1; 0 if it is not known
	Stamp  []byte // the time of the wrapper around it, nil if it has none
}

// newSample takes the sample of the file that lines has just been opened on, and
// that lies at path.
func newSample(o *Asked, path string, lines *text.Lines) *sample {
	head, _ := lines.Ahead(SampleSize)
	s := &sample{}
	if text := bytes.TrimSpace(head); len(text) > 0 && (text[0] == '{' || text[0] == '[') && isDocument(o, lines) {
		s.Document = true
		s.records(o, head)
		return s
	}
	head, whole := lines.Peek(SampleSize)
	if s.Lines = linesOf(head, whole); !bytes.HasPrefix(head, []byte("#")) {
		s.Lines = append(s.Lines, later(path, head, whole)...)
	}
	s.own()
	return s
}

// own copies the lines into one text.
func (s *sample) own() {
	size := 0
	for _, l := range s.Lines {
		size += len(l.Text) + 1
	}
	s.text = make([]byte, 0, size)
	for i, l := range s.Lines {
		from := len(s.text)
		s.text = append(append(s.text, l.Text...), '\n')
		s.Lines[i].Text = s.text[from : len(s.text)-1 : len(s.text)-1]
	}
}

// linesOf returns the first lines of a text, and some that are spread evenly over the
// rest. Of a text that begins with # it returns all lines that do, which say how to read
// those behind them. The last line counts if the text is whole.
func linesOf(raw []byte, whole bool) []sampleLine {
	if !whole {
		raw = raw[:bytes.LastIndexByte(raw, '\n')+1]
	}
	var all []sampleLine
	number := int64(0)
	for line := range bytes.Lines(raw) {
		number++
		if line = text.TrimCR(bytes.TrimSuffix(line, []byte("\n"))); len(line) > 0 {
			all = append(all, sampleLine{Text: line, Number: number})
		}
	}
	const half = sampleLines / 2
	step, directives, i := max(1, (len(all)-1)/half), bytes.HasPrefix(raw, []byte("#")), -1
	return lists.Where(all, func(l sampleLine) bool {
		i++
		return i < half || i%step == 0 || directives && l.Text[0] == '#'
	})
}

// The lines that are sampled from later parts of a file: from so many places,
// and so many bytes from each.
const (
	laterPlaces = 8
	laterBytes  = 16 << 10
	laterLines  = 8 // from each place, at most
)

// later returns lines from later parts of a regular file that is not
// compressed. head is its text at the beginning.
func later(name string, head []byte, whole bool) (lines []sampleLine) {
	if whole || name == "-" {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	part := make([]byte, laterBytes)
	n, _ := f.ReadAt(part, 0)
	if !bytes.HasPrefix(head, bytes.TrimPrefix(part[:n], []byte("\xef\xbb\xbf"))) {
		return nil // compressed
	}
	for i := range int64(laterPlaces) {
		at := SampleSize + (info.Size()-SampleSize)*i/laterPlaces
		n, _ := f.ReadAt(part, at)
		_, raw, _ := bytes.Cut(part[:n], []byte("\n"))
		for range laterLines {
			line, rest, cut := bytes.Cut(raw, []byte("\n"))
			if !cut {
				break
			}
			if raw = rest; len(text.TrimCR(line)) > 0 {
				lines = append(lines, sampleLine{Text: bytes.Clone(text.TrimCR(line))})
			}
		}
	}
	return lines
}

// records samples the first records of a JSON document.
func (s *sample) records(o *Asked, head []byte) {
	array := head
	if o.Records != "" {
		if array = jsontext.At(head[jsontext.SkipSpace(head, 0):], o.Records); array == nil {
			return
		}
	} else if at := RecordsArray(o, head); at >= 0 {
		array = head[at:]
	}
	jsontext.Walk(array, func(_, element []byte) bool {
		if jsontext.SkipValue(element, 0) == len(element) {
			line := bytes.ReplaceAll(bytes.ReplaceAll(element, []byte("\n"), []byte(" ")), []byte("\r"), []byte(" "))
			s.Lines = append(s.Lines, sampleLine{Text: line})
		}
		return len(s.Lines) < sampleLines
	})
}

// reader returns the sample as a file.
func (s *sample) reader() *text.Lines {
	if s.text == nil {
		s.own()
	}
	return text.LinesIn(s.text)
}

// First returns the first line that is no comment.
func (s *sample) First() []byte {
	if i := slices.IndexFunc(s.Lines, func(l sampleLine) bool { return l.Text[0] != '#' }); i >= 0 {
		return s.Lines[i].Text
	}
	return nil
}

// Line returns the line of the sample with a number of reader.
func (s *sample) Line(number int64) sampleLine {
	if number < 1 || number > int64(len(s.Lines)) {
		return sampleLine{}
	}
	return s.Lines[number-1]
}

// stamped reports whether at least half of the lines have a wrapper's time.
func (s *sample) stamped() bool {
	n := lists.Count(s.Lines, func(l sampleLine) bool { return l.Stamp != nil })
	return n > 0 && 2*n >= len(s.Lines)
}
