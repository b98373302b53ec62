// Package gate judges results documents: it evaluates the thresholds that
// scenarios state, and its subpackages compare documents with a baseline and
// with one another. It renders nothing; package report/verdicts writes verdicts
// in every output format.
//
// The package makes no promise: it can change at any time.
package gate

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
)

// Status is the outcome of one check. Unevaluated is not passed.
type Status int

const (
	Unevaluated Status = iota // the zero value: the check has no outcome
	Passed
	Failed
	Improved  // better than the baseline, by enough and not by chance: passes
	Unchanged // equal to the baseline in every replication: passes
)

var statusNames = [...]string{"unevaluated", "passed", "failed", "improved", "unchanged"}

// String returns the status as every format writes it. An unknown status is
// unevaluated.
func (s Status) String() string {
	if s < 0 || int(s) >= len(statusNames) {
		s = Unevaluated
	}
	return statusNames[s]
}

// MarshalText writes the status as its name, in JSON too.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Holds reports whether the check passes.
func (s Status) Holds() bool { return s == Passed || s == Improved || s == Unchanged }

// Kind states what a verdict compares a metric with.
type Kind string

const (
	Threshold Kind = "threshold"
	Baseline  Kind = "baseline"
	Run       Kind = "run" // no figure: the verdict concerns the whole run
)

// Verdict is the outcome of comparing one figure with a threshold, or with the
// same figure of a baseline.
type Verdict struct {
	Scenario  string
	Algorithm string
	Metric    string
	Op        string  // of a threshold
	Threshold float64 // in the figure's unit
	Status    Status
	Figure    *float64 // the mean; nil if there is none
	BadEnd    *float64 // the bound of the 95 % interval that was compared with the threshold
	Live      bool     // of a real limiter, with bounds in place of an interval
	Seed      uint64
	File      string // the scenario file; "" if unknown
	Line      int    // position of the threshold in File; 0 if unknown
	Col       int
	Reason    string  // why the check is unevaluated, or what a check of the run found
	What      string  // names a check of the run, such as "baseline"; "" is the whole run
	Note      string  // how a baseline comparison was judged, or why the interval may say too much
	Allowed   bool    // the check may stay unevaluated: --allow-unevaluated is set
	Change    *Change // of a comparison with a baseline; nil for a threshold
}

// Change is the change of a figure from its baseline.
type Change struct {
	Base      *float64 `json:"base"`                // the baseline's mean; null if there is none
	Change    *float64 `json:"change"`              // figure - base, in the figure's unit
	P         *float64 `json:"p"`                   // corrected for all comparisons; null for deterministic figures
	MinEffect float64  `json:"min_effect"`          // the smallest change that counts, in the figure's unit
	NotWorse  string   `json:"not_worse,omitempty"` // by how much the figure may be worse, as stated: "5 %" of the base, or "0.5"; the verdict is then proof, not absence of it
	Margin    *float64 `json:"margin,omitempty"`    // the same in the figure's unit; null without a base
	Worst     *float64 `json:"worst,omitempty"`     // by how much it may be worse at the bad end of the change's 95 % interval
	// Caught80 and Caught99 are the smallest changes for the worse that would have
	// failed with a probability of 80 % and 99 %, in the figure's unit; null if no
	// change would have.
	Caught80 *float64 `json:"caught_80"`
	Caught99 *float64 `json:"caught_99"`
	AtLeast  bool     `json:"caught_at_least"` // the probabilities are lower bounds, because nothing changed that shows the noise
	// Compared is how the figures were compared: directly, paired, unpaired, or against an
	// exact figure. It is "" if they could not be.
	Compared     string `json:"compared,omitempty"`
	Replications int    `json:"replications,omitempty"`  // that were compared
	LeastChanged int    `json:"least_changed,omitempty"` // a change in fewer of the replications is not caught; 0 if each is
}

// Kind returns what the verdict compares its figure with.
func (v Verdict) Kind() Kind {
	switch {
	case v.Change != nil:
		return Baseline
	case v.Metric == "":
		return Run
	}
	return Threshold
}

// Excused reports whether the verdict is unevaluated and allowed to be.
func (v Verdict) Excused() bool { return v.Status == Unevaluated && v.Allowed }

// Check names the check without its outcome: "gcra settle_s <= 2".
func (v Verdict) Check() string {
	switch v.Kind() {
	case Baseline:
		if v.Change.NotWorse != "" {
			return fmt.Sprintf("%s %s not worse by more than %s", v.Algorithm, v.Metric, v.Change.NotWorse)
		}
		return v.Algorithm + " " + v.Metric + " against the baseline"
	case Run:
		return cmp.Or(v.What, "the whole run")
	}
	return fmt.Sprintf("%s %s %s %s", v.Algorithm, v.Metric, v.Op, format.Exact(v.Threshold))
}

// StatusText returns the status, and whether it is excused.
func (v Verdict) StatusText() string {
	if v.Excused() {
		return v.Status.String() + " (allowed)"
	}
	return v.Status.String()
}

