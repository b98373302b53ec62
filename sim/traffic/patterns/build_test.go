package patterns

import (
	"testing"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

const (
	millisecond = int64(1_000_000)
	second      = int64(1_000_000_000)
)

// The functions of this file build values as the loader binds them, and read a
// pattern to its end.

func value(v any) catalog.Value { return catalog.Value{V: v, Given: true} }

func rate(count, per int64) catalog.Value { return value(units.Rate{Count: count, Per: per}) }

func share(num, den int64) catalog.Value { return value(units.Fraction{Num: num, Den: den}) }

type tb interface {
	Helper()
	Fatalf(format string, args ...any)
}

func build(t tb, name string, v catalog.Values, span Span) Pattern {
	t.Helper()
	p, err := New(name, v, span)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return p
}

// instants reads a pattern in blocks of the given sizes, again and again.
func instants(p Pattern, seed uint64, sizes ...int) []int64 {
	if len(sizes) == 0 {
		sizes = []int{1024}
	}
	var all []int64
	c := p.Open(random.New(seed, 0, "test"))
	for i := 0; ; i++ {
		piece := make([]int64, sizes[i%len(sizes)])
		n := c.Fill(piece)
		all = append(all, piece[:n]...)
		if n < len(piece) {
			return all
		}
	}
}

func equal(t tb, what string, got, want []int64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d arrivals, want %d\n got %v\nwant %v", what, len(got), len(want), head(got), head(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%s: arrival %d at %d, want %d", what, i, got[i], want[i])
		}
	}
}

func head(x []int64) []int64 { return x[:min(20, len(x))] }

// examples holds options of every pattern. The test of a new pattern adds its
// own in an init function.
var examples = map[string]catalog.Values{
	"constant":  {"rate": rate(7, 3*millisecond), "arrivals": value("jittered")},
	"poisson":   {"rate": rate(2500, second)},
	"boundary":  {"count": value(int64(40)), "window": value(200 * millisecond), "offset": value(millisecond), "width": value(3 * millisecond), "every": value(int64(2))},
	"adversary": {"rate": rate(7000, 30*second), "window": value(50 * millisecond), "hold": value(int64(4)), "offset": value(millisecond), "width": value(3 * millisecond)},
	"stages": {"arrivals": value("poisson"), "stages": value([]any{
		catalog.Values{"rate": rate(1000, second), "for": value(300 * millisecond)},
		catalog.Values{"rate": rate(0, second), "to": rate(5000, second), "for": value(300 * millisecond)},
	})},
	"step":        {"rate": rate(900, second), "to_rate": rate(7000, second), "at": value(400 * millisecond)},
	"ramp":        {"rate": rate(100, second), "to_rate": rate(7000, second), "at": value(100 * millisecond), "for": value(500 * millisecond)},
	"spike":       {"rate": rate(100, second), "peak": rate(10000, second), "at": value(400 * millisecond), "for": value(50 * millisecond)},
	"square":      {"high": rate(3000, second), "high_for": value(70 * millisecond), "low_for": value(30 * millisecond), "arrivals": value("poisson")},
	"sine":        {"rate": rate(2000, second), "amplitude": value(units.Fraction{Num: 4, Den: 5}), "period": value(300 * millisecond), "arrivals": value("poisson")},
	"bursty":      {"rate_on": rate(8000, second), "rate_off": rate(100, second), "mean_on": value(20 * millisecond), "mean_off": value(40 * millisecond)},
	"pareto":      {"rate_on": rate(8000, second), "rate_off": rate(100, second), "mean_on": value(20 * millisecond), "mean_off": value(40 * millisecond), "shape": share(3, 2)},
	"gamma":       {"rate": rate(4000, second), "cv": share(3, 1)},
	"random-walk": {"rate": rate(2000, second), "step": share(1, 10), "every": value(20 * millisecond), "lowest": share(1, 10), "highest": share(3, 1)},
	"herd":        {"count": value(int64(700)), "at": value(10 * millisecond), "every": value(250 * millisecond)},
	"workers":     {"count": value(int64(30)), "jobs": value(int64(1500)), "think": value(catalog.Choice{Name: "exponential", Values: catalog.Values{"mean": value(second)}})},
	"list": {"events": value([]any{
		catalog.Values{"at": value(5 * millisecond), "count": value(int64(1500))},
		catalog.Values{"at": value(2 * millisecond)},
	})},
}

