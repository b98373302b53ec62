package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Verdicts holds all checks of a gate. Every output format and the exit code
// read the same ones.
type Verdicts struct {
	List    []Verdict
	Stopped []Verdict        // checks of the run that keep the gate from judging it: a refused baseline, an invalid file
	Partial bool             // the run behind the document was interrupted
	Stamp   results.Stamp    // of the document
	Metrics []catalog.Metric // units and directions, for formats that state them
	Took    Took             // for formats that state how long the run took
}

const (
	nothingToCheck = "nothing to check: no scenario states an expect"
	interrupted    = "the run was interrupted, so what is missing is unevaluated"
)

// Stop returns a check of the run that could not be evaluated: what names it, reason
// says what is wrong.
func Stop(what, reason string) Verdict {
	return Verdict{Scenario: "gate", What: what, Status: Unevaluated, Reason: reason}
}

// All returns the verdicts that determine the outcome: List, Stopped, and one more if
// something else keeps the gate from passing. Every format lists all of them,
// so that a reader of the list alone reaches the same outcome.
func (v Verdicts) All() []Verdict {
	all := make([]Verdict, 0, len(v.List)+len(v.Stopped)+1)
	excused := 0
	for _, one := range slices.Concat(v.List, v.Stopped) {
		if one.Status != Failed && !one.Status.Holds() {
			one.Status = Unevaluated
		}
		if one.Kind() == Run {
			one.Seed = v.Stamp.Seed
		}
		if one.Excused() {
			excused++
		}
		all = append(all, one)
	}
	reason, what := "", ""
	switch {
	case v.Partial:
		reason, what = interrupted, "interrupted"
	case len(all) == 0:
		reason = nothingToCheck
	case excused == len(all):
		reason = "nothing was evaluated: all that could not be is allowed to be missing"
	}
	if reason != "" {
		all = append(all, Verdict{Scenario: "gate", Seed: v.Stamp.Seed, What: what, Reason: reason})
	}
	return all
}

// Open returns the verdicts that keep the gate from passing, failures first.
func (v Verdicts) Open() []Verdict {
	all := v.All()
	failed := lists.Where(all, func(one Verdict) bool { return one.Status == Failed })
	return append(failed, lists.Where(all, func(one Verdict) bool { return one.Status == Unevaluated && !one.Excused() })...)
}

// Lines returns the verdicts of List that hold, and the others, each in one line.
// Expectations that follow each other and are unevaluated for the same reason share a
// line. missed counts the others.
func (v Verdicts) Lines() (held, open []string, missed int) {
	for i := 0; i < len(v.List); {
		one := v.List[i]
		checks := []string{one.Check()}
		for i++; i < len(v.List) && one.unevaluatedLike(v.List[i]); i++ {
			checks = append(checks, v.List[i].Check())
		}
		switch {
		case one.Status.Holds():
			held = append(held, one.String())
			continue
		case len(checks) == 1:
			open = append(open, one.String())
		default:
			open = append(open, fmt.Sprintf("%d expectations %s (%s): %s", len(checks), one.StatusText(), one.Evidence(), strings.Join(checks, ", ")))
		}
		missed += len(checks)
	}
	return held, open, missed
}

// unevaluatedLike reports whether both verdicts are about expectations and
// unevaluated for the same reason.
func (v Verdict) unevaluatedLike(other Verdict) bool {
	return v.Kind() == Threshold && other.Kind() == Threshold && v.Status == Unevaluated &&
		v.StatusText() == other.StatusText() && v.Evidence() == other.Evidence()
}

// Count returns how many of All have the status.
func (v Verdicts) Count(s Status) int {
	return v.count(func(one Verdict) bool { return one.Status == s })
}

func (v Verdicts) count(wanted func(Verdict) bool) int { return len(lists.Where(v.All(), wanted)) }

// Outcome returns Failed if a check failed. Otherwise it returns Unevaluated if
// a check could not be evaluated and is not allowed to be missing, if no check
// was evaluated, or if the run was interrupted, which may hide scenarios with
// checks of their own. Otherwise it returns Passed.
func (v Verdicts) Outcome() Status {
	open := v.Open()
	if len(open) == 0 {
		return Passed
	}
	return open[0].Status
}

// Summary returns the outcome in one line, with the counts behind it.
func (v Verdicts) Summary() string {
	if len(v.List)+len(v.Stopped) == 0 && !v.Partial {
		return "unevaluated: " + nothingToCheck
	}
	text := fmt.Sprintf("%s: %d passed, %d failed, %d unevaluated",
		v.Outcome(), v.Count(Passed), v.Count(Failed), v.Count(Unevaluated))
	if excused := v.count(Verdict.Excused); excused > 0 {
		text += fmt.Sprintf(" (%d allowed)", excused)
	}
	for _, s := range []Status{Improved, Unchanged} {
		if n := v.Count(s); n > 0 {
			text += fmt.Sprintf(", %d %s", n, s)
		}
	}
	if v.Partial {
		text += "; " + interrupted
	}
	return text
}
