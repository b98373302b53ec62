package limiters

import (
	"errors"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/settlement"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// TestPoliciesThatCountRequests tries all places of a policy that counts requests, and all
// that can forbid one. Without such a policy nothing does.
func TestPoliciesThatCountRequests(t *testing.T) {
	for n := range 1 << 4 {
		is := func(bit int) bool { return n>>bit&1 == 1 }
		can, queue, late, drains := is(0), is(1), is(2), is(3)
		l := &engine.Limiter{CountsRequests: can}
		a := &scenarios.Algorithm{Name: "tested", Counter: "token-bucket", Options: catalog.Values{}}
		if queue {
			a.Counter = "leaky-bucket"
		}
		if drains {
			a.Options["refusal"] = catalog.Value{V: "drains", Given: true}
		}
		why := ""
		switch {
		case !can || queue:
			why = "tested cannot do beside their cost"
		case late:
			why = "beside costs that become known with the answer"
		case drains:
			why = "with refusal: drains"
		}
		for at := -1; at < 3; at++ {
			s := &engine.Setting{Policies: make([]engine.Policy, 3), Settles: late}
			want := why
			if at < 0 {
				want = ""
			} else {
				s.Policies[at] = engine.Policy{Name: "counted", Requests: true}
			}
			err := checkRequests(s, a, l)
			if (err == nil) != (want == "") || err != nil && !(strings.Contains(err.Error(), "policy counted counts requests") && strings.Contains(err.Error(), want)) {
				t.Errorf("combination %04b, policy %d: %v, want %q", n, at, err, want)
			}
		}
	}
}

// TestCheck tries all combinations of what a limiter declares and what a scenario asks
// for: Check returns the error of the first rule that they break, and only then one.
func TestCheck(t *testing.T) {
	before := all
	defer func() { all = before }()
	choice := func(name string, v catalog.Values) catalog.Value {
		return catalog.Value{V: catalog.Choice{Name: name, Values: v}, Given: true}
	}
	own := errors.New("its own rule")
	for n := range 1 << 10 {
		is := func(bit int) bool { return n>>bit&1 == 1 }
		multi, onePolicy, late, settles, broken, below, servers, badHop, sidecar, badSidecar := is(0), is(1), is(2), is(3), is(4), is(5), is(6), is(7), is(8), is(9)
		l := &engine.Limiter{Entry: catalog.Entry{Name: "tested"}, Settles: settles, Sidecar: sidecar, Check: func(*engine.Setting, *scenarios.Algorithm) error {
			if broken {
				return own
			}
			return nil
		}}
		if onePolicy {
			l.OnePolicy = "it has one"
		}
		if servers {
			l.Servers = engine.TopologyServers
		}
		all = []*engine.Limiter{l}
		s := &engine.Setting{Scenario: &scenarios.Scenario{Traffic: []scenarios.Traffic{{Name: "tokens", Cost: catalog.Choice{Name: "estimated"}}}}, Settles: late, MaxCost: 10}
		s.Scenario.Topology.Network = catalog.Choice{Name: "constant"}
		a := &scenarios.Algorithm{Enforcement: "tested", Options: catalog.Values{}}
		if multi {
			s.Policies = []engine.Policy{{}, {}}
		}
		if below {
			a.Options["settle"] = choice(settlement.ReserveMaximum, catalog.Values{"maximum": {V: int64(9), Given: true}})
		}
		if badHop {
			s.Scenario.Topology.Network.Name = "bad hop"
		}
		if badSidecar {
			a.Options["sidecar"] = choice("bad sidecar", nil)
		}
		want := ""
		switch {
		case multi && onePolicy:
			want = "it has one"
		case late && !settles:
			want = "those of tokens become known with the answer"
		case broken:
			want = "its own rule"
		case settles && below:
			want = "below the largest cost"
		case servers && badHop:
			want = `"bad hop"`
		case sidecar && badSidecar:
			want = `sidecar: latency kind "bad sidecar"`
		}
		if err := Check(s, a); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Fatalf("combination %010b: %v, want %q", n, err, want)
		}
	}
}
