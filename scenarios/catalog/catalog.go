// Package catalog is the vocabulary in which algorithms, traffic patterns and
// metrics describe themselves: a name, what it is, and the fields it takes.
//
// It is a leaf: it imports nothing of this module. The packages that implement
// things declare Entries; the commands collect them into a Catalog; the
// scenario loader, `list`, `explain`, `schema`, completion and the generated
// docs all read that same declaration, so adding a thing is declaring it once.
package catalog

import "math"

// Kind says what a field's YAML value may be and which Go type it becomes.
type Kind int

const (
	Int       Kind = iota // whole number with an optional k or M suffix: int64
	Decimal               // finite decimal number: float64
	Share                 // "5%" or 0.05: Fraction
	Bool                  // true or false, on or off: bool
	String                // any scalar text: string
	Enum                  // one of Field.Enum: string
	Duration              // "10ms", "1m30s", never a bare number: int64 nanoseconds
	Rate                  // "500/s", "2.5/min", "10/60s": units.Rate
	Union                 // a kind's name, {kind: {its fields}}, or two or more of its fields where no other kind has them all: Choice
	Group                 // a mapping of Field.Fields: Values
	List                  // a sequence of Field.Elem: []any
	IntOrEnum             // a whole number or one of Field.Enum: int64 or string
	Time                  // an RFC 3339 instant: int64 Unix nanoseconds
	Uint                  // whole number up to 2^64-1 with an optional k or M suffix: uint64
	Size                  // "256MiB", never a bare number: int64 bytes
	Limit                 // a Rate above zero that is written with a whole number: units.Rate
	Dependent             // bound by the scenario loader, as what it may hold depends on names in the file; Doc and Fields say what
)

// Field declares one named option.
type Field struct {
	Name     string
	Kind     Kind
	Unit     string   // unit of the bare value where the kind does not say it
	Default  string   // YAML text bound when the field is absent; "" means absent stays unset
	Required bool     // absent is an error
	Enum     []string // for Enum and IntOrEnum
	Min, Max string   // inclusive range, in the field's own notation; "" is unbounded
	Choices  []Entry  // for Union; a value that is not a mapping stands for a choice's first field
	Bare     string   // for Union: the choice that a value which is no choice's name stands for (cost: 5 is constant)
	Fields   []Field  // for Group
	Elem     *Field   // for List
	Doc      string   // one sentence, no trailing history
}

// Entry declares one thing a scenario can name.
type Entry struct {
	Name    string
	Summary string // one line for `list`
	Idea    string // how it works, a short paragraph
	Bound   string // what theory promises, with units
	Source  string // paper, post, RFC or issue
	Fields  []Field
	Over    []string // for an enforcement: the counters it works with; nil is all of them
	Queues  bool     // for a counter: its burst is what may queue, so it may be 0 and below a request's cost
}

// Preset is an algorithm shipped under a name: an enforcement, a counter and
// the options in which it differs from their defaults.
type Preset struct {
	Entry
	Enforcement string // set by the registry from the limiter that declares the preset
	Counter     string
	System      string            // the published system it models; lists keep a system's presets together
	Options     map[string]string // field name to YAML text
}

// Metric declares one metric.
type Metric struct {
	Name    string
	Unit    string
	Formula string
	Doc     string
	Full    bool // in the metric set full only
	Better  int  // -1 lower is better, +1 higher is better, 0 neither

	Least float64
	Most  float64 // with Least the range of possible values; 0 is unbounded
}

// Range returns the smallest and the largest value that the metric can have.
func (m Metric) Range() (least, most float64) {
	if m.Most == 0 {
		return m.Least, math.Inf(1)
	}
	return m.Least, m.Most
}

// Catalog is everything a scenario file can refer to.
type Catalog struct {
	Patterns     []Entry
	Counters     []Entry
	Enforcements []Entry
	Presets      []Preset
	Metrics      []Metric
}

// Find returns the entry called name, or nil.
func Find(entries []Entry, name string) *Entry {
	for i := range entries {
		if entries[i].Name == name {
			return &entries[i]
		}
	}
	return nil
}

// Headline returns the names of the three metrics that belong together, because
// every limiter trades one for the others.
func Headline() []string {
	return []string{"over_limit_pct", "burst_excess", "under_admission_pct"}
}
