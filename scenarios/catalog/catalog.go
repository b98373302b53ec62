// Package catalog declares the types in which algorithms, traffic patterns and
// metrics describe themselves: a name, a summary, and the fields that they
// accept.
//
// It imports only package units. The packages that implement a thing declare
// its Entry, and the commands collect the entries in a Catalog. The scenario
// loader, `list`, `explain`, `schema`, completion and the generated docs all
// read the same declaration, so each thing is declared once.
//
// The package makes no promise: it can change at any time.
package catalog

import (
	"cmp"
	"math"
	"slices"
)

// Kind states which YAML values a field accepts and which Go type the bound
// value has.
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
	Union                 // a kind's name, {kind: {its fields}}, or two or more of its fields if no other kind has all of them: Choice
	Group                 // a mapping of Field.Fields: Values
	List                  // a sequence of Field.Elem: []any
	IntOrEnum             // a whole number or one of Field.Enum: int64 or string
	Time                  // an RFC 3339 instant: int64 Unix nanoseconds
	Uint                  // whole number up to 2^64-1 with an optional k or M suffix: uint64
	Size                  // "256MiB", never a bare number: int64 bytes
	Limit                 // a Rate above zero whose count is a whole number: units.Rate
	Dependent             // bound by the scenario loader, because its values depend on names in the file; see Doc and Fields
)

// Field declares one named option.
type Field struct {
	Name       string
	Kind       Kind
	Unit       string   // unit of a plain value if the kind does not imply one
	Default    string   // YAML text that is bound if the field is absent; "" leaves it unset
	Required   bool     // an absent field is an error
	Enum       []string // for Enum and IntOrEnum
	Min, Max   string   // inclusive range, in the field's own notation; "" is unbounded
	Choices    []Entry  // for Union; a value that is not a mapping stands for a choice's first field
	Bare       string   // for Union: the choice that is meant if the value is not the name of a choice (cost: 5 is constant)
	Words      bool     // for Union: a choice without fields is written as its name
	Definition string   // for Union and Group: the definition in the schema, if several fields share their values
	Fields     []Field  // for Group
	Elem       *Field   // for List
	Single     bool     // for List: a value that is no list is a list of that one value
	Doc        string   // one sentence
	Needs      Needs    // the conditions under which the field has an effect
	Met        bool     // for an option: it says what the limiter meets, such as losses and service times, and not how it is set
}

// Entry declares one thing that a scenario can name.
type Entry struct {
	Name            string
	Summary         string // one line for `list`
	Idea            string // how it works, a short paragraph
	Bound           string // what theory guarantees, with units
	Source          string // paper, post, RFC or issue
	Fields          []Field
	Period          []string         // for a pattern: the durations that add up to its period, or the rate whose gap it is
	Unit            string           // for a fault: unit of what it touches
	Touches         string           // for a fault: what it counts as touched
	Over            []string         // for an enforcement: the counters that it supports; nil is all
	Lacks           Lacks            // for an enforcement: why it has no option that others have, by name
	Needs           map[string]Needs // for an enforcement: further conditions of options of its counters, by name
	With            []string         // parts of the setting that it uses: of an enforcement "with servers", "with a network", of a counter "with a burst"
	Counterless     bool             // for an enforcement: it has an arithmetic of its own, and no counter
	CounterlessWith [2]string        // for an enforcement: an option and its value with which it has no counter; "" if it always has one
	ImpliedBy       string           // for an enforcement: the option that stands for its name
	Queues          bool             // for a counter: burst limits the queue, so it may be 0 and below a request's cost
	State           []Member         // for a counter: the numbers of a key's state, as step shows it
}

// Member describes one number of the state of a counter: its name in a reply of step,
// its unit, or a dash, and its meaning. Equal members of several counters share a row
// of the documentation.
type Member struct{ Name, Unit, Doc string }

// Lacks holds the reasons why an enforcement has no option that others have, by
// the name of the option.
type Lacks map[string]string

// Preset is a limiter that ships under a name: an enforcement, a counter and
// the options that differ from their defaults.
type Preset struct {
	Name, Summary, Idea, Bound, Source string // as in an Entry

	Enforcement string // set by the registry from the limiter that declares the preset
	Counter     string
	System      string            // the published system that it models; lists group presets by system
	Options     map[string]string // field name to YAML text
}

// Counting returns the presets with a counter. The others limit something else than
// requests or their cost over time, and need a guard.
func (c Catalog) Counting() []Preset {
	return slices.DeleteFunc(slices.Clone(c.Presets), func(p Preset) bool { return p.Counter == "" })
}

// Presets returns the listed presets. Those without a source, a system or a
// counter have that of common.
func Presets(common Preset, list ...Preset) []Preset {
	for i := range list {
		p := &list[i]
		p.Source, p.System, p.Counter = cmp.Or(p.Source, common.Source), cmp.Or(p.System, common.System), cmp.Or(p.Counter, common.Counter)
	}
	return list
}

// Entry returns the preset as an Entry without fields.
func (p *Preset) Entry() *Entry {
	return &Entry{Name: p.Name, Summary: p.Summary, Idea: p.Idea, Bound: p.Bound, Source: p.Source}
}

// Metric declares one metric.
type Metric struct {
	Name    string
	Unit    string
	Formula string
	Doc     string
	Full    bool // only in the metric set full
	Answers bool // of answers of a backend: it has data only with a guard that has a deadline
	Better  int  // -1 lower is better, +1 higher is better, 0 neither

	Least float64
	Most  float64 // with Least, the range of possible values; 0 is unbounded
}

// MetricSet returns the name of the basic or the full metric set.
func MetricSet(full bool) string {
	if full {
		return "full"
	}
	return "basic"
}

// Range returns the smallest and the largest possible value of the metric.
func (m Metric) Range() (least, most float64) {
	if m.Most == 0 {
		return m.Least, math.Inf(1)
	}
	return m.Least, m.Most
}

// Catalog holds everything that a scenario file can refer to.
type Catalog struct {
	Patterns     []Entry
	Counters     []Entry
	Enforcements []Entry
	Presets      []Preset
	Metrics      []Metric
	Added        []string // names of presets that every scenario compares, listed or not
}

// Counter returns the declaration of a counter. It is empty for "", the counter of
// enforcements that have none.
func (c *Catalog) Counter(name string) *Entry {
	if name == "" {
		return &Entry{}
	}
	return Find(c.Counters, name)
}

// named is a declaration with a name: an Entry, Preset, Field or Metric.
type named interface{ name() string }

func (e Entry) name() string  { return e.Name }
func (p Preset) name() string { return p.Name }
func (f Field) name() string  { return f.Name }
func (m Metric) name() string { return m.Name }

// Find returns the declaration with this name, or nil.
func Find[T named](list []T, name string) *T {
	if i := slices.IndexFunc(list, func(x T) bool { return x.name() == name }); i >= 0 {
		return &list[i]
	}
	return nil
}

// Names returns the names of declarations in their order.
func Names[T named](list []T) []string {
	names := make([]string, len(list))
	for i, x := range list {
		names[i] = x.name()
	}
	return names
}

// Headline returns the names of the four headline metrics. They must be read
// together, because every limiter trades one for the others.
func Headline() []string {
	return []string{"over_limit_pct", "burst_excess", "over_admission_pct", "under_admission_pct"}
}