// String returns the verdict in one line: check, figure, seed.
func (v Verdict) String() string {
	switch v.Kind() {
	case Run:
		return fmt.Sprintf("%s: %s", v.StatusText(), v.Reason)
	case Baseline:
		what := v.Algorithm + " " + v.Metric
		if v.Change.NotWorse != "" {
			what = v.Check()
		}
		return fmt.Sprintf("baseline %s: %s (%s)", v.StatusText(), what, v.Evidence())
	}
	return fmt.Sprintf("expect %s: %s (%s)", v.StatusText(), v.Check(), v.Evidence())
}

// Evidence returns the numbers behind the verdict, or why there are none, and
// the seed. For a verdict on the whole run it returns the reason alone.
func (v Verdict) Evidence() string {
	var parts []string
	switch {
	case v.Kind() == Run:
		return v.Reason
	case v.Status == Unevaluated || v.Figure == nil:
		return fmt.Sprintf("%s; seed %d", cmp.Or(v.Reason, "no reason given"), v.Seed)
	case v.Change != nil:
		parts = v.Change.parts(*v.Figure)
	default:
		parts = append(parts, "was "+format.Beside(*v.Figure, v.Threshold))
		if v.BadEnd != nil && *v.BadEnd != *v.Figure {
			end := "interval to "
			if v.Live {
				end = "bound " // no interval: certainly
			}
			parts = append(parts, end+format.Beside(*v.BadEnd, v.Threshold))
		}
	}
	if v.Note != "" {
		parts = append(parts, v.Note)
	}
	return strings.Join(append(parts, fmt.Sprintf("seed %d", v.Seed)), ", ")
}

// CaughtText returns which changes the check catches, or "" if that is not known.
func (c Change) CaughtText() string {
	switch {
	case c.Caught80 == nil:
		return ""
	case c.LeastChanged == 0 && c.MinEffect == 0:
		return "any change for the worse is caught"
	case c.LeastChanged == 0:
		return fmt.Sprintf("each change for the worse of %s is caught", format.Number(c.MinEffect))
	}
	atLeast := ""
	if c.AtLeast {
		atLeast = "at least "
	}
	text := fmt.Sprintf("a change for the worse of %s is caught with a probability of %s80 %%", format.Number(*c.Caught80), atLeast)
	if c.Caught99 != nil {
		text += fmt.Sprintf(", of %s with %s99 %%", format.Number(*c.Caught99), atLeast)
	}
	return text + fmt.Sprintf("; a change in fewer than %s replications is not caught", c.InAtLeast())
}

// Directly is how figures are compared if nothing random differs.
const Directly = "directly"

// PText returns p, and how the figures were compared if not in pairs.
func (c Change) PText() string {
	p := format.Optional(c.P, format.Number)
	switch c.Compared {
	case Directly:
		return "direct"
	case "", "paired":
		return p
	}
	return p + " " + c.Compared
}

// InAtLeast returns in how many replications a figure must change for the change to be
// caught, "" if that is not known.
func (c Change) InAtLeast() string {
	switch {
	case c.Caught80 == nil:
		return ""
	case c.LeastChanged == 0:
		return "any"
	}
	return fmt.Sprintf("%d of %d", c.LeastChanged, c.Replications)
}

// CountsFrom returns the smallest change that counts, "any" if every change does.
func (c Change) CountsFrom() string {
	if c.MinEffect == 0 {
		return "any"
	}
	return format.Number(c.MinEffect)
}

// Allowed returns by how much the figure may be worse: in its unit, or as stated if the
// base is not known.
func (c Change) Allowed() string {
	if c.Margin == nil {
		return c.NotWorse
	}
	return format.Number(*c.Margin)
}

// parts returns the numbers of a change as phrases.
func (c Change) parts(now float64) []string {
	parts := []string{"now " + format.Number(now)}
	if c.Base != nil {
		parts = []string{fmt.Sprintf("was %s, now %s", format.Beside(*c.Base, now), format.Beside(now, *c.Base))}
	}
	if c.Change != nil {
		parts = append(parts, "change "+format.Signed(*c.Change))
	}
	if c.Margin != nil {
		if c.Worst != nil {
			parts = append(parts, "worse by at most "+format.Number(max(0, *c.Worst)))
		}
		return append(parts, "allowed "+format.Number(*c.Margin))
	}
	if c.MinEffect == 0 {
		parts = append(parts, "any change counts")
	} else {
		parts = append(parts, "counts from "+format.Number(c.MinEffect))
	}
	if c.P != nil {
		parts = append(parts, "p "+format.Number(*c.P))
	}
	return parts
}

// Position returns file:line:col, as far as it is known.
func (v Verdict) Position() string {
	switch {
	case v.File == "" || v.Line == 0:
		return v.File
	case v.Col == 0:
		return fmt.Sprintf("%s:%d", v.File, v.Line)
	}
	return fmt.Sprintf("%s:%d:%d", v.File, v.Line, v.Col)
}
