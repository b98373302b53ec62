package network

import (
	"testing"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
)

const testArrival uint32 = 1

// testTrial returns a trial with 4 clients, round trips of 11 ns and the faults of
// a scenario.
func testTrial(t *testing.T, list ...scenarios.Fault) *engine.Trial {
	t.Helper()
	timeline, err := faults.Compile(list, faults.World{Clients: 4, Servers: 1, End: 1000,
		Stream: func(name string) random.Stream { return random.New(1, 0, name) }})
	if err != nil {
		t.Fatal(err)
	}
	scenario := &scenarios.Scenario{}
	scenario.Topology.Clients, scenario.Topology.Servers = 4, 1
	scenario.Topology.Network = catalog.Choice{Name: "constant", Values: catalog.Values{"time": {V: int64(11)}}}
	return &engine.Trial{Setting: &engine.Setting{Scenario: scenario, Faults: timeline}, Algorithm: &scenarios.Algorithm{}}
}

func testMessages(t *testing.T, list ...scenarios.Fault) *Messages[int] {
	t.Helper()
	return NewMessages[int](testTrial(t, list...), 1, nil, nil)
}

// applyFaults applies the faults up to now and returns the times of the changes.
func (m *Messages[P]) applyFaults(now int64) (times []int64) {
	for m.NextChange <= now {
		times = append(times, m.Advance().At)
	}
	return times
}

// A message arrives once at each receiver after half a round trip, all of them
// can read it, and then its place is free.
func TestMessagesFanOut(t *testing.T) {
	m := testMessages(t)
	first, payload := m.New()
	*payload = 42
	for to := range int32(3) {
		if roundTrip, arrives := m.Send(100, testArrival, 3, to, first); roundTrip != 11 || !arrives {
			t.Fatalf("the round trip takes %d, arrives %v", roundTrip, arrives)
		}
	}
	m.Discard(first) // in flight: stays
	for want := range int32(3) {
		if m.Next() != 105 {
			t.Fatalf("the next copy arrives at %d", m.Next())
		}
		d := m.Receive(m.Pop().Ref)
		if d.To != want || d.From != 3 || d.Sent != 100 || d.Back != 6 || *m.Payload(d.Message) != 42 {
			t.Fatalf("copy %d: %+v with %d", want, d, *m.Payload(d.Message))
		}
		m.Done(d)
	}
	if m.Next() != engine.Never {
		t.Error("a fourth copy arrives")
	}
	if again, _ := m.New(); again != first {
		t.Errorf("message %d is used again, want %d", again, first)
	}
	if next, _ := m.New(); next != first+1 {
		t.Errorf("message %d is new, want %d", next, first+1)
	}
}

func fault(kind string, from, to int64, values catalog.Values) scenarios.Fault {
	return scenarios.Fault{Kind: kind, From: from, To: to, Values: values}
}

// A client without connectivity neither sends nor receives new messages, but
// those in flight arrive. A server always has connectivity itself.
func TestMessagesPartition(t *testing.T) {
	m := testMessages(t, fault("partition", 200, 300, catalog.Values{"clients": {V: []any{int64(1)}}}))
	for _, x := range []struct {
		at       int64
		from, to int32
		want     bool
	}{{199, 1, 2, true}, {200, 1, 2, false}, {200, 2, 1, false}, {200, 2, 3, true}, {250, 1, Server, false}, {250, 0, Server, true}, {300, 1, 2, true}} {
		number, _ := m.New()
		if _, arrives := m.Send(x.at, testArrival, x.from, x.to, number); arrives != x.want {
			t.Errorf("at %d from %d to %d: arrives %v", x.at, x.from, x.to, arrives)
		}
	}
	m.applyFaults(199)
	for _, want := range []int64{200, 300} {
		if m.NextChange != want {
			t.Errorf("faults change at %d, want %d", m.NextChange, want)
		}
		m.applyFaults(want)
	}
}

// Lost messages do not arrive. Duplicates arrive at the same time, the second
// copy marked. Delayed messages arrive later.
func TestMessagesOutcomes(t *testing.T) {
	always := catalog.Value{V: units.Fraction{Num: 1, Den: 1}}
	for name, x := range map[string]struct {
		fault scenarios.Fault
		times []int64
	}{
		"lost":  {fault("report-loss", 0, 1000, catalog.Values{"p": always}), nil},
		"twice": {fault("report-duplicate", 0, 1000, catalog.Values{"p": always}), []int64{5, 5}},
		"late":  {fault("report-delay", 0, 1000, catalog.Values{"p": always, "delay": {V: int64(100)}}), []int64{105}},
	} {
		m := testMessages(t, x.fault)
		number, _ := m.New()
		m.Send(0, testArrival, 0, 1, number)
		m.Discard(number)
		for i, want := range x.times {
			e := m.Pop()
			if e.Time != want || e.Kind != testArrival {
				t.Fatalf("%s: copy %d arrives at %d, want %d", name, i, e.Time, want)
			}
			d := m.Receive(e.Ref)
			if d.Duplicate != (i == 1) {
				t.Errorf("%s: copy %d is marked as a duplicate: %v", name, i, d.Duplicate)
			}
			m.Done(d)
		}
		if again, _ := m.New(); m.Agenda.Next() != engine.Never || again != number {
			t.Errorf("%s: the next event is at %d, message %d is used again, want %d", name, m.Agenda.Next(), again, number)
		}
	}
}
