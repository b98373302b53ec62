package network

import (
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/random"
)

const testArrival uint32 = 1

// testWire is a wire whose calls take 10 ns, under the faults of a scenario.
func testWire(t *testing.T, list ...scenarios.Fault) *Messages[int] {
	t.Helper()
	timeline, err := faults.Compile(list, faults.World{Clients: 4, Servers: 1, End: 1000,
		Stream: func(name string) random.Stream { return random.New(1, 0, name) }})
	if err != nil {
		t.Fatal(err)
	}
	latency, err := random.NewLatency("constant", 0, 0, 11)
	if err != nil {
		t.Fatal(err)
	}
	w := &Messages[int]{latency: latency, draws: random.New(1, 0, "network"), outcomeDraws: random.New(1, 0, "messages"), Faults: timeline}
	w.Follow(-1)
	return w
}

// A letter arrives once at each of those it is sent to, half a call later, can be
// read by all of them, and then makes room for another one.
func TestWireLetters(t *testing.T) {
	w := testWire(t)
	first, payload := w.Blank()
	*payload = 42
	for to := range int32(3) {
		if call, arrives := w.Send(100, testArrival, 3, to, first); call != 11 || !arrives {
			t.Fatalf("a call takes %d, arrives %v", call, arrives)
		}
	}
	w.Discard(first) // under way: stays
	for want := range int32(3) {
		if w.Next() != 105 {
			t.Fatalf("the next copy arrives at %d", w.Next())
		}
		ref, ok := w.Due(105, testArrival)
		p := w.Open(ref)
		if !ok || p.To != want || p.From != 3 || p.Sent != 100 || p.Back != 6 || *w.Payload(p.Message) != 42 {
			t.Fatalf("copy %d: %+v with %d", want, p, *w.Payload(p.Message))
		}
		w.Done(p)
	}
	if _, ok := w.Due(105, testArrival); ok {
		t.Error("a fourth copy arrives")
	}
	if again, _ := w.Blank(); again != first || len(w.messages) != 1 {
		t.Errorf("letter %d is used, of %d", again, len(w.messages))
	}
}

func fault(kind string, from, to int64, values catalog.Values) scenarios.Fault {
	return scenarios.Fault{Kind: kind, From: from, To: to, Values: values}
}

// Who is cut off neither sends nor is sent to, but gets what is under way; a
// server is never cut off itself.
func TestWireCuts(t *testing.T) {
	w := testWire(t, fault("partition", 200, 300, catalog.Values{"clients": {V: []any{int64(1)}}}))
	for _, x := range []struct {
		at       int64
		from, to int32
		want     bool
	}{{199, 1, 2, true}, {200, 1, 2, false}, {200, 2, 1, false}, {200, 2, 3, true}, {250, 1, Server, false}, {250, 0, Server, true}, {300, 1, 2, true}} {
		number, _ := w.Blank()
		if _, arrives := w.Send(x.at, testArrival, x.from, x.to, number); arrives != x.want {
			t.Errorf("at %d from %d to %d: arrives %v", x.at, x.from, x.to, arrives)
		}
	}
	for _, want := range []int64{200, 300} { // the world changes when the fault begins and ends
		for w.Next() < want {
			if _, ok := w.Due(w.Next(), testArrival); !ok {
				t.Fatalf("something else happens at %d", w.Next())
			}
		}
		if _, ok := w.Due(want, FaultsChange); !ok {
			t.Errorf("the world does not change at %d", want)
		}
		w.Follow(want)
	}
}

// Lost messages do not come, duplicates come twice at the same instant, the
// second one marked, and late ones later.
func TestWireFates(t *testing.T) {
	always := catalog.Value{V: share(1, 1)}
	for name, x := range map[string]struct {
		fault scenarios.Fault
		times []int64
	}{
		"lost":  {fault("report-loss", 0, 1000, catalog.Values{"p": always}), nil},
		"twice": {fault("report-duplicate", 0, 1000, catalog.Values{"p": always}), []int64{5, 5}},
		"late":  {fault("report-delay", 0, 1000, catalog.Values{"p": always, "delay": {V: int64(100)}}), []int64{105}},
	} {
		w := testWire(t, x.fault)
		w.Due(0, FaultsChange)
		number, _ := w.Blank()
		w.Send(0, testArrival, 0, 1, number)
		w.Discard(number)
		for i, want := range x.times {
			ref, ok := w.Due(want, testArrival)
			if !ok {
				t.Fatalf("%s: copy %d does not arrive at %d", name, i, want)
			}
			p := w.Open(ref)
			if p.Duplicate != (i == 1) {
				t.Errorf("%s: copy %d is a second one: %v", name, i, p.Duplicate)
			}
			w.Done(p)
		}
		if len(w.events) != 0 || len(w.spare) != 1 {
			t.Errorf("%s: %d things are under way, %d letters free", name, len(w.events), len(w.spare))
		}
	}
}

func share(num, den int64) units.Fraction { return units.Fraction{Num: num, Den: den} }
