package attack

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/internal/testing/golden"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/scenarios"
)

const ms = int64(1_000_000)

// text writes a train: when, how many, and what differs from plain requests.
func (t Train) text() string {
	s := fmt.Sprintf("%d*%d", t.At, t.Count)
	if t.Gap > 0 {
		s += fmt.Sprintf("/%d", t.Gap)
	}
	if t.Client >= 0 {
		s += fmt.Sprint(" client ", t.Client)
	}
	if t.Key > 0 {
		s += fmt.Sprint(" key ", t.Key)
	}
	if t.Cost > 1 {
		s += fmt.Sprint(" cost ", t.Cost)
	}
	return s
}

// TestPatternsGolden compares the known attacks on small spaces with a text: a line
// each, with the ns and the number of requests of its trains, and their distance.
func TestPatternsGolden(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct {
		name string
		space
	}{
		{"one client", space{window: 1000 * ms, count: 9, burst: 5, end: 5300 * ms, most: 45, clients: 1, keys: 1, seed: 1}},
		{"requests apart", space{window: 1000 * ms, count: 9, burst: 5, end: 3100 * ms, most: 45, apart: 7 * ms, clients: 1, keys: 1, seed: 1}},
		{"clients, keys and costs", space{window: 10 * ms, count: 7, burst: 12, end: 15 * ms, most: 20, clients: 3, keys: 3, may: Choices{Clients: true, Keys: true, Costs: true}, seed: 1}},
		{"most once", space{window: 8 * ms, count: 2, burst: 1, end: 12 * ms, most: 1, clients: 9, keys: 2, may: Choices{Clients: true, Keys: true, Costs: true}, seed: 1}},
	} {
		fmt.Fprintf(&b, "# %s\n", c.name)
		has := []scenarios.Fault{{From: 2 * ms, To: 6 * ms}}
		for _, candidate := range append(c.outages(has), c.patterns()...) {
			fmt.Fprintf(&b, "%s:", candidate.from)
			for _, t := range candidate.Trains {
				fmt.Fprintf(&b, " %s,", t.text())
			}
			b.WriteString("\n")
		}
	}
	golden.Compare(t, "testdata/patterns.golden", []byte(b.String()))
}

// TestFit checks on random trains that fit keeps to the space, loses no request that
// fits, and changes nothing when it is applied again.
func TestFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(name string, lo, hi int64) int64 { return rapid.Int64Range(lo, hi).Draw(t, name) }
		s := space{end: number("end", 1, 50), most: number("most", 1, 60), apart: number("apart", 0, 4)}
		c, requests := &Candidate{}, int64(0)
		for range number("trains", 1, 6) {
			train := Train{At: number("at", -5, 60), Count: number("count", 1, 20), Gap: number("gap", 0, 6), Client: int(number("client", -1, 0)), Cost: number("cost", 1, 2)}
			requests += train.Count
			c.Trains = append(c.Trains, train)
		}
		given := c.clone()
		fits := s.fit(c)
		if fits != (len(c.Trains) > 0) || c.Requests() > s.most {
			t.Fatalf("%v: %v of at most %d", fits, c.Trains, s.most)
		}
		before := -s.apart
		for _, train := range c.Trains {
			if train.At < before+s.apart || train.At < 0 || train.Count < 1 || train.last() >= s.end || train.Count > 1 && train.Gap < s.apart || train.Count == 1 && train.Gap != 0 {
				t.Fatalf("%v until %d, %d apart", c.Trains, s.end, s.apart)
			}
			before = train.last()
			if s.apart == 0 {
				before = train.At // trains may overlap
			}
		}
		if s.apart == 0 {
			want := int64(0)
			for _, train := range given.Trains {
				at := min(max(train.At, 0), s.end-1)
				if train.Gap > 0 {
					train.Count = min(train.Count, (s.end-1-at)/train.Gap+1)
				}
				want += train.Count
			}
			if want = min(want, s.most); c.Requests() != want {
				t.Fatalf("%d requests of %v are %v, want %d", requests, given.Trains, c.Trains, want)
			}
		}
		for i := 1; i < len(c.Trains); i++ {
			if a, b := c.Trains[i-1], c.Trains[i]; a.Gap == 0 && b.Gap == 0 && a.At == b.At && a.Client == b.Client && a.Key == b.Key && a.Cost == b.Cost {
				t.Fatalf("two bursts are one: %v", c.Trains)
			}
		}
		again := c.clone()
		if s.fit(again) != fits || fmt.Sprint(again.Trains) != fmt.Sprint(c.Trains) {
			t.Fatalf("%v, and again %v", c.Trains, again.Trains)
		}
	})
}

