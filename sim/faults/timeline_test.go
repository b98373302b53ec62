package faults

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/internal/random"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

const s = int64(1e9)

// failer is a *testing.T or a *rapid.T.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// fault returns an entry of a scenario that lasts a minute: a kind, then pairs
// of field and value.
func fault(t failer, kind string, pairs ...string) scenarios.Fault {
	t.Helper()
	texts := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		texts[pairs[i]] = pairs[i+1]
	}
	entry := catalog.Find(scenarios.FaultKinds(), kind)
	v, err := scenarios.Options(entry.Fields, texts)
	if err != nil {
		t.Fatalf("%s %v: %v", kind, pairs, err)
	}
	f := scenarios.Fault{Kind: kind, From: v.Duration("from"), To: v.Duration("to"), Every: v.Duration("every"), Values: v}
	if fields := entry.Fields; len(fields) == 1 || fields[1].Name != "to" {
		f.To = f.From
	} else if !v.Set("to") {
		f.To = 60 * s
	}
	return f
}

func world(clients, servers int) World {
	return World{Clients: clients, Servers: servers, End: 60 * s,
		Stream: func(name string) random.Stream { return random.New(1, 0, name) }}
}

func compile(t failer, w World, list ...scenarios.Fault) *Timeline {
	t.Helper()
	timeline, err := Compile(list, w)
	if err != nil {
		t.Fatal(err)
	}
	return timeline
}

// A timeline without faults.
func TestNil(t *testing.T) {
	var none *Timeline
	stream := random.New(1, 0, "x")
	before := stream
	num, den := none.LimitScale(5)
	slowNet := none.Latency(5, random.Latency{}) != random.Latency{}
	if none.Next(5) != Never || none.Cut(5, 0) || none.StoreDown(5) || none.ServerDown(5, 0) || noticed(none, 5, 0) ||
		none.Lost(0, Never) != nil || none.Saves(5) || none.Slow(5, 1) != 1 || none.Message(5, &stream, true) != (Outcome{}) || slowNet ||
		none.Clock(0, 5) != 5 || none.Active(5) != 0 || num != 1 || den != 1 || none.Moves() || none.Spans() != nil {
		t.Error("a nil timeline is not a world without faults")
	}
	if stream != before {
		t.Error("a message drew a number although no fault affects it")
	}
}

