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
