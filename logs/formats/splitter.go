package formats

import "github.com/limitgauge/limitgauge/logs/text"

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