// Each kind of fault is tested at the instants around its changes.
func TestKinds(t *testing.T) {
	w := world(4, 3)
	at := func(x *Timeline, when ...int64) func(f func(now int64) any) string {
		return func(f func(now int64) any) string {
			text := ""
			for _, now := range when {
				text += fmt.Sprint(f(now), " ")
			}
			return text
		}
	}
	around := []int64{10*s - 1, 10 * s, 20*s - 1, 20 * s}
	for _, c := range []struct {
		name string
		list []scenarios.Fault
		when []int64
		ask  func(t *Timeline, now int64) any
		want string
	}{
		{"store", []scenarios.Fault{fault(t, "store-down", "from", "10s", "to", "20s")}, around,
			func(t *Timeline, now int64) any { return t.StoreDown(now) }, "false true true false "},
		{"repeated", []scenarios.Fault{fault(t, "store-down", "from", "10s", "to", "20s", "every", "25s")}, []int64{9 * s, 10 * s, 34 * s, 35 * s, 44 * s, 45 * s, 59 * s, 60 * s},
			func(t *Timeline, now int64) any { return t.StoreDown(now) }, "false true false true true false false false "},
		{"the store loses a second", []scenarios.Fault{fault(t, "store-down", "from", "10s", "to", "20s", "lose", "1s")}, []int64{9 * s, 10 * s, 11 * s},
			func(t *Timeline, now int64) any { return fmt.Sprint(t.Saves(now), losses(t, now)) }, "true [] false [[10000000000 -1 9000000000]] false [] "},
		{"one server", []scenarios.Fault{fault(t, "server-restart", "from", "10s", "servers", "1", "down_for", "10s")}, around,
			func(t *Timeline, now int64) any {
				return fmt.Sprint(t.ServerDown(now, 1), t.ServerDown(now, 0), noticed(t, now, 1), len(losses(t, now)))
			},
			"false false false 0 true false false 1 true false false 0 false false false 0 "},
		{"all servers keep their state", []scenarios.Fault{fault(t, "server-restart", "from", "10s", "down_for", "10s", "state", "kept")}, around,
			func(t *Timeline, now int64) any {
				return fmt.Sprint(t.ServerDown(now, 0), t.ServerDown(now, 2), t.Lost(0, now))
			},
			"false false [] true true [] true true [] false false [] "},
		{"rolling", []scenarios.Fault{fault(t, "server-restart", "from", "10s", "servers", "rolling", "rolling", "4s", "down_for", "5s")}, []int64{10 * s, 14 * s, 15 * s, 18 * s, 19 * s, 23 * s},
			func(t *Timeline, now int64) any {
				return fmt.Sprint(t.ServerDown(now, 0), t.ServerDown(now, 1), t.ServerDown(now, 2), losses(t, now))
			},
			"true false false [[10000000000 0 0]] true true false [[14000000000 1 0]] false true false [] false true true [[18000000000 2 0]] false false true [] false false false [] "},
		{"crash", []scenarios.Fault{fault(t, "server-crash", "from", "10s", "server", "2", "down_for", "45s")}, []int64{10 * s, 40*s - 1, 40 * s, 55 * s},
			func(t *Timeline, now int64) any { return fmt.Sprint(t.ServerDown(now, 2), noticed(t, now, 2)) }, "true false true false true true false false "},
		{"crash, replaced when noticed", []scenarios.Fault{fault(t, "server-crash", "from", "10s")}, []int64{10 * s, 40*s - 1, 40 * s},
			func(t *Timeline, now int64) any { return fmt.Sprint(t.ServerDown(now, 0), noticed(t, now, 0)) }, "true false true false false false "},
		{"slow", []scenarios.Fault{fault(t, "slow-server", "from", "10s", "to", "20s")}, around,
			func(t *Timeline, now int64) any { return t.Slow(now, 1) }, "1 10 10 1 "},
		{"network", []scenarios.Fault{fault(t, "network", "from", "10s", "to", "20s", "latency", "5ms")}, around,
			func(t *Timeline, now int64) any {
				distribution := t.Latency(now, random.Latency{})
				return distribution.Draw(nil)
			}, "0 5000000 5000000 0 "},
		{"the later of two distributions applies", []scenarios.Fault{fault(t, "network", "latency", "5ms"), fault(t, "network", "from", "10s", "to", "20s", "latency", "7ms")}, around,
			func(t *Timeline, now int64) any {
				distribution := t.Latency(now, random.Latency{})
				return distribution.Draw(nil)
			}, "5000000 7000000 7000000 5000000 "},
		{"partition", []scenarios.Fault{fault(t, "partition", "from", "10s", "to", "20s", "clients", "[1, 3]")}, around,
			func(t *Timeline, now int64) any {
				return fmt.Sprint(t.Cut(now, 0), t.Cut(now, 1), t.Cut(now, 2), t.Cut(now, 3))
			},
			"false false false false false true false true false true false true false false false false "},
		{"a clock that is ahead and fast", []scenarios.Fault{fault(t, "clock", "from", "10s", "to", "20s", "ahead", "200ms", "fast", "100", "clients", "[0]")}, around,
			func(t *Timeline, now int64) any { return fmt.Sprint(t.Clock(0, now)-now, t.Clock(1, now)-now) }, "0 0 200000000 0 200999999 0 0 0 "},
		{"a clock that steps back and runs slow", []scenarios.Fault{fault(t, "clock", "from", "10s", "behind", "1s", "slow", "500000")}, []int64{10*s - 1, 10 * s, 12 * s},
			func(t *Timeline, now int64) any { return t.Clock(2, now) }, "9999999999 9000000000 10000000000 "},
		{"autoscale", []scenarios.Fault{fault(t, "autoscale", "stages", "[{from: 5s, clients: 3}, {from: 10s, clients: 4}, {from: 20s, clients: 2}]")}, append([]int64{0, 5 * s}, around...),
			func(t *Timeline, now int64) any { return t.Active(now) }, "0 3 3 4 4 2 "},
		{"policy", []scenarios.Fault{fault(t, "policy-change", "from", "10s", "to", "20s", "factor", "0.1")}, around,
			func(t *Timeline, now int64) any { num, den := t.LimitScale(now); return fmt.Sprint(num, "/", den) }, "1/1 1/10 1/10 1/1 "},
	} {
		timeline := compile(t, w, c.list...)
		got := at(timeline, c.when...)(func(now int64) any { return c.ask(timeline, now) })
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		// The state changes only at the instants that Next returns.
		for i := 1; i < len(c.when); i++ {
			if c.when[i]-c.when[i-1] == 1 && timeline.Next(c.when[i-1]) != c.when[i] {
				t.Errorf("%s: the instant after %d is %d", c.name, c.when[i-1], timeline.Next(c.when[i-1]))
			}
		}
	}
}

