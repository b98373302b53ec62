// Package results defines the results document: what a run passes to tables,
// figures and gates, as versioned JSON. It encodes, decodes, checks and splits
// documents; it computes no metrics and renders nothing. The bytes of a
// document depend only on the scenario, the seed and the version of the
// program.
//
// The package makes no promise: it can change at any time.
package results

import "time"

// SchemaVersion is the version of the document's schema. It changes when
// readers of the document must change.
const SchemaVersion = 3

// Document holds the results of one run.
type Document struct {
	SchemaVersion int          `json:"schema_version"`
	Stamp         Stamp        `json:"stamp"`
	Partial       bool         `json:"partial"` // interrupted: the rows present are complete, others are missing
	Input         []Input      `json:"input"`
	Scenarios     []Scenario   `json:"scenarios"`
	Results       []Result     `json:"results"`
	Series        []Series     `json:"series"`
	Shares        []Shares     `json:"shares"`
	Histograms    []Histogram  `json:"histograms"`
	Rejections    []Rejections `json:"rejections"`
	KeySeries     []KeySeries  `json:"key_series,omitempty"`

	// ByPolicy and PolicySeries repeat the rows of Results and Series for the
	// keys of each policy, in multi-policy scenarios.
	ByPolicy     []Result       `json:"by_policy,omitempty"`
	PolicySeries []PolicySeries `json:"policy_series,omitempty"`

	ClientShares []ClientShares `json:"client_shares,omitempty"` // where at least two clients have requests
	ServerLoads  []ServerLoads  `json:"server_loads,omitempty"`  // where the limiter has servers

	// Curves compare scenarios of the document.
	Curves []Curve `json:"curves,omitempty"`
}

// Stamp states what produced the document and how to reproduce it.
type Stamp struct {
	Tool           string `json:"tool"`
	Version        string `json:"version"`
	Commit         string `json:"commit"`
	ScenarioFile   string `json:"scenario_file"`
	ScenarioSHA256 string `json:"scenario_sha256"`
	Scenario       string `json:"scenario"` // the effective scenario file, as YAML text
	Seed           uint64 `json:"seed"`
	Rerun          string `json:"rerun"`          // the command that reproduces the run
	Kind           string `json:"kind,omitempty"` // KindLive, or "" of a simulation
}

// Input holds the facts of a recorded log as it was read.
type Input struct {
	Scenario     string         `json:"scenario"`
	Traffic      string         `json:"traffic"`
	Files        []string       `json:"files"`
	Format       string         `json:"format"`
	Rows         int64          `json:"rows"`
	Malformed    int64          `json:"malformed"`
	FirstNs      int64          `json:"first_ns"`
	LastNs       int64          `json:"last_ns"`
	Keys         int64          `json:"keys"`
	PeakPerS     int64          `json:"peak_per_s"` // most requests in one calendar second
	MeanPerS     float64        `json:"mean_per_s"` // rows / (last second - first second + 1)
	ResolutionNs int64          `json:"resolution_ns"`
	OutOfOrder   int64          `json:"out_of_order"`
	Cost         int64          `json:"cost"`              // sum over rows
	Relative     bool           `json:"relative"`          // times count from the log's start, not from 1970
	Problems     []InputProblem `json:"problems"`          // the first malformed lines
	Choices      []InputChoice  `json:"choices,omitempty"` // how each file was read
}

// InputChoice says how one file was read.
type InputChoice struct {
	File      string      `json:"file"`
	Format    string      `json:"format"`
	Wrappers  []string    `json:"wrappers,omitempty"` // taken off each line, the innermost first
	Time      string      `json:"time"`               // the fields that make the time of arrival, such as "end - duration"
	Notation  string      `json:"time_notation,omitempty"`
	Key       string      `json:"key"`                       // the field of the key; "" without one
	Client    bool        `json:"key_from_client,omitempty"` // the client itself wrote the key, in X-Forwarded-For
	Cost      string      `json:"cost"`                      // the fields whose sum is the cost, or 1
	Verdict   string      `json:"verdict,omitempty"`         // what the limiter that wrote the log decided: the field, and its values that mean rejected
	Others    []Candidate `json:"candidates,omitempty"`      // other fields that could have been taken
	Rows      int64       `json:"rows"`                      // valid records
	Malformed int64       `json:"malformed"`
	Text      string      `json:"text"` // the choice in one line
}

