// Package formats declares the formats of logs, one in a file, and the wrappers
// around their lines. It scores how well each of them fits a sample, and cuts
// records into the fields that are asked for.
//
// The package makes no promise: it can change at any time.
package formats

import (
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/logs/text"
)

// Format declares one log format. To add one, declare it in a file of its own,
// list it in All and write testdata/NAME.txtar. Every format has the
// texts of its row in docs/formats.md and in limitgauge formats, and one of the
// three groups of members.
type Format struct {
	Name   string
	By     string // who writes it
	Shows  string // what it is recognised by
	Time   string // how the arrival is computed, in the names of the documentation
	Key    string // the client's address, in the same names
	Source string // URL of the documentation, "" if there is none

	// columns lists the fields that have names of their own. For text it lists
	// what cut fills, in that order. For JSON it lists paths, and only those that
	// need another name or a kind; every other path is known by itself.
	columns []column
	// arrivals says how the time of arrival is computed. The first entry whose
	// fields the sample has is used for the whole file.
	arrivals []arrival
	// keys names the columns that hold the client's address. A row takes the
	// first of them that it has.
	keys []string

	// Text: cut divides a line into columns. It sets every one of them, nil if
	// the line has none, and returns a flaw unless each field that tells this
	// format from others has the documented shape.
	cut func(line []byte, columns [][]byte) text.Flaw
	// request names the column that holds a request line, "" if there is none.
	// Its parts are columns too: method, target, path, query, protocol.
	request string
	// refines names a more general format that may cut the same lines. This one
	// is taken if it cuts half of the sample, and marked accepts one line.
	refines string
	marked  func(columns [][]byte) bool

	// JSON: needs lists the paths that tell the format from others. A record
	// fits if it has all of them.
	needs []string
	// kindOf is a path: a record that has it, with a text that does not begin with
	// kindIs, is something else than a request.
	kindOf, kindIs string
	// general marks a format that reads whatever has the form: any other format that
	// fits half of a sample is taken before it.
	general bool

	// Anything else, such as formats with a header: open returns the splitter of
	// a file. It may read a header from in.Lines.
	open func(in *Input) (Splitter, error)
	// shaped returns how many lines of a sample have the shape of the format,
	// whatever their fields are called. It may be nil.
	shaped func(s *sample) int
	// bare reports that open reads in.Lines, so the format cannot stand inside
	// wrappers.
	bare bool
	// unscored reports a format that is taken only where an option names it.
	unscored bool
}

// column is a field with names of its own.
type column struct {
	name    string // as in the documentation, or a JSON path
	aliases string // other names that options may use, separated by spaces
	kind    kind
}

func (c column) has(name string) bool {
	return c.name == name || slices.Contains(strings.Fields(c.aliases), name)
}

// arrival is one way to compute the time of arrival: a stamp minus durations.
type arrival struct {
	stamp    string // a column: the time, or the date if daytime is set
	daytime  string // the column with the time of day, "" if stamp holds both
	notation string // one of Names if the documentation states it, else ""
	zone     string // of stamps without an offset, if the documentation states it
	minus    []span
}

// span is a duration that is subtracted from a stamp.
type span struct {
	field, unit string
	unknown     string // the text that stands for an unknown duration, which counts as 0
}

// column returns the column that a name belongs to.
func (f *Format) column(name string) (column, bool) {
	if i := slices.IndexFunc(f.columns, func(c column) bool { return c.has(name) }); i >= 0 {
		return f.columns[i], true
	}
	return column{}, false
}

// Shapes reports whether at least half of a sample has the shape of the format.
func (f *Format) Shapes(s *sample) bool {
	return f.shaped != nil && 2*f.shaped(s) >= len(s.Lines)
}