// TestChildrenFit checks that changed candidates stay in the space, and that each kind
// of change happens.
func TestChildrenFit(t *testing.T) {
	file := scenarioOf(t, "limit: 20/s, burst: 30", "{preset: batch-reported}", 3, "4s")
	o := options(t, 60, 150, "times,clients,keys,costs,phases,faults")
	o.Keys = 3
	s := newSearch(file, o)
	m := &mutator{space: s.space, draw: random.New(1, 0, "children")}
	parent := &Candidate{Trains: []Train{burst(s.window, 10), spaced(2*s.window, 10, s.gap())}, Seed: 1}
	seen := map[string]bool{}
	for range 3000 {
		c := m.child(parent)
		if c == nil {
			continue
		}
		if c.Requests() > o.Requests || len(c.Faults) > 2 || c.Seed < 1 || c.Seed > 1_000_000 {
			t.Fatalf("%+v", c)
		}
		seen["phase "+c.Phase], seen[fmt.Sprint(len(c.Faults), " faults")], seen[fmt.Sprint("seed ", c.Seed != 1)] = true, true, true
		for _, f := range c.Faults {
			if seen[f.Kind] = true; f.From < 0 || f.From >= f.Until || f.Until > s.end {
				t.Fatalf("a fault from %d to %d", f.From, f.Until)
			}
		}
		for _, train := range c.Trains {
			if train.At < 0 || train.last() >= s.end || train.Client < -1 || train.Client > 2 || train.Key < 0 || train.Key > 2 || train.Cost < 1 || train.Cost > 30 {
				t.Fatalf("%+v", train)
			}
			seen[fmt.Sprint("client ", train.Client)], seen[fmt.Sprint("key ", train.Key)], seen[fmt.Sprint("cost ", train.Cost)] = true, true, true
		}
		if parent = c; m.below(10) == 0 || len(c.Trains) > 50 {
			parent = &Candidate{Trains: []Train{burst(s.window, 10), spaced(2*s.window, 10, s.gap())}, Seed: 1}
		}
	}
	want := []string{"phase ", "0 faults", "1 faults", "2 faults", "seed true", "seed false", "client -1", "client 0", "client 1", "client 2", "key 0", "key 1", "key 2"}
	for _, phase := range s.phases {
		want = append(want, "phase "+phase)
	}
	for _, cost := range []int{1, 2, 20, 30} {
		want = append(want, fmt.Sprint("cost ", cost))
	}
	for _, what := range want {
		if !seen[what] {
			t.Errorf("no candidate has %s", what)
		}
	}
}

// TestEverywhere checks the pairs of bursts that cover a run: a pair begins at each multiple
// of half the time that refills a burst, once, unless that takes more requests than a
// candidate may have; no candidate has more pairs than needed, and they are evenly apart.
func TestEverywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &space{
			window: rapid.Int64Range(1, 2000).Draw(t, "window"), count: rapid.Int64Range(1, 10).Draw(t, "count"), burst: rapid.Int64Range(1, 10).Draw(t, "burst"),
			end: rapid.Int64Range(2, 300_000).Draw(t, "end"), most: rapid.Int64Range(1, 100).Draw(t, "most"), apart: rapid.Int64Range(0, 8).Draw(t, "apart") / 8,
		}
		apart, list := s.burst*s.gap()/2, s.everywhere()
		if apart < 1 || s.apart > 0 {
			if list != nil {
				t.Fatalf("%+v: %d candidates of bursts that cannot be so near", s, len(list))
			}
			return
		}
		var places []int64
		for at := int64(0); at+apart < s.end; at += apart {
			places = append(places, at)
		}
		needed, room := (len(places)+mostScans-1)/mostScans, int(max(1, s.most/(2*s.burst)))
		tried := map[int64]bool{}
		for _, trains := range list {
			if len(trains) == 0 || len(trains) > 2*min(needed, room) {
				t.Fatalf("%+v: %d trains in a candidate, %d pairs are needed and %d fit", s, len(trains), needed, room)
			}
			for i := 0; i < len(trains); i += 2 {
				at := trains[i].At
				if trains[i] != burst(at, s.burst) || trains[i+1] != burst(at+apart, s.burst) || tried[at] || at%apart != 0 || at+apart >= s.end {
					t.Fatalf("%+v: pair %v, %v", s, trains[i], trains[i+1])
				}
				if step := int64(len(list)) * apart; i > 0 && at-trains[i-2].At != step {
					t.Fatalf("%+v: pairs at %d and %d, want them %d apart", s, trains[i-2].At, at, step)
				}
				tried[at] = true
			}
		}
		if want := len(places); needed <= room && len(tried) != want || needed > room && len(list) != min(mostScans, want) {
			t.Fatalf("%+v: %d of %d places in %d candidates", s, len(tried), want, len(list))
		}
	})
}
