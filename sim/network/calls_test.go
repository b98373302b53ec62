package network

import (
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// testCalls returns calls with round trips of 11 ns and a timeout of 20 ns.
func testCalls(t *testing.T, agenda *Agenda, list ...scenarios.Fault) *Calls[int] {
	t.Helper()
	c := NewCalls[int](testTrial(t, list...), agenda, 20, func(int64, int32, int32) {})
	return &c
}

// A call has a request and a response, or fails at its timeout. Faults of
// background messages affect it only if it is one.
func TestCalls(t *testing.T) {
	always := catalog.Value{V: units.Fraction{Num: 1, Den: 1}}
	lost := fault("report-loss", 0, 1000, catalog.Values{"p": always})
	late := fault("report-delay", 0, 1000, catalog.Values{"p": always, "delay": {V: int64(8)}})
	partition := fault("partition", 0, 1000, catalog.Values{"clients": {V: []any{int64(2)}}})
	for name, x := range map[string]struct {
		faults     []scenarios.Fault
		background bool
		want       []engine.Event // times and kinds
	}{
		"answered":             {nil, true, []engine.Event{{Time: 105, Kind: RequestArrives}, {Time: 111, Kind: ResponseArrives}}},
		"lost":                 {[]scenarios.Fault{lost}, true, []engine.Event{{Time: 120, Kind: CallFails}}},
		"not background":       {[]scenarios.Fault{lost}, false, []engine.Event{{Time: 105, Kind: RequestArrives}, {Time: 111, Kind: ResponseArrives}}},
		"response too late":    {[]scenarios.Fault{late}, true, []engine.Event{{Time: 113, Kind: RequestArrives}, {Time: 120, Kind: CallFails}}},
		"without connectivity": {[]scenarios.Fault{partition}, false, []engine.Event{{Time: 120, Kind: CallFails}}},
	} {
		var agenda Agenda
		c := testCalls(t, &agenda, x.faults...)
		c.Background = x.background
		c.Send(100, c.Add(Call[int]{Client: 2, Body: 7}), func(body int) int { return body })
		for i, want := range x.want {
			if agenda.Next() == engine.Never {
				t.Fatalf("%s: event %d is missing", name, i)
			}
			e := agenda.Pop()
			if e.Time != want.Time || e.Kind != want.Kind {
				t.Errorf("%s: event %d is of kind %d at %d, want %d at %d", name, i, e.Kind, e.Time, want.Kind, want.Time)
			}
			if e.Kind == RequestArrives {
				c.Respond(e.Time, e.Ref)
			} else {
				c.Release(e.Ref)
			}
		}
		if agenda.Next() != engine.Never {
			t.Errorf("%s: another event at %d", name, agenda.Next())
		}
	}
}

// The network can duplicate a request. The server gets a copy of the body, and
// no response to the duplicate arrives.
func TestCallsDuplicate(t *testing.T) {
	always := catalog.Value{V: units.Fraction{Num: 1, Den: 1}}
	var agenda Agenda
	c := testCalls(t, &agenda, fault("report-duplicate", 0, 1000, catalog.Values{"p": always}))
	c.Background = true
	c.Send(100, c.Add(Call[int]{Body: 7}), func(body int) int { return body + 1 })
	var kinds []uint32
	for agenda.Next() != engine.Never {
		e := agenda.Pop()
		kinds = append(kinds, e.Kind)
		if e.Kind == ResponseArrives {
			c.Release(e.Ref)
			continue
		}
		if want := 6 + len(kinds); c.At(e.Ref).Body != want {
			t.Errorf("the body of request %d is %d, want %d", len(kinds), c.At(e.Ref).Body, want)
		}
		c.Respond(e.Time, e.Ref)
	}
	if a, b := c.Take(), c.Take(); len(kinds) != 3 || kinds[2] != ResponseArrives || a+b != 0+1 {
		t.Errorf("events of kinds %v, the next calls are %d and %d", kinds, a, b)
	}
}

// Clients take the servers in turn, and skip those that are known to be down.
func TestRotation(t *testing.T) {
	trial := testTrial(t, fault("server-crash", 50, 0, catalog.Values{"server": {V: int64(1)}, "noticed_after": {V: int64(10)}, "down_for": {V: int64(100)}}))
	trial.Scenario.Topology.Servers = 3
	r := NewRotation(trial.Setting)
	for i, x := range []struct {
		now  int64
		want int32
	}{{0, 1}, {0, 2}, {55, 0}, {55, 1}, {60, 2}, {60, 0}, {60, 2}, {150, 0}, {150, 1}} {
		if server := r.Next(x.now, 1); server != x.want {
			t.Errorf("call %d at %d goes to server %d, want %d", i, x.now, server, x.want)
		}
	}
}