// Messages are lost, duplicated and delayed with the configured probabilities,
// which are independent of each other.
func TestReport(t *testing.T) {
	timeline := compile(t, world(1, 1),
		fault(t, "report-loss", "p", "10%"), fault(t, "report-duplicate", "p", "1/3"),
		fault(t, "report-delay", "delay", "10ms"), fault(t, "report-reorder", "delay", "1ms", "p", "50%", "from", "30s"))
	stream := random.New(1, 0, "messages")
	const n = 200_000
	lost, twice, late := 0, 0, 0
	for range n {
		f := timeline.Message(40*s, &stream, true)
		if f.Lost {
			lost++
		}
		if f.Twice {
			twice++
		}
		if f.Delay == 11e6 {
			late++
		} else if f.Delay != 10e6 {
			t.Fatalf("delay %d", f.Delay)
		}
	}
	for name, x := range map[string][2]float64{"lost": {float64(lost), 0.1}, "twice": {float64(twice), 1.0 / 3}, "late": {float64(late), 0.5}} {
		if sd := math.Sqrt(n * x[1] * (1 - x[1])); math.Abs(x[0]-n*x[1]) > 5*sd {
			t.Errorf("%s: %v of %d", name, x[0], n)
		}
	}
	if f := timeline.Message(20*s, &stream, true); f.Delay != 10e6 {
		t.Errorf("held back by %d before it begins", f.Delay)
	}
}

// A share of the clients is rounded to whole clients and drawn anew at each
// occurrence, each client with equal probability. Other entries do not change
// the selection.
func TestShare(t *testing.T) {
	w := world(7, 1)
	counts := [7]int{}
	for seed := range 3000 {
		w.Stream = func(name string) random.Stream { return random.New(uint64(seed), 0, name) }
		f := fault(t, "partition", "from", "1s", "to", "2s", "every", "2s", "share", "40%")
		timeline := compile(t, w, f)
		more := compile(t, w, f, fault(t, "partition", "from", "50s", "to", "51s", "share", "20%"))
		for now := s; now < 5*s; now += 2 * s {
			cut := 0
			for client := range int32(7) {
				if timeline.Cut(now, client) != more.Cut(now, client) {
					t.Fatal("another entry changes who is cut off")
				}
				if timeline.Cut(now, client) {
					counts[client]++
					cut++
				}
			}
			if cut != 3 {
				t.Fatalf("%d of 7 clients are cut off, want 2.8 rounded", cut)
			}
		}
	}
	for client, n := range counts {
		if mean := 6000 * 3 / 7.0; math.Abs(float64(n)-mean) > 5*math.Sqrt(mean*4/7) {
			t.Errorf("client %d is cut off %d times, want about %.0f", client, n, mean)
		}
	}
}

// At random instants the state equals that of a search through all faults.
func TestTimelineIsItsFaults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []scenarios.Fault
		second := func(name string, least int) int { return rapid.IntRange(least, 59).Draw(t, name) }
		for range rapid.IntRange(1, 6).Draw(t, "faults") {
			from := second("from", 0)
			to := rapid.IntRange(from+1, 60).Draw(t, "to")
			kind := rapid.SampledFrom([]string{"store-down", "slow-server", "policy-change"}).Draw(t, "kind")
			pairs := []string{"from", fmt.Sprint(from, "s"), "to", fmt.Sprint(to, "s")}
			if rapid.Bool().Draw(t, "again") {
				pairs = append(pairs, "every", fmt.Sprint(to-from+second("gap", 0), "s"))
			}
			switch kind {
			case "slow-server":
				pairs = append(pairs, "factor", fmt.Sprint(rapid.IntRange(1, 9).Draw(t, "factor")))
			case "policy-change":
				pairs = append(pairs, "factor", fmt.Sprint(rapid.IntRange(1, 9).Draw(t, "factor")))
			}
			f := fault(t, kind, pairs...)
			list = append(list, f)
		}
		timeline := compile(t, world(1, 1), list...)
		for range 20 {
			now := rapid.Int64Range(0, 60).Draw(t, "now") * s
			down, slow, num := false, int64(1), int64(1)
			for _, f := range list {
				for from, to := f.From, f.To; from < 60*s; from, to = from+f.Every, to+f.Every {
					if from <= now && now < min(to, 60*s) {
						switch f.Kind {
						case "store-down":
							down = true
						case "slow-server":
							slow = f.Values.Int("factor")
						default:
							num = f.Values.Share("factor").Num
						}
					}
					if f.Every == 0 {
						break
					}
				}
			}
			if n, _ := timeline.LimitScale(now); timeline.StoreDown(now) != down || timeline.Slow(now, 1) != slow || n != num {
				t.Fatalf("at %d s: down %v, slow %d, scale %d; want %v, %d, %d of %+v", now/s, timeline.StoreDown(now), timeline.Slow(now, 1), n, down, slow, num, list)
			}
		}
	})
}

// noticed reports whether the outage of a server has been detected at now.
func noticed(t *Timeline, now int64, server int32) bool {
	_, ok := t.NoticedBy(now, server)
	return ok
}

// losses returns what a test shows of the losses of memory at now.
func losses(t *Timeline, now int64) (list [][3]int64) {
	for _, r := range t.Lost(now-1, now) {
		list = append(list, [3]int64{r.At, int64(r.Server), r.LoseFrom})
	}
	return list
}