// The sizes of blocks have no effect, arrivals are in order and inside the
// span, and a second run of the same seed is equal.
func TestEveryPattern(t *testing.T) {
	span := Span{From: 3 * second, To: 4 * second}
	for _, e := range Entries() {
		if examples[e.Name] == nil {
			t.Fatalf("no options for %s: add them to examples in its test", e.Name)
		}
		p := build(t, e.Name, examples[e.Name], span)
		whole := instants(p, 1)
		if len(whole) < 100 {
			t.Errorf("%s: only %d arrivals", e.Name, len(whole))
		}
		equal(t, e.Name+" in pieces", instants(p, 1, 1, 7, 100, 3), whole)
		for i, at := range whole {
			if at < span.From || at >= span.To || i > 0 && at < whole[i-1] {
				t.Fatalf("%s: arrival %d at %d is out of order or outside the span", e.Name, i, at)
			}
		}
		other := instants(p, 2)
		same := len(other) == len(whole)
		for i := 0; same && i < len(whole); i++ {
			same = other[i] == whole[i]
		}
		if same == p.Random() {
			t.Errorf("%s: Random is %v, but another seed gives the same arrivals: %v", e.Name, p.Random(), same)
		}
		if c := p.Open(random.New(1, 0, "test")); c.Fill(make([]int64, len(whole)+1)) != len(whole) || c.Fill(make([]int64, 5)) != 0 {
			t.Errorf("%s: yields arrivals after its end", e.Name)
		}
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		pattern string
		values  catalog.Values
	}{
		{"constant", catalog.Values{"rate": rate(-1, second)}},
		{"constant", catalog.Values{"rate": rate(1000, 1)}},
		{"boundary", catalog.Values{"count": value(int64(5)), "window": value(second)}},
		{"boundary", catalog.Values{"count": value(int64(5)), "window": value(second), "offset": value(2 * second)}},
		{"adversary", catalog.Values{"rate": rate(5, second), "window": value(second), "hold": value(int64(2))}},
		{"adversary", catalog.Values{"rate": rate(5, second), "window": value(second), "hold": value(int64(1)), "offset": value(second/2 + 1)}},
		{"adversary", catalog.Values{"rate": rate(5, second), "window": value(second), "hold": value(int64(4)), "offset": value(second + 1)}},
		{"adversary", catalog.Values{"rate": rate(5, 6*second), "window": value(second), "hold": value(int64(2)), "offset": value(millisecond)}},
		{"herd", catalog.Values{"count": value(int64(1)), "at": value(maxDuration + 1)}},
		{"stages", catalog.Values{}},
		{"square", catalog.Values{"high": rate(1, second), "high_for": value(second), "low_for": value(maxDuration + 1)}},
		{"list", catalog.Values{"events": value([]any{catalog.Values{"at": value(maxDuration + 1)}})}},
		{"ramp", catalog.Values{"rate": rate(1_000_003, 999_999_937), "to_rate": rate(1_000_033, 999_999_929), "for": value(int64(1) << 50)}},
		{"gamma", catalog.Values{"cv": share(3, 1)}},
		{"gamma", catalog.Values{"rate": rate(1, 1<<50), "cv": share(3, 1)}},
		{"random-walk", catalog.Values{"rate": rate(60, 1), "every": value(second), "step": share(1, 10), "lowest": share(0, 1), "highest": share(1000, 1)}},
		{"random-walk", catalog.Values{"rate": rate(60, second), "every": value(second), "step": share(333_333_333_333_333, 1_000_000_000_000_000), "lowest": share(1, 1_000_000_000_000_003), "highest": share(3, 1)}},
		{"nothing", nil},
	} {
		if _, err := New(c.pattern, c.values, Span{0, int64(1) << 51}); err == nil {
			t.Errorf("%s with %v is accepted", c.pattern, c.values)
		}
	}
}
