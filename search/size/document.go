// Package size describes the answer of limitgauge size as a document, with its tables and
// rows. It also writes the limit as settings of other limiters.
//
// The package makes no promise: it can change at any time.
package size

import "github.com/limitgauge/limitgauge/search/answer"

// Document is what size finds in a log. A share in percent has the suffix _pct.
type Document struct {
	answer.Head
	Input     Input    `json:"input"`
	Warnings  []string `json:"warnings"` // what the log makes doubtful
	Algorithm string   `json:"algorithm"`
	Goal      Goal     `json:"goal"`

	Settings    []Setting `json:"settings"`    // from the slowest rate, or the shortest window
	Recommended *int      `json:"recommended"` // index of the setting; null if none can be
	Reason      string    `json:"reason"`
	Backtest    *Backtest `json:"backtest"`  // null without a recommendation
	Unstopped   string    `json:"unstopped"` // that no setting refuses half of the abusers' requests; empty if one does
	Above       string    `json:"above"`     // that larger bursts or counts can refuse more; empty if they cannot break the goal
	Heaviest    []Key     `json:"heaviest"`  // the keys with the most requests
	StandOut    []string  `json:"stand_out"` // those of them that need far more than the others; empty if abusers are named
	Policies    []Policy  `json:"policies"`
	Replay      string    `json:"replay"`  // the command that shows the recommended setting
	Unknown     []string  `json:"unknown"` // what the log cannot say
}

// Input holds the facts of the log.
type Input struct {
	Files          []string `json:"files"`
	Read           []string `json:"read"` // how the files were read
	Per            string   `json:"per"`  // the field of the key
	Requests       int64    `json:"requests"`
	Keys           int64    `json:"keys"`
	Cost           int64    `json:"cost"`
	Malformed      int64    `json:"malformed"`
	FirstNs        int64    `json:"first_ns"`
	LastNs         int64    `json:"last_ns"`
	ResolutionNs   int64    `json:"resolution_ns"`
	AbuserRequests int64    `json:"abuser_requests"`
	AbuserKeys     int64    `json:"abuser_keys"`
	AbusersAbsent  []string `json:"abusers_absent"` // those that the log does not have
}

// Goal is what may be refused of the demand, which is all requests but those of abusers.
type Goal struct {
	AtMost         string  `json:"at_most"`
	Of             string  `json:"of"`      // requests or keys
	Allowed        int64   `json:"allowed"` // so many of them
	Reserve        float64 `json:"reserve"` // factor of the least bursts or counts; 1 for none
	DemandRequests int64   `json:"demand_requests"`
	DemandKeys     int64   `json:"demand_keys"`
}

// Setting is a limit with the least allowance that keeps the goal, times the reserve, and
// what it refuses of the demand.
type Setting struct {
	Limit    string `json:"limit"`
	Count    int64  `json:"count"`
	WindowNs int64  `json:"window_ns"`
	Burst    *int64 `json:"burst"` // null for a window
	Least    bool   `json:"least"` // before the reserve, every smaller burst or count refuses more than the goal allows
	Tried    int64  `json:"tried"` // all below this do
	Short    bool   `json:"short"` // the log is too short to show what the setting needs

	RefusedRequests    int64    `json:"refused_requests"`
	RefusedRequestsPct float64  `json:"refused_requests_pct"`
	RefusedCost        int64    `json:"refused_cost"`
	RefusedKeys        int64    `json:"refused_keys"`
	RefusedKeysPct     float64  `json:"refused_keys_pct"`
	AbuserRefused      int64    `json:"abuser_refused_requests"`
	AbuserPassesPct    *float64 `json:"abuser_passes_pct"` // share of the abusers' requests that pass; null without any
	MostPerMinute      int64    `json:"most_per_minute"`   // bound on the cost that a key is admitted in any minute
	Who                []Who    `json:"who"`               // the keys refused most
}

// Backtest is what settings refuse of requests that they were not found on. The log is cut
// by time into parts of equal length; each has the setting that the others need.
type Backtest struct {
	NotTested string   `json:"not_tested"` // why not; empty if it was tested
	Parts     []Part   `json:"parts"`      // those with requests of the demand
	WorstPct  *float64 `json:"worst_pct"`  // of the parts' refused_pct; null if not tested
	MedianPct *float64 `json:"median_pct"`
}

// Part is a part of a log, and what the setting that the others need refuses of its demand.
type Part struct {
	Part            int     `json:"part"` // from 1
	FromNs          int64   `json:"from_ns"`
	ToNs            int64   `json:"to_ns"` // the part ends before
	Limit           string  `json:"limit"`
	Burst           *int64  `json:"burst"` // null for a window
	Requests        int64   `json:"requests"`
	Keys            int64   `json:"keys"`
	RefusedRequests int64   `json:"refused_requests"`
	RefusedKeys     int64   `json:"refused_keys"`
	RefusedPct      float64 `json:"refused_pct"` // of the requests or keys, as the goal counts
	Most            *Who    `json:"most"`        // the key that is refused most; null if none is
	New             bool    `json:"new"`         // the other parts do not have this key
}

// Who is a key and what it is refused.
type Who struct {
	Key      string `json:"key"`
	Requests int64  `json:"requests"`
	Cost     int64  `json:"cost"`
}

// Key is a key with many requests, and what it needs to be refused nothing.
type Key struct {
	Key       string  `json:"key"`
	Abuser    bool    `json:"abuser"`
	Requests  int64   `json:"requests"`
	SharePct  float64 `json:"share_pct"` // of all requests
	Cost      int64   `json:"cost"`
	PeakPerS  int64   `json:"peak_per_s"`     // largest cost in a calendar second
	Need      *int64  `json:"need"`           // least burst, or count, of its own under the recommended limit
	OwnLimit  string  `json:"own_limit"`      // of the limits tried, the one under which it takes the least in any minute
	OwnBurst  *int64  `json:"own_burst"`      // its least burst there; null for a window
	PerMinute int64   `json:"own_per_minute"` // what it can then take in any minute
}

// Policy is a setting of one limiter.
type Policy struct {
	System    string   `json:"system"`
	Text      string   `json:"text"` // to paste; empty if the limiter cannot be set so
	CannotSay []string `json:"cannot_say"`
}

// Best returns the recommended setting, or nil.
func (d *Document) Best() *Setting {
	if d.Recommended == nil {
		return nil
	}
	return &d.Settings[*d.Recommended]
}

// Allowance returns the burst, or the count of a window.
func (s *Setting) Allowance() int64 {
	if s.Burst != nil {
		return *s.Burst
	}
	return s.Count
}
