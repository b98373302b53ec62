package logs

import "strconv"

// flaw describes an error in one record: the reason and the affected text. It
// is a plain value, so that a file with a million malformed lines causes no
// formatting.
type flaw struct {
	why  string
	text []byte // nil if why is sufficient
}

// bad reports whether there is an error.
func (f flaw) bad() bool { return f.why != "" }

// shown is the length in bytes to which a message shortens the text of a
// malformed record.
const shown = 60

// String returns the reason and the text, shortened.
func (f flaw) String() string {
	if f.text == nil {
		return f.why
	}
	return f.why + ": " + quote(f.text)
}

// quote returns a text for a message.
func quote(t []byte) string {
	if len(t) > shown {
		return strconv.QuoteToGraphic(string(t[:shown])) + "..."
	}
	return strconv.QuoteToGraphic(string(t))
}

// tooLong is the error of a record that is longer than maxLine.
var tooLong = flaw{why: "longer than 16 MiB"}
