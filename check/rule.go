// Package check holds the rate limits that configurations of servers state: what each
// rule does, what is found about the rules, whom they would have refused in a log, and
// which request another configuration decides differently. Package check/read reads them.
//
// The package makes no promise: it can change at any time.
package check

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// Position is a place in a file. Col is 0 if the whole line is meant.
type Position struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"col,omitempty"`
}

func (p Position) String() string {
	if p.Col > 0 {
		return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// From writes the position as seen from another one: line 12 of the same file.
func (p Position) From(from Position) string {
	if p.File == from.File {
		return fmt.Sprintf("line %d", p.Line)
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Rule is one limit, as its file states it and as its server counts it.
type Rule struct {
	Position
	System    string  `json:"system"`
	Name      string  `json:"name"`
	Key       string  `json:"key"`        // as the file writes it; empty if it is not given
	Counts    string  `json:"counts"`     // what has a count of its own: each client address
	Rate      string  `json:"rate"`       // as the file writes it; empty if it is not given
	PerSecond float64 `json:"per_second"` // as the server counts it
	AtOnce    int64   `json:"at_once"`    // requests of an idle key that pass without waiting; -1 if it is not given
	Waiting   int64   `json:"waiting"`    // further ones that wait
	LongestMs int64   `json:"longest_wait_ms"`
	Status    int     `json:"status"`      // of a refused request; -1 if the connection is closed
	Held      bool    `json:"held"`        // a refused request is answered only after a time
	Only      bool    `json:"counts_only"` // it refuses and delays nothing
	Counter   string  `json:"counter"`     // rules with the same one share their counts
	Uses      []Use   `json:"uses"`
	Sentence  string  `json:"sentence"`

	Limit   counting.Limit              `json:"-"` // the zero Limit if the rate is not given
	Divided bool                        `json:"-"` // replicas divide what passes among them
	Before  bool                        `json:"-"` // of a server that counts what it refuses: a request is looked at before it counts, and does not if it is refused
	Forget  int64                       `json:"-"` // ns after its last request when a key is dropped, 0 for never
	Holds   int64                       `json:"-"` // keys that its counter holds at a time, 0 for all
	Options counting.LeakyBucketOptions `json:"-"`
	Of      Key                         `json:"-"`
	Adds    Key                         `json:"-"` // under which it counts a request, and none without one; a nil Value: Of
	If      Key                         `json:"-"` // which of the requests that it counts it refuses: those with a value; a nil Value: all
}

// Use is a place at which a rule is stated.
type Use struct {
	Position
	Where string `json:"where"` // location = /login (line 40)
}

// Key computes the key of a request.
type Key struct {
	Fields []string // of the request that the key depends on: client, host, header:x-api-key
	// Value returns the key, "" for a request that has none. It is nil if the key cannot
	// be computed; Why says the reason.
	Value func(field func(name string) string) string
	Why   string
}

// Part touches limits and is not judged.
type Part struct {
	What  string     `json:"what"`
	Why   string     `json:"why"`
	Lines []Position `json:"lines"`
}

// Place is where requests are handled, with the rules that a request must pass there, in
// order.
type Place struct {
	Name    string // location /api (line 12)
	Server  string // its name, "" if it has none
	Rules   []int  // indices of Config.Rules
	Only    bool   // they count only
	Steps   []Step // of a server that counts what it refuses, in order; nil for others
	Ordered bool   // a request is charged by each rule before it is looked at by the next; else by none if one refuses
}

// Step counts a request for a rule, or looks whether the rule refuses it.
type Step struct {
	Rule  int
	Count bool
	Quota bool // it refuses only if all quotas of the request do
}

// Said is what files of limits say, as documents show it.
type Said struct {
	Rules     []Rule    `json:"rules"`
	Findings  []Finding `json:"findings"`
	NotJudged []Part    `json:"not_judged"`
}

// Config is what files of limits say, and which rules apply to a request.
type Config struct {
	Said
	Places []Place
	// Fields are the fields of a request that Choose reads.
	Fields []string
	// Choose returns the index of the place that handles a request, -1 for none.
	Choose func(field func(name string) string) int
	// Doubt says what of the choice a log cannot show, such as the port; "" for nothing.
	// WithoutHost says which place is chosen if a log has no hosts; "" if none can be.
	Doubt, WithoutHost string
}

// Add adds what another configuration says. A log can be judged by the places of one that has
// rules; Choose becomes nil if both have.
func (all *Config) Add(c *Config) {
	switch {
	case len(all.Rules) > 0 && len(c.Rules) > 0:
		all.Choose = nil
	case len(all.Rules) == 0:
		all.Places, all.Fields, all.Choose, all.Doubt, all.WithoutHost = c.Places, c.Fields, c.Choose, c.Doubt, c.WithoutHost
	}
	all.Rules = append(all.Rules, c.Rules...)
	all.Findings = append(all.Findings, c.Findings...)
	all.NotJudged = append(all.NotJudged, c.NotJudged...)
}
