// Package scenarios is the scenario language: YAML bound strictly, with
// positions, to a typed and validated File. It knows the words of the language
// and takes the names of algorithms, patterns and metrics from a catalog; it
// imports no engine.
//
// The package makes no promise: it can change at any time.
package scenarios

import (
	"fmt"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// File is a validated scenario file.
type File struct {
	Path      string // as given; "-" for stdin, "suite:NAME" for an embedded one
	Dir       string // what paths inside the file are relative to
	Source    []byte
	Seed      uint64
	Scenarios []Scenario
	Curves    []Curve

	catalog catalog.Catalog // what the options of Scenarios are declared by
	root    *node           // Source, with the settings of a command line
}

// Scenario is one comparison: several algorithms under the same traffic and
// policies. All defaults are applied.
type Scenario struct {
	Name          string
	About         string // what to look for, one or two sentences
	Pos           catalog.Position
	Index         int // in the list of the file, also if only some scenarios of it run
	Seed          uint64
	Replications  int
	Duration      int64    // ns; 0 only if a trace determines it
	Warmup        int64    // ns, rounded up to whole windows
	CommonStreams bool     // streams: common; all rows have the same random streams
	Full          bool     // metrics: full, set or required by an expectation or a column
	Columns       []string // metrics that tables show after the headline ones; nil for the default ones
	MeasureMemory int64    // bytes per trial
	Policy        Policy
	Further       []Policy // further policies of a multi-policy scenario
	Topology      Topology
	Traffic       []Traffic
	Guard         *Guard
	Callers       *Callers // nil: callers do nothing but send
	Faults        []Fault
	Algorithms    []Algorithm
	Expect        []Expectation
	Axes          []Axis    // that a sweep varies
	Warnings      []Problem // options that cannot have an effect, thresholds that rule nothing out, policies with two meanings
}

// Policy is a limit.
type Policy struct {
	Name      string     // its limit (100/min) if it is defined inside the scenario
	Limit     units.Rate // as written: Count per window of Per ns
	Burst     int64      // depth of a bucket in requests; default Limit.Count
	Per       string     // the kind of key (workspace, remote_addr); "" if Shared
	Shared    bool       // one key for all traffic
	Requests  bool       // it counts requests, whatever they cost
	Reference Reference
	Values    catalog.Values // of PolicyFields
	Pos       catalog.Position
}

// Reference is the exact limiter that figures are measured against.
type Reference struct {
	Kind  string     // token-bucket | sliding-log | fixed-window
	Limit units.Rate // what should be kept: the policy's limit unless Own
	Burst int64      // depth of its bucket in requests: the policy's unless Own
	Own   bool       // the file states a limit of its own
}

// String returns the reference in words: "a sliding-log of 60/min".
func (r *Reference) String() string {
	text := fmt.Sprintf("a %s of %s", r.Kind, r.Limit)
	if catalog.Find(catalog.Find(References(), r.Kind).Fields, "burst") != nil {
		text += fmt.Sprintf(" and burst %d", r.Burst)
	}
	return text
}

// Topology describes the clients, the servers and the network between them.
type Topology struct {
	Name    string
	Clients int
	Servers int
	Network catalog.Choice // constant | exponential | lognormal; fields as NetworkKinds declares
	Rollout *Rollout       // of all algorithms that have none of their own; nil for none
	Values  catalog.Values // of TopologyFields
}

// Traffic is one entry of a scenario's traffic. The requests of all entries are
// combined.
type Traffic struct {
	Name     string // default "traffic[0]"; determines its random streams
	Pattern  string
	Options  catalog.Values // the pattern's own fields
	OnePhase bool           // periodic, with the same phase in each replication
	From     int64          // ns, default 0
	To       int64          // ns, default the scenario's duration
	Keys     catalog.Choice // of the first policy
	Tenants  catalog.Choice // Name "" means the tenant is the key
	Spread   catalog.Choice // over clients
	Cost     catalog.Choice
	Answer   catalog.Choice // time until a cost that is estimated is known
	Pos      catalog.Position

	// Descriptors selects the keys of each policy, in order. It is nil if every
	// request has one key of the only policy.
	Descriptors []Descriptor
}

// Guard is the backend that the limiter protects.
type Guard struct {
	Concurrency int64
	ServiceTime catalog.Choice // constant {time} | exponential {mean}
	Deadline    int64          // ns from arrival to answer; 0 for none
	Queue       int64          // places behind the servers
	Slow        []SlowPeriod
	Sharing     bool
	Load        []LoadPoint
	Values      catalog.Values // of GuardFields
}

// LoadPoint is a point of the slowness of a backend, at least 1, by the requests in service.
type LoadPoint struct {
	At     int64
	Factor units.Fraction
}

// SlowPeriod is a period in ns. Services that start in it take Factor times as
// long.
type SlowPeriod struct {
	From, To int64
	Factor   int64
}

// Algorithm is a named combination of an enforcement, a counter and their
// options.
type Algorithm struct {
	Name        string
	Enforcement string
	Counter     string           // "" if the enforcement has none
	Preset      string           // of an enforcement without counter: the preset that says which limiter it is; "" if options say it
	Options     catalog.Values   // the enforcement's and the counter's fields, all bound
	Rollout     *Rollout         // to another algorithm, for the clients of the scenario; nil for none
	Callers     *Callers         // instead of those of the scenario; nil for these
	Pos         catalog.Position // of its name in the scenario
}

// Expectation is a threshold for one metric of an algorithm, or by how much it may be
// worse than a baseline.
type Expectation struct {
	Algorithm string
	Metric    string
	Op        string // <= < >= > ==, or not_worse
	Threshold float64
	Relative  bool   // of not_worse: the threshold is in percent of the baseline's figure
	Text      string // as written, "<= 10" or "not_worse: 5%"
	OfTarget  bool   // of a real limiter: simulations have no such row
	Pos       catalog.Position
}

// Problem describes one mistake in a scenario file, or one option or threshold
// without effect.
type Problem struct {
	Path    string // of the file
	Pos     catalog.Position
	Field   string // traffic[0].rate; "" for the document
	Message string // the error, with a suggestion if there is one
}
