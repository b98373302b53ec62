package trial

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/live/send"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// TestPlan checks that a plan has requests, and that an error says why there is none.
func TestPlan(t *testing.T) {
	for _, c := range []struct {
		rate string
		caps send.Caps
		want string // of the error
	}{
		{"200/s", send.Caps{}, ""},
		{"1/24h", send.Caps{}, "scenario s has no requests"},
		{"200/s", send.Caps{PerSecond: 1}, "more than 1 request within the second"},
		{"1/24h", send.Caps{PerSecond: -1}, "the cap on requests per second is -1"},
	} {
		f, problems := scenarios.Load("s", []byte(`{"version": 1, "duration": "2s", "scenarios": [{"name": "s", "policy": {"limit": "100/s"},
			"traffic": [{"pattern": "poisson", "rate": "`+c.rate+`"}], "algorithms": ["token-bucket"]}]}`), ".", sim.Catalog())
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		planned, err := (&Trial{File: f, Caps: c.caps}).Plan(t.Context())
		if c.want == "" && (err != nil || len(planned) == 0) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %d requests, %v", c, len(planned), err)
		}
	}
}

// What cannot be judged is found before anything is sent.
func TestPlanIsJudgeable(t *testing.T) {
	for _, c := range []struct {
		limit string
		trial Trial
		want  string // of the error
	}{
		{"100/s", Trial{Promise: "bucket", ResolutionNs: 1e9}, ""},
		{"100/s", Trial{Promise: "sliding", ResolutionNs: 1e9 + 1}, "resolution of 1000000001 ns is outside 0 to the window of 1000000000 ns"},
		{"999999937/s", Trial{Promise: "sliding"}, ""},
		{"999999937/s", Trial{Promise: "bucket"}, "cannot be judged exactly at 999999937 per 1000000000 ns"},
	} {
		f, problems := scenarios.Load("s", []byte(`{"version": 1, "duration": "4s", "scenarios": [{"name": "s", "policy": {"limit": "`+c.limit+`", "burst": 5},
			"traffic": [{"pattern": "constant", "rate": "10/s"}], "algorithms": ["token-bucket"]}]}`), ".", sim.Catalog())
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		c.trial.File = f
		if _, err := c.trial.Plan(t.Context()); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %+v: %v", c.limit, c.trial, err)
		}
	}
}