// Candidate is a field that could have been taken, and the flag that takes it.
type Candidate struct {
	Of    string `json:"of"` // time or key
	Field string `json:"field"`
	Flag  string `json:"flag"`
}

// InputProblem is one malformed line.
type InputProblem struct {
	File    string `json:"file"`
	Line    int64  `json:"line"`
	Message string `json:"message"`
}

// Scenario holds what all rows of one scenario have in common.
type Scenario struct {
	Name         string        `json:"name"`
	About        string        `json:"about"`
	Policy       Policy        `json:"policy"`             // the first policy in multi-policy scenarios
	Policies     []Policy      `json:"policies,omitempty"` // all policies, in multi-policy scenarios
	Clients      int           `json:"clients"`
	Servers      int           `json:"servers"`
	Seed         uint64        `json:"seed"`
	MetricSet    string        `json:"tier"`     // basic | full
	StartNs      int64         `json:"start_ns"` // the measured span [start, end)
	EndNs        int64         `json:"end_ns"`
	Keys         int64         `json:"keys"`
	Tenants      int64         `json:"tenants"`
	Workers      int64         `json:"workers,omitempty"` // callers that wait for answers
	Others       bool          `json:"others,omitempty"`  // others than workers send, too
	Columns      []string      `json:"columns,omitempty"` // metrics that tables show after the headline ones, instead of the default ones
	Expectations []Expectation `json:"expectations"`
	Warnings     []string      `json:"warnings"`
	Faults       []Fault       `json:"faults,omitempty"`

	// TrafficDigests identify the traffic of each replication: other traffic has other
	// digests.
	TrafficDigests []string `json:"traffic_digests,omitempty"`

	// Unsteady lists what makes one part of the span differ from another, other than the
	// start: "square traffic", "faults". If there is nothing, AdvisedWarmupNs is the warm-up
	// that leaves the start out, 0 if it is not known, and DrainNs how long full buckets
	// drain, 0 if no more than the limit is offered.
	Unsteady        []string `json:"unsteady,omitempty"`
	AdvisedWarmupNs int64    `json:"advised_warmup_ns,omitempty"`
	DrainNs         int64    `json:"drain_ns,omitempty"`

	// Of a backend with a deadline:
	BestFixed *BestFixedLimit `json:"best_fixed,omitempty"`
	Slow      []Span          `json:"slow,omitempty"` // periods in which it is slower
}

// BestFixed names the row of the best fixed limit on concurrency, a reference of scenarios
// whose backend has a deadline.
const BestFixed = "best-fixed"

// BestFixedLimit is the limit on the requests that each client has in flight with the most
// good answers of those tried, over all replications together.
type BestFixedLimit struct {
	Limit      int64      `json:"limit"`
	Within1Pct [2]int64   `json:"within_1_pct"`     // the limits tried from the first to the second have at least 99 % of its good answers
	Theory     int64      `json:"theory,omitempty"` // the best limit of the queue M/M/c/K; 0 if the scenario is none
	Grid       [][2]int64 `json:"grid"`             // the limits tried, in rising order, each with its good answers
}

// Fault is one entry of a scenario's faults.
type Fault struct {
	Kind           string `json:"kind"`
	Text           string `json:"text"`    // "server-crash 10s-40s"
	FromNs         int64  `json:"from_ns"` // the beginning of its first occurrence
	ToNs           int64  `json:"to_ns"`   // the end of its last one
	Spans          []Span `json:"spans"`   // its occurrences in time order
	Unit           string `json:"unit"`    // of what it touches
	ExpectNoEffect bool   `json:"expect_no_effect,omitempty"`
	Line           int    `json:"line"`
	Col            int    `json:"col"`
}

