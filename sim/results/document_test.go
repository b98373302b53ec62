package results

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func number(x float64) *float64 { return &x }

// example returns a small document with an element in every list.
func example() *Document {
	return &Document{
		SchemaVersion: SchemaVersion,
		Stamp:         Stamp{Tool: "limitgauge", Version: "v0.1.0", Scenario: "expect: {a: \"<= 10\"}\n", Seed: math.MaxUint64},
		Input:         []Input{{Scenario: "s", Traffic: "traffic[0]", Files: []string{"a.log"}, Rows: 3, FirstNs: 1, LastNs: 9, MeanPerS: 3, Problems: []InputProblem{{File: "a.log", Line: 2, Message: "cut"}}}},
		Scenarios:     []Scenario{{Name: "s", EndNs: 60e9, Keys: 1, Policy: Policy{Name: "p"}, Policies: []Policy{{Name: "p", Keys: 1}, {Name: "q"}}, Expectations: []Expectation{{Algorithm: "a", Metric: "m", Op: "<=", Threshold: 10}}, Warnings: []string{"stamps are coarse"}}},
		Results: []Result{{Scenario: "s", Policy: "p", Algorithm: "a", Replications: 2, Metrics: map[string]Summary{
			"m":     SummarizeRatio([]*float64{number(1.0 / 3), nil}, []float64{1, 0}, []float64{3, 0}),
			"absen": {Reason: "no window was saturated", Values: []*float64{nil, nil}},
		}}},
		Series:     []Series{{Scenario: "s", Algorithm: "a", BinNs: 30e9, Offered: []int64{3, 4}, Admitted: []int64{3, 2}, LimitPerBin: 2, Inflight: []int64{0, 1}}},
		Shares:     []Shares{{Scenario: "s", Algorithm: "a", Tenants: []Share{{Tenant: "t", Offered: 7, Admitted: 5, Rejected: 2, Fair: 5}}}},
		Histograms: []Histogram{{Scenario: "s", Algorithm: "a", Name: "wait", Unit: "ns", Buckets: []Bucket{{0, 1, 4}, {8, 9, 1}}}},
		Rejections: []Rejections{{Scenario: "s", Algorithm: "a", Keys: []KeyTotals{{Key: "k", Offered: 7, Admitted: 5, Rejected: 2, Reference: 6}}, Refused: 1, Seen: 1}},
		ByPolicy: []Result{
			{Scenario: "s", Policy: "p", Algorithm: "a", Replications: 1, Metrics: map[string]Summary{"m": {Mean: number(1), Lo: number(1), Hi: number(1), Values: []*float64{number(1)}}}},
			{Scenario: "s", Policy: "q", Algorithm: "a", Replications: 1, Metrics: map[string]Summary{"m": {Reason: "no traffic", Values: []*float64{nil}}}},
		},
		PolicySeries: []PolicySeries{{Policy: "q", Series: Series{Scenario: "s", Algorithm: "a", BinNs: 1e9, Offered: []int64{3}, Admitted: []int64{2}}}},
	}
}

func encoded(t *testing.T, d *Document) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Encode(&out, d); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestDocumentSurvivesEncoding(t *testing.T) {
	want := example()
	text := encoded(t, want)
	got, err := Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decoded document differs (-want +got):\n%s", diff)
	}
	if again := encoded(t, got); !bytes.Equal(text, again) {
		t.Errorf("encoded again it differs:\n%s", cmp.Diff(string(text), string(again)))
	}
}

func TestEncodeLayout(t *testing.T) {
	text := string(encoded(t, example()))
	for _, want := range []string{
		"{\n  \"schema_version\": 3,\n  \"stamp\": {\n",
		`      "offered": [3, 4],` + "\n",        // a list of numbers is one line
		`        {"lo": 8, "hi": 9, "count": 1}`, // and so is a short object
		`"<= 10\"`,                               // no HTML escapes
		`"mean": 0.3333333333333333,`,            // the shortest text that reads back
		`"values": [0.3333333333333333, null]`,
		`"seed": 18446744073709551615,`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the document lacks %q:\n%s", want, text)
		}
	}
	if !strings.HasSuffix(text, "\n}\n") || strings.HasSuffix(text, "\n\n") {
		t.Errorf("the document ends in %q, want one final newline", text[len(text)-6:])
	}
	empty := string(encoded(t, &Document{SchemaVersion: SchemaVersion}))
	if strings.Contains(empty, "null") {
		t.Errorf("an empty document has null for a list:\n%s", empty)
	}
}

