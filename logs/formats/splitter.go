package formats

import (
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs/text"
)

// Splitter cuts records into the fields that its layout names.
type Splitter interface {
	// Split returns the fields, valid until the next call. A nil field is absent.
	// Without fields and without a flaw the line is no record: a comment or a
	// header.
	Split(line []byte) (fields [][]byte, f text.Flaw)
	// Layout returns the layout of fields. It may be called after a split that
	// returned fields, and may differ from one record to the next.
	Layout() *Layout
}

// laid holds the fields of a record by their layout.
type laid struct {
	lay    *Layout
	at     []int // their places in a record
	fields [][]byte
}

// layOut returns the fields of a layout, with their places in a record.
func layOut(lay *Layout, place func(name string) int) laid {
	return laid{lay, lists.Map(lay.Names, place), make([][]byte, len(lay.Names))}
}

func (l *laid) Layout() *Layout { return l.lay }

// pick returns the fields of a record.
func (l *laid) pick(record [][]byte) [][]byte {
	for i, at := range l.at {
		l.fields[i] = record[at]
	}
	return l.fields
}

// Start returns the splitter of a file.
func (f *Format) Start(in *Input) (Splitter, error) {
	switch {
	case f.open != nil:
		return f.open(in)
	case f.cut != nil:
		return openText(in)
	}
	return openJSON(in)
}