// Span is the time From <= t < To.
type Span struct {
	FromNs int64 `json:"from_ns"`
	ToNs   int64 `json:"to_ns"`
}

// Policy is the limit that figures are measured against.
type Policy struct {
	Name     string  `json:"name"`
	Limit    int64   `json:"limit"` // requests per window
	WindowNs int64   `json:"window_ns"`
	Text     string  `json:"text"` // "1000/s, burst 50"
	Burst    int64   `json:"burst"`
	RatePerS float64 `json:"rate_per_s"`
	Per      string  `json:"per"`
	Keys     int64   `json:"keys,omitempty"`   // number of keys of this policy, in multi-policy scenarios
	Exact    string  `json:"exact,omitempty"`  // the reference, if it is no token bucket
	Counts   string  `json:"counts,omitempty"` // "requests" if it counts these, whatever they cost; in parts of one policy also "tokens"
}

// Expectation is a threshold as stated in the scenario file.
type Expectation struct {
	Algorithm string  `json:"algorithm"`
	Metric    string  `json:"metric"`
	Op        string  `json:"op"`
	Threshold float64 `json:"threshold"`
	Relative  bool    `json:"relative,omitempty"` // of not_worse: the threshold is in percent of the baseline's figure
	Text      string  `json:"text"`
	Line      int     `json:"line"`
	Col       int     `json:"col"`
}

// Result is the row of one algorithm in one scenario.
type Result struct {
	Scenario  string `json:"scenario"`
	Policy    string `json:"policy"`
	Algorithm string `json:"algorithm"`
	Reference bool   `json:"reference"` // a row that others are compared with: of an exact limiter, or the best fixed limit
	Exact     bool   `json:"exact"`     // deterministic: one replication suffices
	// OnePhase states, for a deterministic row, that some of its traffic is periodic with
	// the same phase in each replication: at another phase its figures may differ.
	OnePhase bool `json:"one_phase,omitempty"`
	// FollowsTraffic states, for a row that is not deterministic, that it draws no random
	// numbers of its own: the same traffic and retries give the same figures.
	FollowsTraffic bool   `json:"follows_traffic,omitempty"`
	Replications   int    `json:"replications"`
	WorstKey       string `json:"worst_key,omitempty"` // of over_limit_pct_worst_key
	// ComparedWith is the algorithm of the reference row that the row is compared
	// with, if that is not the scenario's first; "" otherwise.
	ComparedWith string `json:"compared_with,omitempty"`
	// Waiting states, for a reference that delays, how long requests wait at most:
	// "a queue of 100 requests", "waits of at most 1s", "waits of any length". Otherwise it is "".
	Waiting string `json:"waiting,omitempty"`
	// Counts is the counter of a row whose name does not say it, if it has no burst and the
	// policy has one; "" otherwise.
	Counts string `json:"counts,omitempty"`
	// Rollout states which clients a rollout converts to which algorithm, such as
	// "10 of 20 clients to batch-debt"; "" without one.
	Rollout string `json:"rollout,omitempty"`
	// Verdict is of a row in front of a backend with a deadline, of all replications: it is
	// backlogged if the requests in the backend and waiting in the last tenth of the span
	// are more than 1.5 times those in the fifth tenth and as many as the servers; else
	// overloaded if less than 99 % of the requests got a good answer; else stable.
	Verdict string             `json:"verdict,omitempty"`
	Metrics map[string]Summary `json:"metrics"`
	// Halves holds the headline metrics of the two halves of the measured span.
	Halves map[string][2]Summary `json:"halves,omitempty"`
	// As is the exact counter with whose verdicts those of the row are compared; ""
	// without one. FirstDifference is the first that differs, in the first replication
	// that has one.
	As              string      `json:"as,omitempty"`
	FirstDifference *Difference `json:"first_difference,omitempty"`
	// Touched holds what each fault of the scenario touched.
	Touched []Touched `json:"touched,omitempty"`
	Live    *Live     `json:"live,omitempty"` // of the row of a real limiter
}

