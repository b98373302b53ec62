package advice

import (
	"context"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Find returns the smallest change of each option that stays within the bounds.
// The one with the fewest calls comes first; among equal ones, the smallest.
func TestFind(t *testing.T) {
	figures := map[string]Figures{
		"a half":    {OverLimitPct: 9},
		"a third":   {OverLimitPct: 4, ServerCallsPerS: 30},
		"a quarter": {OverLimitPct: 3},
		"b never":   {OverLimitPct: 1, UnderAdmissionPct: 6},
		"c dear":    {OverLimitPct: 5, UnderAdmissionPct: 5, ServerCallsPerS: 30.1},
		"d cheap":   {ServerCallsPerS: 10},
		"e more":    {OverLimitPct: 7.8, UnderAdmissionPct: 1},
		"e most":    {OverLimitPct: 7.9},
		"f worse":   {OverLimitPct: 31},
		"g chance":  {OverLimitPct: 29},
	}
	var tried []string
	kept, short, err := Find(context.Background(), [][]Change{
		{{Option: "c", To: "dear", Size: Switch}},
		{{Option: "a", To: "half", Size: 2}, {Option: "a", To: "third", Size: 3}, {Option: "a", To: "quarter", Size: 4}},
		{{Option: "b", To: "never", Size: Switch}},
		{{Option: "d", To: "cheap", Size: Switch}},
		{{Option: "e", To: "more", Size: 2}, {Option: "e", To: "most", Size: 3}},
		{{Option: "f", To: "worse", Size: Switch}},
		{{Option: "g", To: "chance", Size: Switch}},
	}, Bounds{5, 5}, Figures{OverLimitPct: 30}, func(_ context.Context, c Change) (Figures, error) {
		tried = append(tried, c.Option+" "+c.To)
		return figures[c.Option+" "+c.To], nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, k := range kept {
		got = append(got, k.Option+" "+k.To)
	}
	if want := []string{"d cheap", "a third", "c dear"}; len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("kept %v, want %v", got, want)
	}
	if len(short) != 2 || short[0].Option != "b" || short[1].To != "more" || short[1].Figures.OverLimitPct != 7.8 || len(short[1].Tried) != 2 {
		t.Errorf("short %+v, want b with 6 %%, then e with more and 7.8 %%", short)
	}
	if len(tried) != 9 {
		t.Errorf("tried %v: the search of an option must stop at the first change within the bounds", tried)
	}
}

// Options omits values that are already set, choices that need more fields, and
// options that describe faults.
func TestOptions(t *testing.T) {
	fields := []catalog.Field{
		{Name: "interval", Kind: catalog.Duration},
		{Name: "phase", Kind: catalog.Union, Choices: []catalog.Entry{
			{Name: "aligned"}, {Name: "random"}, {Name: "offsets", Fields: []catalog.Field{{Name: "at", Required: true}}},
		}},
		{Name: "report_loss", Kind: catalog.Share},
		{Name: "local_limit", Kind: catalog.Union, Choices: []catalog.Entry{{Name: "off"}, {Name: "auto"}, {Name: "share", Fields: []catalog.Field{{Name: "share", Required: true}}}}},
		{Name: "unset", Kind: catalog.Bool},
	}
	options := Options(fields, catalog.Values{
		"interval":    {V: int64(100_000_000)},
		"phase":       {V: catalog.Choice{Name: "random"}},
		"report_loss": {V: units.Fraction{Num: 1, Den: 10}},
		"local_limit": {V: catalog.Choice{Name: "share", Values: catalog.Values{"share": {V: units.Fraction{Num: 5, Den: 4}}}}},
	})
	if len(options) != 3 {
		t.Fatalf("%d options: %v", len(options), options)
	}
	for i, want := range []struct {
		changes     int
		first, last string
	}{{16, "90ms", "1ms"}, {1, "aligned", "aligned"}, {4, "{share: {share: 110%}}", "auto"}} {
		d := options[i]
		if len(d) != want.changes || d[0].To != want.first || d[len(d)-1].To != want.last {
			t.Errorf("option %d: %v, want %d changes from %s to %s", i, d, want.changes, want.first, want.last)
		}
		for k := 1; k < len(d); k++ {
			if d[k].Size < d[k-1].Size {
				t.Errorf("option %d: %v comes after %v", i, d[k], d[k-1])
			}
		}
	}
}

// TestBoundsApart checks that the bounds over and under the limit are separate.
func TestBoundsApart(t *testing.T) {
	f := Figures{OverLimitPct: 4, UnderAdmissionPct: 2}
	for _, c := range []struct {
		bounds Bounds
		want   bool
	}{{Bounds{4, 2}, true}, {Bounds{3, 5}, false}, {Bounds{5, 1}, false}} {
		if got := f.Within(c.bounds); got != c.want {
			t.Errorf("%+v within %+v: %v", f, c.bounds, got)
		}
	}
}
