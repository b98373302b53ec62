package gate_test

import (
	"testing"

	"github.com/limitgauge/limitgauge/report/gate"
)

// TestStatuses checks what each status is called and whether it passes. One that is unknown is
// unevaluated, and only what is unevaluated can be excused.
func TestStatuses(t *testing.T) {
	for status, c := range map[gate.Status]struct {
		name  string
		holds bool
	}{
		-1:               {"unevaluated", false},
		gate.Unevaluated: {"unevaluated", false}, gate.Passed: {"passed", true}, gate.Failed: {"failed", false},
		gate.Improved: {"improved", true}, gate.Unchanged: {"unchanged", true},
		gate.Unchanged + 1: {"unevaluated", false}, 99: {"unevaluated", false},
	} {
		text, err := status.MarshalText()
		if err != nil || string(text) != c.name || status.String() != c.name || status.Holds() != c.holds {
			t.Errorf("status %d: %s, %s, holds %v", int(status), text, status, status.Holds())
		}
		v := gate.Verdict{Status: status, Allowed: true, Metric: "m"}
		if excused := status == gate.Unevaluated; v.Excused() != excused || (v.StatusText() == c.name+" (allowed)") != excused || (gate.Verdict{Status: status}).Excused() {
			t.Errorf("status %d, allowed: excused %v, %s", int(status), v.Excused(), v.StatusText())
		}
	}
}

// TestVerdictLines checks the line of a verdict of each kind, with all its parts and without.
func TestVerdictLines(t *testing.T) {
	half, one, two, better := 0.5, 1.0, 2.0, -3.0
	threshold := func(change func(v *gate.Verdict)) gate.Verdict {
		v := gate.Verdict{Algorithm: "a", Metric: "m", Op: "<=", Threshold: 2, Status: gate.Passed, Figure: &one, Seed: 7}
		change(&v)
		return v
	}
	baseline := func(c gate.Change) gate.Verdict {
		return gate.Verdict{Algorithm: "a", Metric: "m", Status: gate.Failed, Figure: &two, Seed: 7, Change: &c}
	}
	for _, c := range []struct {
		v    gate.Verdict
		want string
	}{
		{threshold(func(*gate.Verdict) {}), "expect passed: a m <= 2 (was 1, seed 7)"},
		{threshold(func(v *gate.Verdict) { v.BadEnd = &one }), "expect passed: a m <= 2 (was 1, seed 7)"},
		{threshold(func(v *gate.Verdict) { v.BadEnd = &two }), "expect passed: a m <= 2 (was 1, interval to 2, seed 7)"},
		{threshold(func(v *gate.Verdict) { v.BadEnd, v.Live = &two, true }), "expect passed: a m <= 2 (was 1, bound 2, seed 7)"},
		{threshold(func(v *gate.Verdict) { v.Note = "doubtful" }), "expect passed: a m <= 2 (was 1, doubtful, seed 7)"},
		{threshold(func(v *gate.Verdict) { v.Status, v.Reason = gate.Unevaluated, "no data" }), "expect unevaluated: a m <= 2 (no data; seed 7)"},
		{threshold(func(v *gate.Verdict) { v.Figure = nil }), "expect passed: a m <= 2 (no reason given; seed 7)"},
		{baseline(gate.Change{}), "baseline failed: a m (now 2, any change counts, seed 7)"},
		{baseline(gate.Change{Base: &half, Change: &one, MinEffect: 1, P: &half}), "baseline failed: a m (was 0.5, now 2, change +1, counts from 1, p 0.5, seed 7)"},
		{baseline(gate.Change{NotWorse: "5 %", Margin: &half}), "baseline failed: a m not worse by more than 5 % (now 2, allowed 0.5, seed 7)"},
		{baseline(gate.Change{NotWorse: "0.5", Margin: &half, Worst: &one, P: &half}), "baseline failed: a m not worse by more than 0.5 (now 2, worse by at most 1, allowed 0.5, seed 7)"},
		{baseline(gate.Change{NotWorse: "0.5", Margin: &half, Worst: &better}), "baseline failed: a m not worse by more than 0.5 (now 2, worse by at most 0, allowed 0.5, seed 7)"},
		{gate.Verdict{Status: gate.Failed, Reason: "broken"}, "failed: broken"},
	} {
		if got := c.v.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for want, c := range map[string]gate.Change{"any": {NotWorse: "5 %"}, "1": {MinEffect: 1, NotWorse: "5 %"}, "0.5": {MinEffect: 0.5, NotWorse: "5 %", Margin: &two}} {
		allowed := "5 %"
		if c.Margin != nil {
			allowed = "2"
		}
		if c.CountsFrom() != want || c.Allowed() != allowed {
			t.Errorf("counts from %s, allowed %s, want %s and %s", c.CountsFrom(), c.Allowed(), want, allowed)
		}
	}
	for want, v := range map[string]gate.Verdict{"": {Line: 1, Col: 1}, "f": {File: "f", Col: 1}, "f:1": {File: "f", Line: 1}, "f:1:1": {File: "f", Line: 1, Col: 1}, "f:2:3": {File: "f", Line: 2, Col: 3}} {
		if v.Position() != want {
			t.Errorf("at %q, want %q", v.Position(), want)
		}
	}
}

// TestCaughtText checks what a verdict says about the changes that its check catches.
func TestCaughtText(t *testing.T) {
	half, two := 0.5, 2.0
	for _, c := range []struct {
		change   gate.Change
		text, in string
	}{
		{gate.Change{}, "", ""},
		{gate.Change{Caught99: &two, LeastChanged: 3, Replications: 10}, "", ""},
		{gate.Change{Caught80: &half}, "any change for the worse is caught", "any"},
		{gate.Change{Caught80: &half, MinEffect: 0.25}, "each change for the worse of 0.25 is caught", "any"},
		{gate.Change{Caught80: &half, LeastChanged: 5, Replications: 10},
			"a change for the worse of 0.5 is caught with a probability of 80 %; a change in fewer than 5 of 10 replications is not caught", "5 of 10"},
		{gate.Change{Caught80: &half, Caught99: &two, LeastChanged: 1, Replications: 7, MinEffect: 0.25},
			"a change for the worse of 0.5 is caught with a probability of 80 %, of 2 with 99 %; a change in fewer than 1 of 7 replications is not caught", "1 of 7"},
		{gate.Change{Caught80: &half, Caught99: &two, AtLeast: true, LeastChanged: 5, Replications: 10},
			"a change for the worse of 0.5 is caught with a probability of at least 80 %, of 2 with at least 99 %; a change in fewer than 5 of 10 replications is not caught", "5 of 10"},
	} {
		if text, in := c.change.CaughtText(), c.change.InAtLeast(); text != c.text || in != c.in {
			t.Errorf("%+v: %q, in at least %q; want %q, %q", c.change, text, in, c.text, c.in)
		}
	}
}