// TestCheck makes one change to the example at a time. Encode and Decode must
// reject it, and the message must name the error.
func TestCheck(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name, want string
		perturb    func(*Document)
	}{
		{"unknown scenario", `results[0]: scenario "other" is not among`, func(d *Document) { d.Results[0].Scenario = "other" }},
		{"unknown scenario of input", `scenario "other" is not among`, func(d *Document) { d.Input[0].Scenario = "other" }},
		{"unknown scenario of rejections", `rejections[0]: scenario ""`, func(d *Document) { d.Rejections[0].Scenario = "" }},
		{"scenario twice", `scenarios[1]: "s" is there twice`, func(d *Document) { d.Scenarios = append(d.Scenarios, d.Scenarios[0]) }},
		{"row twice", `results[1]: "s", "a" is there twice`, func(d *Document) { d.Results = append(d.Results, d.Results[0]) }},
		{"unequal lists", "2 bins offered, 1 admitted", func(d *Document) { d.Series[0].Admitted = []int64{1} }},
		{"unequal in flight", "2 bins offered, 3 in flight", func(d *Document) { d.Series[0].Inflight = []int64{1, 2, 3} }},
		{"unequal overspend", "2 bins offered, 1 of overspend", func(d *Document) { d.Series[0].Overspend = []int64{1} }},
		{"unequal stranded", "2 bins offered, 3 stranded", func(d *Document) { d.Series[0].Stranded = []int64{1, 2, 3} }},
		{"negative stranded", "bin 0 holds -1", func(d *Document) { d.Series[0].Stranded = []int64{-1, 2} }},
		{"no bin width", "bin_ns is 0", func(d *Document) { d.Series[0].BinNs = 0 }},
		{"bins beyond time", "do not lie between", func(d *Document) { d.Series[0].BinNs = math.MaxInt64 }},
		{"negative count", "bin 1 holds -4", func(d *Document) { d.Series[0].Offered[1] = -4 }},
		{"not a number", "m: holds NaN", func(d *Document) { d.Results[0].Metrics["m"] = Summary{Mean: number(math.NaN())} }},
		{"infinite limit", "limit_per_bin is +Inf", func(d *Document) { d.Series[0].LimitPerBin = inf }},
		{"half an interval", "an interval with one end", func(d *Document) { d.Results[0].Metrics["m"] = Summary{Mean: number(1), Hi: number(2)} }},
		{"interval upside down", "an interval from 2 down to 1", func(d *Document) {
			d.Results[0].Metrics["m"] = Summary{Mean: number(1), Lo: number(2), Hi: number(1)}
		}},
		{"interval without mean", "an interval without a mean", func(d *Document) { d.Results[0].Metrics["m"] = Summary{Lo: number(1), Hi: number(1)} }},
		{"values", "1 values for 2 replications", func(d *Document) {
			d.Results[0].Metrics["m"] = Summary{Mean: number(1), Values: []*float64{number(1)}}
		}},
		{"unequal parts of a ratio", "m: 1 numerators and 2 denominators for 2 values", func(d *Document) {
			d.Results[0].Metrics["m"] = Summary{Mean: number(1), Values: []*float64{number(1), nil}, Pooled: PooledRatio, Numerators: []float64{1}, Denominators: []float64{1, 0}}
		}},
		{"a ratio to nothing", "m: a ratio to nothing", func(d *Document) {
			d.Results[0].Metrics["m"] = Summary{Mean: number(1), Values: []*float64{number(1), nil}, Pooled: PooledRatio, Numerators: []float64{1, 0}, Denominators: []float64{0, 0}}
		}},
		{"a quantile without the others", "m: 1 quantiles without a replication for 2 values", func(d *Document) {
			d.Results[0].Metrics["m"] = Summary{Mean: number(1), Values: []*float64{number(1), nil}, Pooled: PooledQuantile, Without: []float64{1}}
		}},
		{"pooled otherwise", `m: pooled as "sum"`, func(d *Document) { d.Results[0].Metrics["m"] = Summary{Mean: number(1), Pooled: "sum"} }},
		{"parts of a mean", "m: numerators", func(d *Document) { d.Results[0].Metrics["m"] = Summary{Mean: number(1), Without: []float64{1}} }},
		{"span", "ends at -1, before its start at 0", func(d *Document) { d.Scenarios[0].EndNs = -1 }},
		{"bucket", "bucket 1 starts at 8, inside the one before", func(d *Document) { d.Histograms[0].Buckets[0].Hi = 9 }},
		{"share", `tenant "t"`, func(d *Document) { d.Shares[0].Tenants[0].Admitted = -1 }},
	} {
		d := example()
		c.perturb(d)
		err := Encode(&bytes.Buffer{}, d)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}