// NoDraws returns what a row without random draws shows: the text exact, unless it
// shows one phase of periodic traffic.
func (r *Result) NoDraws(exact string) string {
	if r.OnePhase {
		return "no random draws, one phase"
	}
	return exact
}

// Difference is an attempt that a limiter decided otherwise than an exact counter.
type Difference struct {
	Replication int    `json:"replication"` // counts from 1
	Attempt     int64  `json:"attempt"`     // its number among the attempts of the row, from 0
	AtNs        int64  `json:"at_ns"`
	Client      int    `json:"client"`
	Key         string `json:"key"`
	Cost        int64  `json:"cost"`
	Admitted    bool   `json:"admitted"`        // by the limiter, or if Waits not by the counter
	Waits       bool   `json:"waits,omitempty"` // it still waits at the end of the run
	// EarlyNs is left out if the verdicts differ. Otherwise it is the time by which the
	// limiter dispatches the request, or says to retry, before the counter does.
	EarlyNs int64 `json:"early_ns,omitempty"`
}

// Apart returns how far a dispatch is from the counter's, such as "1ms before".
func (d *Difference) Apart() string {
	if d.EarlyNs < 0 {
		return time.Duration(-d.EarlyNs).String() + " after"
	}
	return time.Duration(d.EarlyNs).String() + " before"
}

// Touched is what one fault touched in a row, over the row's replications.
type Touched struct {
	Affects bool    `json:"affects"` // the fault can affect the row's limiter
	Mean    float64 `json:"mean"`
	Min     int64   `json:"min"`
	Max     int64   `json:"max"`
	Missed  int     `json:"missed"` // replications in which it touched nothing
}

// Series is cost over time for plots, of the first replication.
type Series struct {
	Scenario  string  `json:"scenario"`
	Algorithm string  `json:"algorithm"`
	StartNs   int64   `json:"start_ns"`
	BinNs     int64   `json:"bin_ns"`
	Offered   []int64 `json:"offered"` // cost per bin
	Admitted  []int64 `json:"admitted"`
	// LimitPerBin is rate*bin summed over the keys seen in the run. In
	// multi-policy scenarios it is the smallest such limit of the policies that
	// apply once to every request, 0 if there is none.
	LimitPerBin float64 `json:"limit_per_bin"`
	// LimitChanges lists how faults change that limit within the span, in time
	// order.
	LimitChanges []LimitChange `json:"limit_changes,omitempty"`
	// Inflight is the load of the guarded backend at the end of each bin, empty
	// without a backend.
	Inflight []int64 `json:"inflight,omitempty"`
	// Calls is the number of calls to the limiter's servers per bin, empty if it
	// has none.
	Calls []int64 `json:"calls,omitempty"`
	// Overspend is the cost admitted above the limit of its calendar window per bin,
	// empty if costs are known on arrival.
	Overspend []int64 `json:"overspend,omitempty"`
	// Stranded is the cost that is reserved and will not be used, averaged over each
	// bin and rounded. It is empty without reservations.
	Stranded []int64 `json:"stranded,omitempty"`
	// Finished and Retried are the jobs that workers finish, and the retries that they
	// make, per bin; empty without workers.
	Finished []int64 `json:"finished,omitempty"`
	Retried  []int64 `json:"retried,omitempty"`
	// Limit is the limit on requests in flight of all clients together, averaged over each
	// bin and rounded; empty without one.
	Limit []int64 `json:"limit,omitempty"`
	// Probes is the number of probes that begin per bin, in which a limit is held low to
	// measure the time of an answer without load; empty without probes.
	Probes []int64 `json:"probes,omitempty"`

	Unfilled float64 `json:"-"` // part of the last bin for which Merge had no bins, from 0 to below 1
}

// LimitChange is the limit from a time on.
type LimitChange struct {
	AtNs        int64   `json:"at_ns"`
	LimitPerBin float64 `json:"limit_per_bin"`
}

// PolicySeries is the series of a row under one policy. A request that carries
// several keys of the policy counts once for each.
type PolicySeries struct {
	Policy string `json:"policy"`
	Series
}

