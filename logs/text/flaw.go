package text

import "strconv"

// Flaw describes an error in one record: the reason and the affected text. It
// is a plain value, so that a file with a million malformed lines causes no
// formatting.
type Flaw struct {
	Why  string
	Text []byte // nil if why is sufficient
}

// Bad reports whether there is an error.
func (f Flaw) Bad() bool { return f.Why != "" }

// Shown is the length in bytes to which a message shortens the text of a
// malformed record.
const Shown = 60

// String returns the reason and the text, shortened.
func (f Flaw) String() string {
	if f.Text == nil {
		return f.Why
	}
	return f.Why + ": " + quote(f.Text)
}

// quote returns a text for a message.
func quote(t []byte) string {
	if len(t) > Shown {
		return strconv.QuoteToGraphic(string(t[:Shown])) + "..."
	}
	return strconv.QuoteToGraphic(string(t))
}

// TooLong is the error of a record that is longer than MaxLine.
var TooLong = Flaw{Why: "longer than 16 MiB"}
