package sql

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

const second = int64(1e9)

func rule(t testing.TB, refill, window int64, o Options) Rule {
	t.Helper()
	r, err := NewRule(refill, second, refill*window, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestDoublePrecision compares levels in double precision, over months, with those of whole
// seconds, which have no rounding but that of half a token to the even number.
func TestDoublePrecision(t *testing.T) {
	for _, capBefore := range []bool{false, true} {
		r, err := NewRule(1, 2*second, 1<<22, Options{TiesToEven: true, CapBefore: capBefore})
		if err != nil {
			t.Fatal(err)
		}
		for elapsed := int64(0); elapsed < 100*86400; elapsed = elapsed*9/8 + 1 {
			for _, tokens := range []int64{0, 1, 1000, r.depth} {
				halves := min(2*(tokens-1)+elapsed, 2*r.depth)
				if capBefore {
					halves = min(2*tokens+elapsed, 2*r.depth) - 2
				}
				want := halves >> 1
				if halves%2 != 0 {
					want += want & 1
				}
				if got := r.inDouble(tokens, elapsed*second); got != want {
					t.Fatalf("%d tokens after %d s, cut before: %v: %d, want %d", tokens, elapsed, capBefore, got, want)
				}
			}
		}
	}
}

// each makes n calls, gap ns apart, each in its own transaction, and returns
// the levels.
func each(r Rule, w *Row, at *int64, gap int64, n int) []int64 {
	var levels []int64
	for range n {
		*at += gap
		level, _ := r.Call(w, *at, *at, 1)
		levels = append(levels, level)
	}
	return levels
}

func equal(t *testing.T, what string, got []int64, want ...int64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%s: %v, want %v", what, got, want)
		}
	}
}

// The published session: r 1, w 10, one call every 0.1 s.
func TestPublishedSession(t *testing.T) {
	r := rule(t, 1, 10, Options{})
	w, at := Absent, int64(0)
	equal(t, "the first calls", each(r, &w, &at, second/10, 13), 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, -1, -1, -1)
	paused := w
	after := at
	equal(t, "after 4 s", each(r, &w, &at, 4*second, 1), 2)
	w, at = paused, after
	equal(t, "after 5 s", each(r, &w, &at, 5*second, 1), 3)
}

// The effect of x, the tokens earned between two calls, on steady calls.
func TestSteadyCalls(t *testing.T) {
	const refill, window, calls = 10, 6, 1000
	for _, c := range []struct {
		x        float64
		o        Options
		full     int // admitted of the calls from the first one on
		fromNone int // and from a row at -1
	}{
		{0.49, Options{}, 60, 0},
		{0.50, Options{}, calls, 0},
		{0.50, Options{TiesToEven: true}, calls, 0},
		{1.00, Options{}, calls, 0},
		{1.49, Options{}, calls, 0},
		{1.51, Options{}, calls, calls},
		{0.49, Options{KeepFraction: true, CapBefore: true, NoRefusal: true, StampCall: true}, 549, 490},
	} {
		r := rule(t, refill, window, c.o)
		gap := int64(c.x * float64(second/refill))
		count := func(w Row, at int64) int {
			n := 0
			for _, level := range each(r, &w, &at, gap, calls) {
				if level >= 0 {
					n++
				}
			}
			return n
		}
		if got := count(Absent, 0); got != c.full {
			t.Errorf("x = %v, %+v: %d of %d admitted from full, want %d", c.x, c.o, got, calls, c.full)
		}
		none := -r.Unit()
		if c.o.NoRefusal {
			none = 0 // such a row never owes
		}
		if got := count(Row{Level: none, Stamp: 0}, 0); got != c.fromNone {
			t.Errorf("x = %v, %+v: %d of %d admitted from empty, want %d", c.x, c.o, got, calls, c.fromNone)
		}
	}
}

func TestAfterALongIdleSpell(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want int64
	}{{Options{}, 121}, {Options{CapBefore: true}, 120}} {
		r := rule(t, 2, 60, c.o)
		w, at := Absent, int64(0)
		each(r, &w, &at, 0, 500)
		at += 3600 * second
		n := int64(0)
		for _, level := range each(r, &w, &at, 0, 500) {
			if level >= 0 {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%+v: %d pass after an idle hour, want %d", c.o, n, c.want)
		}
	}
}

// Each of several calls in one transaction is credited the transaction's whole age.
func TestInsideOneTransaction(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want []int64
	}{
		{Options{}, []int64{7, 10, 13, 16}},
		{Options{StampCall: true}, []int64{7, 6, 5, 4}},
	} {
		r := rule(t, 2, 60, c.o)
		w := Row{Level: 4, Stamp: 10 * second}
		var got []int64
		for range c.want {
			level, _ := r.Call(&w, 10*second, 12*second, 1)
			got = append(got, level)
		}
		equal(t, "calls 2 s into a transaction", got, c.want...)
	}
}

// The two tie rules differ only for halves.
func TestTies(t *testing.T) {
	for _, c := range []struct {
		level, ns  int64
		away, even int64
	}{
		{1, second / 2, 1, 0},       // 0.5
		{2, second / 2, 2, 2},       // 1.5
		{0, second / 2, -1, 0},      // -0.5: only ties to even admit it
		{-1, second, -1, -1},        // -1
		{-1, 3 * second / 2, -1, 0}, // -0.5 again
	} {
		for _, o := range []Options{{}, {TiesToEven: true}} {
			r := rule(t, 1, 10, o)
			w := Row{Level: c.level, Stamp: 0}
			want := c.away
			if o.TiesToEven {
				want = c.even
			}
			if got, _ := r.Call(&w, c.ns, c.ns, 1); got != want {
				t.Errorf("level %d, %d ns later, %+v: %d, want %d", c.level, c.ns, o, got, want)
			}
		}
	}
}

// Options are read correctly, and invalid ones are rejected.
func TestConfigure(t *testing.T) {
	given := func(pairs ...any) catalog.Values {
		v := catalog.Values{}
		for i := 0; i < len(pairs); i += 2 {
			v[pairs[i].(string)] = catalog.Value{V: pairs[i+1]}
		}
		return v
	}
	r, err := Configure(100, 60*second, 50, nil)
	if err != nil || r.Depth() != 50 || r.n*60*second != 100*r.p || !r.RefusalWrites() {
		t.Errorf("100/min, burst 50: %+v, %v", r, err)
	}
	if r, err = Configure(2, second, 2, given("window", 60*second)); err != nil || r.Depth() != 120 {
		t.Errorf("2/s over 60 s: depth %d, %v", r.Depth(), err)
	}
	for _, c := range []struct {
		count, window, burst int64
		v                    catalog.Values
		want                 string
	}{
		{2, second, 1 << 31, nil, "above 2^31-1"},
		{1 << 31, second, 1, given("window", second), "above 2^31-1"},
		{1 << 60, 1, 1, given("window", int64(1<<60)), "above 2^31-1"},
		{5, 3 * second, 1, given("window", second), "not a whole number"},
		{1, 1 << 60, 1 << 20, nil, "61 bits"},
		{1, second, 0, nil, "at least 1"},
	} {
		if _, err := Configure(c.count, c.window, c.burst, c.v); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d/%d, burst %d, %v: %v, want %q", c.count, c.window, c.burst, c.v, err, c.want)
		}
	}
}
