// Package tune describes the answer of limitgauge tune as a document, with its tables and
// rows.
//
// The package makes no promise: it can change at any time.
package tune

import (
	"github.com/limitgauge/limitgauge/search/answer"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Outcomes of a search.
const (
	Kept      = "kept"      // there is an answer
	Broken    = "broken"    // no setting keeps the promise
	Undecided = "undecided" // the budget was used up, or no setting has figures
)

// Document is what tune finds for the scenarios of a file. A share in percent has the suffix _pct.
type Document struct {
	answer.Head
	ScenarioFile string         `json:"scenario_file"` // empty if an algorithm was named
	Scenario     string         `json:"scenario"`      // its name, or how many there are
	Scenarios    []string       `json:"scenarios"`     // that a setting serves at once
	Seed         uint64         `json:"seed"`          // of the search, in the first scenario; fresh seeds follow it
	Replications int            `json:"replications"`  // of a seed, in each scenario
	Least        Metric         `json:"least"`         // the cost
	Cost         string         `json:"cost"`          // of several scenarios: their mean, or the worst of them
	Promises     []Promise      `json:"promises"`
	Axes         []results.Axis `json:"axes"`

	Outcome string   `json:"outcome"`
	Reason  string   `json:"reason"` // why there is no answer; empty with one
	Answer  *Setting `json:"answer"` // null without one

	Unchanged bool `json:"unchanged"` // the answer is the file's own setting

	YAML string `json:"yaml"` // the answer's values, to paste
	File string `json:"file"` // the scenario file with them

	// AtEnd lists the axes of numbers on which the answer, or without one the setting nearest
	// to the promise, has the least or the largest value: what lies beyond was not tried.
	AtEnd []string `json:"at_end"`
	// Unmoved lists the axes that changed no figure of the search.
	Unmoved []string `json:"unmoved"`

	// GateReplications is how many replications let run and gate find the answer's promise
	// kept in about 95 of 100 seeds; 0 if there is no answer or no number does.
	GateReplications int `json:"gate_replications"`

	NextCheaper *Setting `json:"next_cheaper"` // null if there is none
	Nearest     *Setting `json:"nearest"`      // without an answer, the setting nearest to the promise

	// Alone says for each axis what it can do alone, if the search changed one at a time:
	// first those that keep the promise, from the cheapest.
	Alone []Alone `json:"alone"`

	Tightest Promise   `json:"tightest"` // the promise that the answer breaks first: the next cheaper setting breaks it
	Settings []Setting `json:"settings"` // all that the search saw and that have figures, from the cheapest
	Work     Work      `json:"work"`
	Without  []string  `json:"without"` // why settings have no figures
}

// Metric is a metric with its unit.
type Metric struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
}

// Costs of several scenarios.
const (
	Mean  = "mean"
	Worst = "worst"
)

// Promise is a threshold that an algorithm must keep.
type Promise struct {
	Algorithm string  `json:"algorithm"`
	Metric    string  `json:"metric"`
	Op        string  `json:"op"`
	Threshold float64 `json:"threshold"`
	Scenario  string  `json:"scenario"`
}

// Setting is one setting with its figures: means over replications of the seed of the
// search.
type Setting struct {
	Algorithm    string   `json:"algorithm"`
	At           []string `json:"at"` // values by axis; empty where the algorithm does not depend on it
	Cost         float64  `json:"cost"`
	Figures      []Figure `json:"figures"`
	Replications int      `json:"replications"`
	Exact        bool     `json:"exact"`   // deterministic: one replication tells all
	Verdict      string   `json:"verdict"` // kept or broken on fresh seeds, or undecided
	Fresh        *Fresh   `json:"fresh"`   // null if it was tried on the seed of the search alone
	Front        bool     `json:"front"`   // no other setting is better in cost and in the metric of the tightest promise
}

// Alone is what one axis can do. From is the file's own value, and To the one of Setting.
type Alone struct {
	Axis    string   `json:"axis"`
	From    string   `json:"from"`
	To      string   `json:"to"`
	Outcome string   `json:"outcome"` // kept, broken or undecided
	Setting *Setting `json:"setting"` // the cheapest that keeps the promise, or the nearest; null if none is clearly nearer than the file's
}

// Figure is the figure of a metric with a promise.
type Figure struct {
	Metric   string  `json:"metric"`
	Mean     float64 `json:"mean"`
	Scenario string  `json:"scenario"`
}

// Fresh is what the fresh seeds say of a setting.
type Fresh struct {
	Seeds     int     `json:"seeds"`
	Kept      int     `json:"kept"`
	KeptLoPct float64 `json:"kept_lo_pct"` // 95 % interval of the share of all seeds that keep the promise
	KeptHiPct float64 `json:"kept_hi_pct"`
	Cost      float64 `json:"cost"` // mean over the seeds with figures
	Promises  []Held  `json:"promises"`
	NoData    string  `json:"no_data"` // why a seed has no figure; empty if all have
}

// Held is a promise on fresh seeds.
type Held struct {
	Promise
	Broken int     `json:"broken"` // on so many seeds
	Mean   float64 `json:"mean"`   // over the seeds with figures
	Worst  float64 `json:"worst"`  // of the means of the seeds
}

// Work is the work of the search in runs: one replication of a setting in one scenario.
type Work struct {
	Settings    int     `json:"settings"` // of the grid, without those that are the same
	Seen        int     `json:"seen"`     // of them, with at least one replication
	Searched    int64   `json:"searched"` // runs on the seed of the search
	Fresh       int64   `json:"fresh"`    // runs on fresh seeds
	Used        int64   `json:"used"`     // both
	Sweep       int64   `json:"sweep"`    // what every setting on one seed takes
	FullSeeds   int     `json:"full_seeds"`
	Full        int64   `json:"full"` // what every setting on full_seeds seeds takes
	OfFullPct   float64 `json:"used_of_full_pct"`
	OfSweepPct  float64 `json:"used_of_sweep_pct"`
	SearchedPct float64 `json:"searched_of_sweep_pct"`
}
