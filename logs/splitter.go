package logs

import "github.com/limitgauge/limitgauge/logs/text"

// splitter cuts records into the fields that its layout names.
type splitter interface {
	// split returns the fields, valid until the next call. A nil field is absent.
	// Without fields and without a flaw the line is no record: a comment or a
	// header.
	split(line []byte) (fields [][]byte, f text.Flaw)
	// layout returns the layout of fields. It may be called after a split that
	// returned fields, and may differ from one record to the next.
	layout() *layout
}

// start returns the splitter of a file.
func (f *format) start(in *input) (splitter, error) {
	switch {
	case f.open != nil:
		return f.open(in)
	case f.cut != nil:
		return openText(in)
	}
	return openJSON(in)
}
