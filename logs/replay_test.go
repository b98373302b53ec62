package logs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/logs/formats"
	"github.com/limitgauge/limitgauge/logs/times"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

func writeFile(t testing.TB, dir, name, text string) string {
	t.Helper()
	p := filepath.Join(dir, name)
	if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

func fraction(t *testing.T, text string) units.Fraction {
	t.Helper()
	f, err := ParseSpeed(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestReplay(t *testing.T) {
	const in = "time,ip\n100.25,a\n100.75,b\n102.5,a\n"
	for _, c := range []struct {
		name string
		o    Options
		want string
	}{
		{"as it is", Options{}, "100250 a,100750 b,102500 a"},
		{"rebase", Options{Rebase: true}, "0 a,500 b,2250 a"},
		{"twice as fast", Options{Speed: fraction(t, "2")}, "100250 a,100500 b,101375 a"},
		{"slower", Options{Speed: fraction(t, "0.1"), Rebase: true}, "0 a,5000 b,22500 a"},
		{"looped in whole seconds", Options{Repeat: 2}, "100250 a,100750 b,102500 a,103250 a,103750 b,105500 a"},
		{"looped and fast", Options{Repeat: 2, Speed: fraction(t, "10"), Rebase: true}, "0 a,50 b,225 a,300 a,350 b,525 a"},
		{"copies", Options{Copies: 2}, "100250 a,100250 a,100750 b,100750 b,102500 a,102500 a"},
		{"filter", Options{Start: 100500 * 1e6, Until: 102500 * 1e6}, "100750 b"},
	} {
		c.o.Files, c.o.Stdin = []string{"-"}, strings.NewReader(in)
		r := read(t, c.o)
		var got []string
		for i, x := range r.Time {
			got = append(got, fmt.Sprintf("%d %s", x/1e6, r.KeyNames[r.Key[i]]))
		}
		if s := strings.Join(got, ","); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
		if c.name != "filter" && (r.Facts.Rows != 3 || r.Facts.FirstNs != 100250*1e6 || !r.Facts.Relative) {
			t.Errorf("%s: facts %+v are not of the recording as read", c.name, r.Facts)
		}
	}
}

// Every repetition has the same positions within calendar seconds as the first
// one.
func TestLoopKeepsSeconds(t *testing.T) {
	r := read(t, Options{Files: []string{"-"}, Stdin: strings.NewReader("time\n100.75\n102.25\n"), Repeat: 3})
	want := []int64{100750, 102250, 103750, 105250, 106750, 108250}
	for i, x := range r.Time {
		if x != want[i]*1e6 {
			t.Errorf("row %d at %d ns, want %d ms", i, x, want[i])
		}
	}
}

func TestValidate(t *testing.T) {
	f := []string{"f"}
	for want, o := range map[string]Options{
		"no file":                {},
		"is empty":               {Files: []string{""}},
		"read only once":         {Files: []string{"-", "-"}},
		"unknown time format":    {Files: f, Asked: formats.Asked{TimeFormat: "min"}},
		"unknown duration unit":  {Files: f, Asked: formats.Asked{DurationUnit: "min"}},
		"both name the stamp":    {Files: f, Asked: formats.Asked{Time: "a", End: "b", Duration: "c"}},
		"end needs a duration":   {Files: f, Asked: formats.Asked{End: "b"}},
		"exclude each other":     {Files: f, Asked: formats.Asked{PerFile: true, Key: "k"}},
		"needs a pattern":        {Files: f, Format: "regex"},
		"goes with format regex": {Files: f, Format: "csv", Asked: formats.Asked{Pattern: "x"}},
		"not for format csv":     {Files: f, Format: "csv", Asked: formats.Asked{Records: "x"}},
		"not be before 1970":     {Files: f, Start: -1},
		"until must be after":    {Files: f, Start: 2, Until: 2},
		"at least 1":             {Files: f, Repeat: -1},
		"keep must be above":     {Files: f, Keep: units.Fraction{Num: 3, Den: 2}},
		"speed must be above":    {Files: f, Speed: units.Fraction{Num: -1, Den: 1}},
	} {
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestParseSpeed(t *testing.T) {
	for text, want := range map[string]units.Fraction{
		"1": {Num: 1, Den: 1}, "2.50": {Num: 5, Den: 2}, "0.001": {Num: 1, Den: 1000}, "1e3": {Num: 1000, Den: 1},
		"0": {}, "-1": {}, "x": {}, "": {}, "1e-10": {}, "1e10": {},
	} {
		got, err := ParseSpeed(text)
		if got != want || (err == nil) != (want.Num > 0) {
			t.Errorf("%q: %v %v, want %v", text, got, err, want)
		}
	}
}

func TestFactsOverYears(t *testing.T) {
	in := "time\n0\n0.5\n1.999999999\n2\n2\n2.1\n3e9\n"
	f := read(t, Options{Files: []string{"-"}, Stdin: strings.NewReader(in), Asked: formats.Asked{TimeFormat: "s"}}).Facts
	if f.PeakPerS != 3 || f.ResolutionNs != 1 || f.LastNs != 3e18 || f.MeanPerS != 7/3000000001. || f.Relative {
		t.Errorf("%+v", f)
	}
}

func TestResolution(t *testing.T) {

	for _, c := range []struct {
		step, window int64
		want         string
	}{
		{1e9, 1e9, "not less than the window"}, {1e9, 10e9, "a tenth or more"}, {1e9, 60e9, "stamps resolve to 1s: requests with equal stamps seem to arrive at once"},
		{1e8, 1e9, "a tenth or more"}, {1e6, 1e9, ""}, {1, 1e9, ""},
	} {
		got := strings.Join(WarnCoarse(Facts{ResolutionNs: c.step, StepNs: c.step}, c.window), "")
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("stamps of %d in windows of %d: %q, want %q", c.step, c.window, got, c.want)
		}
	}
}

// The merge equals a stable sort of all rows in the given order.
func TestMergeAgainstStableSort(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		type row struct {
			time int64
			key  string
		}
		var all []row
		var o Options
		disorder := 0
		for f := range rapid.IntRange(1, 5).Draw(t, "files") {
			times := rapid.SliceOfN(rapid.Int64Range(0, 20), 0, 12).Draw(t, "times")
			if rapid.Bool().Draw(t, "in order") {
				slices.Sort(times)
			}
			text := "time,key\n"
			for i, x := range times {
				r := row{x, fmt.Sprintf("%d.%d", f, i)}
				all = append(all, r)
				text += fmt.Sprintf("%d,%s\n", r.time, r.key)
				if i > 0 && times[i-1] > x {
					disorder++
				}
			}
			p := filepath.Join(dir, fmt.Sprint(f))
			if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			o.Files = append(o.Files, p)
		}
		o.TimeFormat = "s"
		r, err := readRows(o)
		if len(all) == 0 {
			if err == nil {
				t.Fatal("no rows and no error")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		sort.SliceStable(all, func(i, j int) bool { return all[i].time < all[j].time })
		for i, want := range all {
			if r.Time[i] != want.time*times.Second || r.KeyNames[r.Key[i]] != want.key || r.Key[i] != int32(i) {
				t.Fatalf("row %d: %d %s (key %d), want %v", i, r.Time[i]/times.Second, r.KeyNames[r.Key[i]], r.Key[i], want)
			}
		}
		if r.Facts.OutOfOrder != int64(disorder) {
			t.Fatalf("%d out of order, want %d", r.Facts.OutOfOrder, disorder)
		}
	})
}

func TestOptionsFrom(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "a.1", "")
	writeFile(t, dir, "a.2", "")
	given := func(v any) catalog.Value { return catalog.Value{V: v, Given: true} }
	o, err := OptionsFrom(catalog.Values{
		"files": given([]any{"a.*", "b", "/abs"}), "cost_fields": given([]any{"x + y", `a\+b`, " z"}), "speed": given("0.5"),
		"start": given(int64(5)), "repeat": given(int64(3)), "per_file": given(true), "format": given("csv"),
		"keep": given(units.Fraction{Num: 1, Den: 20}),
	}, dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(dir, "a.1"), filepath.Join(dir, "a.2"), filepath.Join(dir, "b"), "/abs"}
	if !slices.Equal(o.Files, want) || !slices.Equal(o.Cost, []string{"x", "y", "a+b", " z"}) || o.Speed != (units.Fraction{Num: 1, Den: 2}) || o.Keep != (units.Fraction{Num: 1, Den: 20}) || o.Start != 5 || o.Repeat != 3 || !o.PerFile {
		t.Errorf("%+v", o)
	}
	for name, v := range map[string]catalog.Values{
		"no file":   {},
		"both":      {"file": given("a.1"), "files": given([]any{"a.2"})},
		"no match":  {"file": given("z*")},
		"bad speed": {"file": given("a.1"), "speed": given("fast")},
		"bad regex": {"file": given("a.1"), "regex": given("(")},
	} {
		if _, err := OptionsFrom(v, dir); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	seen := map[string]bool{}
	for _, f := range Entry().Fields {
		if slices.Contains([]string{"from", "to", "name", "keys", "tenants", "spread", "cost", "pattern"}, f.Name) || seen[f.Name] || f.Doc == "" {
			t.Errorf("field %s clashes or has no doc", f.Name)
		}
		seen[f.Name] = true
	}
}