// KeySeries is the series of a row's cost under one key. All rows of a scenario
// have the same keys.
type KeySeries struct {
	Key string `json:"key"`
	// Why is the reason for which the key has a series: KeyWorst, KeyBusiest,
	// KeyNamed or KeyRefused.
	Why string `json:"why"`
	// WorstOf is the algorithm whose worst key it is, empty unless Why is
	// KeyWorst.
	WorstOf string `json:"worst_of,omitempty"`
	Series
}

// Reasons of KeySeries.
const (
	KeyWorst   = "worst"   // the worst_key of the row with the largest over_limit_pct_worst_key
	KeyBusiest = "busiest" // the most cost offered, where no key is over its limit
	KeyNamed   = "named"   // the user asked for it
	KeyRefused = "refused" // of a recorded log: one of those with the most rejected cost
)

// Shares holds the cost offered and admitted per tenant in the first
// replication: the tenants with the largest demand, then all others together.
type Shares struct {
	Scenario  string  `json:"scenario"`
	Algorithm string  `json:"algorithm"`
	Tenants   []Share `json:"tenants"`
	// Yardstick states what Fair of the tenants is: "reference" is what the
	// reference admits to the tenant, "max-min" its max-min fair share of the total
	// admitted, "sum over keys" the sum of its shares by key.
	Yardstick string `json:"yardstick,omitempty"`
	// Unshared is the number of tenants with demand whose fair share is 0.
	// Fairness leaves them out. UnsharedTenants names the first of them.
	Unshared        int      `json:"unshared,omitempty"`
	UnsharedTenants []string `json:"unshared_tenants,omitempty"`
}

// Others is the name of the Share of all tenants that are not listed.
const Others = "others"

// Share is the cost of one tenant.
type Share struct {
	Tenant   string  `json:"tenant"`
	Offered  int64   `json:"offered"`
	Admitted int64   `json:"admitted"`
	Rejected int64   `json:"rejected"`
	Fair     float64 `json:"fair"` // fair share, see Shares.Yardstick; 0 if there is none
}

// MaxClients is the largest number of clients of ClientShares.
const MaxClients = 100

// ClientShares holds the cost offered, admitted and rejected per client with demand in the
// first replication, the client with the least admitted first. If there are more
// than MaxClients, it holds as many of evenly spaced ranks.
type ClientShares struct {
	Scenario  string        `json:"scenario"`
	Algorithm string        `json:"algorithm"`
	Clients   []ClientShare `json:"clients"`
}

// ClientShare is the cost of one client.
type ClientShare struct {
	Client   int     `json:"client"` // its number, from 0
	Offered  int64   `json:"offered"`
	Admitted int64   `json:"admitted"`
	Rejected int64   `json:"rejected"`
	Fair     float64 `json:"fair"` // fair share; 0 if there is none
}

// Histogram is a distribution of the first replication.
type Histogram struct {
	Scenario  string   `json:"scenario"`
	Algorithm string   `json:"algorithm"`
	Name      string   `json:"name"` // decision_latency, wait, …
	Unit      string   `json:"unit"` // ns
	Buckets   []Bucket `json:"buckets"`
}

// Bucket counts values in [Lo, Hi).
type Bucket struct {
	Lo    int64 `json:"lo"`
	Hi    int64 `json:"hi"`
	Count int64 `json:"count"`
}

// MaxKeys is the largest number of keys of Rejections.
const MaxKeys = 10

// Rejections lists the keys of a row with the most rejected cost in the first
// replication, largest first.
type Rejections struct {
	Scenario  string      `json:"scenario"`
	Algorithm string      `json:"algorithm"`
	Keys      []KeyTotals `json:"keys"`
	Refused   int         `json:"keys_refused"` // with rejected cost
	Seen      int         `json:"keys_seen"`    // with traffic
}

// KeyTotals is the cost of one key over the measured span.
type KeyTotals struct {
	Key       string `json:"key"`
	Offered   int64  `json:"offered"`
	Admitted  int64  `json:"admitted"`
	Rejected  int64  `json:"rejected"`
	Reference int64  `json:"reference"` // cost that the reference admitted
}