// TestCheckLatestTime checks that a document may have requests of the last time that logs
// may have.
func TestCheckLatestTime(t *testing.T) {
	d := example()
	d.Series[0].StartNs, d.Series[0].BinNs = 7258118399e9, 1e9/2
	if err := d.Check(); err != nil {
		t.Error(err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	valid := string(encoded(t, example()))
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "unexpected end of JSON"},
		{"not JSON", "scenario,policy\n", "line 1: invalid character"},
		{"a scenario file that begins so", "\ufeffscenarios:\n  - name: one\n", "read results: a scenario file: limitgauge run and limitgauge gate read it"},
		{"a scenario file", "version: 1\nscenarios:\n  - name: one\n", "read results: a scenario file: limitgauge run and limitgauge gate read it"},
		{"other JSON", `{"a": 1}`, "no schema_version: not a results document"},
		{"an answer of tune", `{"schema_version": 1, "kind": "tune"}`, "the answer of tune: not a results document"},
		{"a list", `[1]`, "cannot unmarshal array"},
		{"cut short", valid[:len(valid)/2], "unexpected end of JSON"},
		{"more after it", valid + "{}", "after top-level value"},
		{"wrong type", strings.Replace(valid, `"partial": false`, `"partial": "no"`, 1), "cannot unmarshal string"},
		{"overflow", strings.Replace(valid, `"limit_per_bin": 2`, `"limit_per_bin": 1e999`, 1), "limit_per_bin"},
		{"unequal lists", strings.Replace(valid, `"admitted": [3, 2]`, `"admitted": [3]`, 1), "2 bins offered, 1 admitted"},
	} {
		_, err := Decode(strings.NewReader(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
	if _, err := decode(strings.NewReader(valid), int64(len(valid))-1); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("a document over the size limit: error %v", err)
	}
	if _, err := decode(strings.NewReader(valid), int64(len(valid))); err != nil {
		t.Errorf("a document at the size limit: error %v", err)
	}
}

func TestDecodeOtherSchema(t *testing.T) {
	// Fields of another schema may have other types, so the version must be
	// checked first.
	_, err := Decode(strings.NewReader(`{"schema_version": 7, "results": "elsewhere"}`))
	var schema *SchemaError
	if !errors.As(err, &schema) || schema.Got != 7 || schema.Want != SchemaVersion {
		t.Errorf("error %v, want a SchemaError from 7 to %d", err, SchemaVersion)
	}
	_, err = Decode(strings.NewReader(`{"schema_version": 1}`))
	if want := "results document has schema_version 1, this program reads 3: simulate its scenarios again"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}

func TestDecodeIgnoresUnknownFields(t *testing.T) {
	valid := string(encoded(t, example()))
	later := strings.Replace(valid, `"partial": false`, `"partial": false, "added_later": {"x": [1]}`, 1)
	got, err := Decode(strings.NewReader(later))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(example(), got); diff != "" {
		t.Errorf("an unknown field changed the document (-want +got):\n%s", diff)
	}
}

// FuzzDecode checks that any input gives an error, or a document that encodes
// and decodes to the same bytes. It must not panic.
func FuzzDecode(f *testing.F) {
	var out bytes.Buffer
	if err := Encode(&out, example()); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Add([]byte(`{"schema_version":1}`))
	f.Add([]byte(`{"schema_version":1,"scenarios":[{"name":"a"}],"results":[{"scenario":"a","metrics":{"m":null}}]}`))
	f.Add([]byte(`{"schema_version":1,"scenarios":[{"name":"\u2028\\\""}],"series":[{"scenario":"\u2028\\\"","offered":[1],"admitted":[1],"bin_ns":1}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := decode(bytes.NewReader(text), 1<<20)
		if err != nil {
			return
		}
		first := encoded(t, d)
		again, err := Decode(bytes.NewReader(first))
		if err != nil {
			t.Fatalf("what was encoded does not decode: %v\n%s", err, first)
		}
		if second := encoded(t, again); !bytes.Equal(first, second) {
			t.Errorf("encoded twice it differs:\n%s", cmp.Diff(string(first), string(second)))
		}
	})
}

// A document split by policy has each policy's rows in a separate scenario.
// Nothing else is lost or duplicated.
func TestPerPolicy(t *testing.T) {
	d := example()
	if diff := cmp.Diff(d, d.PerScenario()[0]); diff != "" {
		t.Errorf("the only scenario's part differs from the whole (-whole +part):\n%s", diff)
	}
	parts := d.PerScenario()[0].PerPolicy()
	if len(parts) != 2 {
		t.Fatalf("%d parts for 2 policies", len(parts))
	}
	for i, name := range []string{"p", "q"} {
		part := parts[i]
		if err := part.Check(); err != nil {
			t.Errorf("policy %s: %v", name, err)
		}
		if s := part.Scenarios[0]; s.Policy.Name != name || len(s.Policies) > 0 || len(part.Results) != 1 || part.Results[0].Policy != name || len(part.Series) != i {
			t.Errorf("policy %s: scenario %+v, results %+v, %d series", name, s, part.Results, len(part.Series))
		}
	}
	d.Scenarios[0].Policies = nil
	if parts := d.PerScenario()[0].PerPolicy(); len(parts) != 0 {
		t.Errorf("%d parts for one policy", len(parts))
	}
}
