package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/report/format"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Status is how one check fared. Unevaluated is not passed.
type Status int

const (
	Unevaluated Status = iota // the zero value: nothing was shown
	Passed                    // holds
	Failed
	Improved  // better than its baseline, by enough and not by chance: holds
	Unchanged // no different from its baseline: holds
)

func (s Status) String() string {
	switch s {
	case Passed:
		return "passed"
	case Failed:
		return "failed"
	case Improved:
		return "improved"
	case Unchanged:
		return "unchanged"
	}
	return "unevaluated"
}

// MarshalText writes the status as its word, in JSON too.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Holds reports whether the status keeps a gate from failing.
func (s Status) Holds() bool { return s == Passed || s == Improved || s == Unchanged }

// Verdict is one figure held against a threshold, or against the same figure of
// a baseline.
type Verdict struct {
	Scenario  string
	Algorithm string
	Metric    string
	Op        string  // of a threshold
	Threshold float64 // in the figure's unit
	Status    Status
	Figure    *float64 // the mean; nil without one
	BadEnd    *float64 // the end of the 95 % interval that was held against the threshold
	Seed      uint64
	File      string // the scenario file, where there is one
	Line      int    // where it states the threshold; 0 is unknown
	Col       int
	Reason    string      // why there is no verdict
	Note      string      // what else to know of the verdict, such as how many replications would be needed
	Allowed   bool        // it may stay unevaluated: whoever runs the gate said so
	Change    *BaseChange // of a comparison with a baseline; nil for a threshold
}

// BaseChange is a figure's change from its baseline.
type BaseChange struct {
	Base      *float64 `json:"base"`       // the baseline's mean; null without one
	Change    *float64 `json:"change"`     // figure - base, in the figure's unit
	P         *float64 `json:"p"`          // corrected for all comparisons; null where figures are compared exactly
	MinEffect float64  `json:"min_effect"` // the smallest change that counts, in the figure's unit
}

// excused reports whether the verdict is missing by permission.
func (v Verdict) excused() bool { return v.Status == Unevaluated && v.Allowed }

// kind is what the figure was held against: a threshold or a baseline; "run"
// stands for what concerns no figure alone.
func (v Verdict) kind() string {
	switch {
	case v.Change != nil:
		return "baseline"
	case v.Metric == "":
		return "run"
	}
	return "threshold"
}

// Check names what was checked, without how it fared: "gcra settle_s <= 2".
func (v Verdict) Check() string {
	switch v.kind() {
	case "baseline":
		return v.Algorithm + " " + v.Metric + " against the baseline"
	case "run":
		return "the whole run"
	}
	return fmt.Sprintf("%s %s %s %s", v.Algorithm, v.Metric, v.Op, format.Exact(v.Threshold))
}

// String says the verdict in one line: what was checked, figure, seed.
func (v Verdict) String() string {
	status := v.Status.String()
	if v.excused() {
		status += " (allowed)"
	}
	if v.kind() == "run" {
		return fmt.Sprintf("%s: %s", status, v.Reason)
	}
	if v.Change != nil {
		return fmt.Sprintf("baseline %s: %s %s (%s)", status, v.Algorithm, v.Metric, v.evidence())
	}
	return fmt.Sprintf("expect %s: %s (%s)", status, v.Check(), v.evidence())
}

// evidence is what the verdict rests on, or why there is none, and the seed.
func (v Verdict) evidence() string {
	var parts []string
	switch {
	case v.Status == Unevaluated || v.Figure == nil:
		reason := v.Reason
		if reason == "" {
			reason = "no reason given"
		}
		return fmt.Sprintf("%s; seed %d", reason, v.Seed)
	case v.Change != nil:
		parts = v.Change.words(*v.Figure)
	default:
		parts = append(parts, "was "+format.Beside(*v.Figure, v.Threshold))
		if v.BadEnd != nil && *v.BadEnd != *v.Figure {
			parts = append(parts, "interval to "+format.Beside(*v.BadEnd, v.Threshold))
		}
	}
	if v.Note != "" {
		parts = append(parts, v.Note)
	}
	return strings.Join(append(parts, fmt.Sprintf("seed %d", v.Seed)), ", ")
}

// words spell a change out.
func (c BaseChange) words(now float64) []string {
	parts := []string{"now " + format.Number(now)}
	if c.Base != nil {
		parts = []string{fmt.Sprintf("was %s, now %s", format.Beside(*c.Base, now), format.Beside(now, *c.Base))}
	}
	if c.Change != nil {
		parts = append(parts, "change "+format.Signed(*c.Change))
	}
	parts = append(parts, "counts from "+format.Number(c.MinEffect))
	if c.P != nil {
		parts = append(parts, "p "+format.Number(*c.P))
	}
	return parts
}

