package results

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestLoadsGiveTheirFigures computes the figures of random servers by themselves: each of them
// is accepted, and refused once it is off. With faults, the load
// over the mean does not follow from the list and may be anything.
func TestLoadsGiveTheirFigures(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 64 {
		others, faults, quiet := n%2 == 1, n/2%2 == 1, n/4%4 == 3
		w := &wholeRow{scenario: &Scenario{StartNs: 1e9, EndNs: 5e9}}
		if faults {
			w.scenario.Faults = make([]Fault, 1)
		}
		servers, calls, entries, mostCalls, peak := 0, int64(0), int64(0), int64(0), int64(0)
		for i := range 1 + r.IntN(4) {
			s := ServerLoad{Server: i}
			if !quiet {
				s.Calls, s.Entries, s.CallsPeak1s = 1+r.Int64N(50), 1+r.Int64N(90), 1+r.Int64N(9)
			}
			w.loads.Servers = append(w.loads.Servers, s)
			servers, calls, entries = servers+1, calls+s.Calls, entries+s.Entries
			mostCalls, peak = max(mostCalls, s.Calls), max(peak, s.CallsPeak1s)
		}
		if others {
			o := OtherServers{Servers: 2, Calls: 3, Entries: 4}
			w.loads.Others = &o
			servers, calls, entries = servers+2, calls+3, entries+4
		}
		figures := map[string]float64{
			"server_calls_per_s": float64(calls) / 4, "server_entries_per_s": float64(entries) / 4,
			"server_calls_max_peak_1s": float64(peak),
		}
		free := map[string]float64{"server_load_max_over_mean": 99}
		if !faults && calls > 0 {
			figures["server_load_max_over_mean"] = float64(mostCalls) / (float64(calls) / float64(servers))
			delete(free, "server_load_max_over_mean")
		}
		check := func(off string) error {
			w.result.Metrics = map[string]Summary{}
			for _, list := range []map[string]float64{figures, free} {
				for name, x := range list {
					if name == off {
						x += 1e-6
					}
					w.result.Metrics[name] = Summary{Values: []*float64{&x}}
				}
			}
			return w.checkLoads()
		}
		what := fmt.Sprintf("others %v, faults %v, %d calls", others, faults, calls)
		if err := check(""); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		for name := range figures {
			if err := check(name); err == nil || !strings.HasPrefix(err.Error(), name+" is ") {
				t.Errorf("%s: %s is off: %v", what, name, err)
			}
		}
	}
}