// MarshalJSON writes threshold and op of a threshold alone, and baseline of a
// comparison with one alone; kind says which it is.
func (v Verdict) MarshalJSON() ([]byte, error) {
	line := struct {
		Kind      string      `json:"kind"` // threshold | baseline | run
		Scenario  string      `json:"scenario"`
		Algorithm string      `json:"algorithm"`
		Metric    string      `json:"metric"`
		Op        string      `json:"op,omitempty"`
		Threshold *float64    `json:"threshold,omitempty"`
		Status    Status      `json:"status"`
		Allowed   bool        `json:"allowed,omitempty"`
		Figure    *float64    `json:"figure"`
		BadEnd    *float64    `json:"bad_end"`
		Baseline  *BaseChange `json:"baseline,omitempty"`
		Seed      uint64      `json:"seed"`
		File      string      `json:"file,omitempty"`
		Line      int         `json:"line"`
		Col       int         `json:"col"`
		Reason    string      `json:"reason,omitempty"`
		Note      string      `json:"note,omitempty"`
	}{
		Kind: v.kind(), Scenario: v.Scenario, Algorithm: v.Algorithm, Metric: v.Metric,
		Status: v.Status, Allowed: v.excused(), Figure: v.Figure, BadEnd: v.BadEnd, Baseline: v.Change,
		Seed: v.Seed, File: v.File, Line: v.Line, Col: v.Col, Reason: v.Reason, Note: v.Note,
	}
	if line.Kind == "threshold" {
		line.Op, line.Threshold = v.Op, &v.Threshold
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false) // <= reads as it is written
	err := enc.Encode(line)
	return out.Bytes(), err
}

// Verdicts are all of a gate's checks, evaluated once: every format and the
// exit code read the same ones.
type Verdicts struct {
	List    []Verdict
	Partial bool             // the document's run was interrupted
	Stamp   results.Stamp    // what made the document
	Metrics []catalog.Metric // units and directions, for formats that state them
}

// all are the verdicts that decide: List, and one more where something besides
// them keeps the gate from passing. Formats list all of them, so that whoever
// reads nothing but the list comes to the same outcome.
func (v Verdicts) all() []Verdict {
	all := make([]Verdict, 0, len(v.List)+1)
	excused := 0
	for _, one := range v.List {
		if one.Status != Failed && !one.Status.Holds() {
			one.Status = Unevaluated
		}
		if one.excused() {
			excused++
		}
		all = append(all, one)
	}
	reason := ""
	switch {
	case v.Partial:
		reason = "the run was interrupted, so what is missing is unevaluated"
	case len(all) == 0:
		reason = nothingToCheck
	case excused == len(all):
		reason = "nothing was evaluated: all that could not be is allowed to be missing"
	}
	if reason != "" {
		all = append(all, Verdict{Scenario: "gate", Seed: v.Stamp.Seed, Reason: reason})
	}
	return all
}

const nothingToCheck = "nothing to check: no scenario states an expect"

// Count returns how many verdicts have the status; an interrupted run, or one
// with nothing to check, is one more that is unevaluated.
func (v Verdicts) Count(s Status) (n int) {
	for _, one := range v.all() {
		if one.Status == s {
			n++
		}
	}
	return n
}

// Outcome sums up: Failed if anything failed; else Unevaluated if anything
// could not be evaluated and is not allowed to, if nothing was evaluated, or if
// the run was interrupted, which may hide scenarios with checks of their own;
// Passed only if all else holds.
func (v Verdicts) Outcome() Status {
	outcome := Passed
	for _, one := range v.all() {
		switch {
		case one.Status == Failed:
			return Failed
		case one.Status == Unevaluated && !one.Allowed:
			outcome = Unevaluated
		}
	}
	return outcome
}

// Summary is the outcome in one line, with what kept it from passing.
func (v Verdicts) Summary() string {
	if len(v.List) == 0 && !v.Partial {
		return "unevaluated: " + nothingToCheck
	}
	text := fmt.Sprintf("%s: %d passed, %d failed, %d unevaluated",
		v.Outcome(), v.Count(Passed), v.Count(Failed), v.Count(Unevaluated))
	excused := 0
	for _, one := range v.all() {
		if one.excused() {
			excused++
		}
	}
	if excused > 0 {
		text += fmt.Sprintf(" (%d allowed)", excused)
	}
	for _, s := range []Status{Improved, Unchanged} {
		if n := v.Count(s); n > 0 {
			text += fmt.Sprintf(", %d %s", n, s)
		}
	}
	if v.Partial {
		text += "; the run was interrupted, so what is missing is unevaluated"
	}
	return text
}
