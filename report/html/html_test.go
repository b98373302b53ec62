package html

import (
	"bytes"
	"fmt"
	"html/template"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/internal/testing/golden"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

func TestStructure(t *testing.T) {
	got := outline(elements(t, render(t, small())))
	golden.Compare(t, "testdata/small.outline", []byte(got))
}

func TestSameBytesAndDocumentUntouched(t *testing.T) {
	doc := small()
	first := render(t, doc)
	for range 5 {
		if render(t, doc) != first {
			t.Fatal("the same document gives other bytes")
		}
	}
	if diff := cmp.Diff(small(), doc); diff != "" {
		t.Errorf("writing changed the document:\n%s", diff)
	}
}

func TestVerdictComesFirst(t *testing.T) {
	unexpected := small()
	unexpected.Scenarios[0].Expectations, unexpected.Input = nil, nil
	partial := small()
	partial.Scenarios[0].Expectations = nil
	partial.Partial = true
	measured := small()
	measured.Scenarios[0].Expectations, measured.Stamp.Kind = nil, results.KindLive
	measured.Results[1].Live = &results.Live{Over: results.LiveVerdict{Outcome: "broken", Text: "over the limit (certified: 9 requests)"}}
	passed := small()
	passed.Scenarios[0].Expectations = passed.Scenarios[0].Expectations[1:2]
	for _, c := range []struct {
		name      string
		doc       *results.Document
		want, not []string
	}{
		{"failed", small(), []string{`class="verdict failed"`, "failed: 1 passed, 1 failed, 1 unevaluated",
			`<td>batch</td><td><a href="#metric-over_limit_pct"`, `<td class="num">&lt;= 10</td><td class="num">30</td><td class="num">31</td><td class="num">7</td><td>scenarios.yaml:20</td>`}, nil},
		{"passed", passed, []string{`class="verdict passed"`, "1 passed, 0 failed", "&lt;= 9"}, []string{"Nothing expected"}},
		{"nothing expected", unexpected, []string{`class="verdict nothing"`, "Nothing expected", "nothing passed and nothing failed"}, []string{"✓"}},
		{"violation", measured, []string{`class="verdict failed"`, `✗</span> ` + measured.Results[1].Label() + ": over the limit (certified: 9 requests)</h2>"}, []string{"Nothing expected", "no verdict"}},
		{"partial", partial, []string{`class="verdict nothing"`, "unevaluated", "interrupted"}, []string{"✓"}},
	} {
		page := render(t, c.doc)
		start := strings.Index(page, `<section id="verdict"`)
		end := strings.Index(page, "<nav")
		if start < 0 || end < start || strings.Index(page, `class="scenario"`) < end {
			t.Fatalf("%s: the verdict is not what comes first", c.name)
		}
		for _, want := range c.want {
			if !strings.Contains(page[start:end], want) {
				t.Errorf("%s: verdict lacks %q:\n%s", c.name, want, page[start:end])
			}
		}
		for _, not := range c.not {
			if strings.Contains(page[start:end], not) {
				t.Errorf("%s: verdict says %q", c.name, not)
			}
		}
	}
}

// A page about a recorded log without expectations begins with what was read and
// with the sentence of the comparison.
func TestReplayBeginsWithWhatWasRead(t *testing.T) {
	doc := small()
	doc.Scenarios[0].Expectations = nil
	doc.Input = []results.Input{{Scenario: "fleet", Files: []string{"access.log"}, Format: "combined", Rows: 1, Keys: 2, LastNs: 3600e9, Malformed: 3,
		Choices: []results.InputChoice{{File: "access.log", Text: "time: date  key: host  cost: 1", Others: []results.Candidate{{Of: "key", Field: "user", Flag: "--per user"}}}}}}
	page := render(t, doc)
	_, lead, _ := strings.Cut(page, `<main id="main">`)
	lead, _, found := strings.Cut(lead, "<nav")
	if !found {
		t.Fatal("no lead before the contents")
	}
	for _, want := range []string{"1 recorded request<", "access.log (combined): 1 request of 2 keys in 1h, and 3 malformed rows", "<li>time: date  key: host  cost: 1</li>", "other candidates: key user (--per user)", `<p class="sentence"><a href="#scenario-fleet">fleet</a>: Furthest over the limit`} {
		if !strings.Contains(lead, want) {
			t.Errorf("the lead lacks %q:\n%s", want, lead)
		}
	}
	if strings.Contains(page, "Nothing expected") || strings.Contains(page, "Skip to the verdict") {
		t.Error("the page speaks of a verdict")
	}
	doc.Scenarios[0].Expectations = small().Scenarios[0].Expectations
	if page := render(t, doc); !strings.Contains(page, `<section id="verdict" class="verdict failed"`) || strings.Contains(page, `id="lead"`) {
		t.Error("with expectations the page does not begin with the verdict")
	}
}

// Many unevaluated checks do not push the results off the page.
func TestManyUnevaluatedAreFolded(t *testing.T) {
	doc := small()
	one := doc.Scenarios[0].Expectations[len(doc.Scenarios[0].Expectations)-1]
	for range 20 {
		doc.Scenarios[0].Expectations = append(doc.Scenarios[0].Expectations, one)
	}
	page := render(t, doc)
	_, folded, found := strings.Cut(page, "<details><summary>21 unevaluated: ")
	if !found {
		t.Fatal("no folded list of unevaluated checks")
	}
	folded, _, _ = strings.Cut(folded, "</details>")
	if n := strings.Count(folded, `class="status unevaluated"`); n != 21 {
		t.Errorf("%d checks in the folded list, want 21", n)
	}
	if strings.Contains(folded, `class="status failed"`) || !strings.Contains(page, "<caption>Failed or not evaluated</caption>") {
		t.Error("the failed check is folded, too")
	}
}

// Every metric on the page has a link to its definition on the page, and the
// page defines no other metric.
func TestEveryMetricIsDefined(t *testing.T) {
	page := render(t, small())
	defined := map[string]bool{}
	for _, e := range elements(t, page) {
		if id := e.attrs["id"]; strings.HasPrefix(id, "metric-") {
			defined[id] = true
		}
	}
	for _, m := range regexp.MustCompile(`href="#(metric-[^"]*)"`).FindAllStringSubmatch(page, -1) {
		if !defined[m[1]] {
			t.Errorf("%s is linked and not defined", m[1])
		}
	}
	want := []string{"over_limit_pct", "burst_excess", "over_admission_pct", "under_admission_pct", "rejected_pct", "decision_latency_p99_ms",
		"fairness_tenant_run_min", "server_calls_per_s", "long_run_error_pct", "settle_s"}
	for _, name := range want {
		if !defined["metric-"+name] {
			t.Errorf("%s is shown and not defined", name)
		}
	}
	if len(defined) != len(want) {
		t.Errorf("%d definitions for %d metrics shown: %v", len(defined), len(want), defined)
	}
	columns := regexp.MustCompile(`(?s)What the columns mean</summary>(.*?)</dl>`).FindAllStringSubmatch(page, -1)
	if len(columns) != 2 {
		t.Fatalf("%d tables define their columns, want 2", len(columns))
	}
	for _, m := range registry[:7] {
		for i, c := range columns {
			if i == 1 && (m.Name == "over_limit_pct" || m.Name == "over_admission_pct") {
				continue // left out, without data in any row
			}
			if !strings.Contains(c[1], template.HTMLEscapeString(m.Doc)) || !strings.Contains(c[1], template.HTMLEscapeString(m.Formula)) {
				t.Errorf("a table does not define its column %s beside it", m.Name)
			}
		}
	}
	if !strings.Contains(page, "This version does not know the metric.") {
		t.Error("the unknown metric does not say so")
	}
}

// The key that is furthest over its limit stands under its figure.
func TestWorstKeyIsNamed(t *testing.T) {
	doc := small()
	doc.Results[0].Metrics[table.WorstKey], doc.Results[0].WorstKey = sample(102), "shop-7"
	if page := render(t, doc); !strings.Contains(page, `102<br><span class="key">shop-7</span></td>`) {
		t.Error("the page does not name the worst key")
	}
}

// hostile closes every construct that could contain it and starts a script.
const hostile = `</script></style></title></svg>--><script>hacked=1</script><img src=x onerror="hacked=1">"'` + "`" + `javascript:hacked=1 http://example.org/ &amp; {{.}} \u003cscript ` + "\x00\x1b\xff"

// poison appends the hostile text to every string of a value.
func poison(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			poison(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			switch v.Type().Field(i).Name {
			case "Op", "Unit": // the program interprets their values
			default:
				poison(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			poison(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			one := reflect.New(v.Type().Elem()).Elem()
			one.Set(v.MapIndex(key))
			poison(one)
			v.SetMapIndex(key, one)
		}
	case reflect.String:
		v.SetString(v.String() + hostile)
	}
}

func poisoned() *results.Document {
	doc := small()
	doc.Results[0].Metrics["odd"+hostile] = sample(1, 2, 3)
	poison(reflect.ValueOf(doc))
	for i := range doc.Scenarios[0].Expectations {
		e := &doc.Scenarios[0].Expectations[i]
		e.Metric = strings.TrimSuffix(e.Metric, hostile)
	}
	return doc
}

func TestHostileText(t *testing.T) {
	page := render(t, poisoned())
	if n := strings.Count(page, "<script"); n != 1 {
		t.Errorf("%d scripts, want the page's own alone", n)
	}
	count := map[string]int{}
	for _, e := range elements(t, page) {
		count[e.name]++
		for name, value := range e.attrs {
			if strings.HasPrefix(name, "on") || name == "src" || name == "style" || strings.HasPrefix(strings.TrimSpace(value), "javascript:") {
				t.Errorf("<%s %s=%q>", e.name, name, value)
			}
		}
	}
	for _, e := range elements(t, render(t, small())) {
		count[e.name]--
	}
	// The changed document shows one additional metric: a line of the further
	// table and a definition. Nothing else may change.
	for name, n := range count {
		switch name {
		case "script", "style", "img", "title", "svg", "body", "html", "section", "figure", "link", "meta":
			if n != 0 && !(name == "title" && n < 0) {
				t.Errorf("%d more <%s> than in the harmless document", n, name)
			}
		}
	}
	for _, place := range []string{"fleet", "batch", "three times the limit", "access.log", "the network is slow", "limitgauge run scenarios.yaml", "loud"} {
		if !strings.Contains(page, place+"&lt;/script&gt;") {
			t.Errorf("%q is not on the page with the text behind it", place)
		}
	}
}

// The page loads nothing: no attribute that loads, no import in the style, and
// a policy that forbids everything else.
func TestNothingLoads(t *testing.T) {
	for _, e := range elements(t, render(t, small())) {
		for name, value := range e.attrs {
			switch name {
			case "src", "srcset", "poster", "action", "formaction", "ping", "background", "data":
				t.Errorf("<%s %s=%q> loads", e.name, name, value)
			case "href":
				if !strings.HasPrefix(value, "#") && value != "data:," {
					t.Errorf("<%s href=%q> leads away", e.name, value)
				}
			case "content":
				if e.attrs["http-equiv"] == "Content-Security-Policy" && !strings.HasPrefix(value, "default-src 'none'; style-src 'sha256-") {
					t.Errorf("policy: %s", value)
				}
			}
		}
	}
	for _, word := range []string{"url(", "@import", "http:", "https:", "src:"} {
		if strings.Contains(styleText, word) {
			t.Errorf("style.css has %s", word)
		}
	}
	for _, word := range []string{"fetch(", "XMLHttpRequest", "import(", "WebSocket", "sendBeacon", "innerHTML", "eval("} {
		if strings.Contains(scriptText, word) {
			t.Errorf("script.js has %s", word)
		}
	}
}

// large returns a document of 8 scenarios with 10 algorithms each, with all the
// data that a run records.
func large() *results.Document {
	r := rand.New(rand.NewPCG(1, 2))
	doc := &results.Document{SchemaVersion: results.SchemaVersion}
	for i := range 8 {
		s := results.Scenario{Name: fmt.Sprintf("scenario %d", i), Keys: 40, Tenants: 40, EndNs: 60e9, Policy: results.Policy{Limit: 1000, Text: "1000/s"}}
		doc.Scenarios = append(doc.Scenarios, s)
		for j := range 10 {
			row := results.Result{Scenario: s.Name, Algorithm: fmt.Sprintf("algorithm-%d", j), Reference: j == 0, Replications: 20, Metrics: map[string]results.Summary{}}
			for _, m := range registry {
				row.Metrics[m.Name] = sample(r.Float64(), r.Float64())
			}
			for k := range 100 {
				row.Metrics[fmt.Sprintf("another_metric_with_a_name_%d_ms", k)] = sample(r.Float64(), r.Float64())
			}
			series := results.Series{Scenario: s.Name, Algorithm: row.Algorithm, BinNs: 100e6, LimitPerBin: 100}
			for range 600 {
				series.Offered = append(series.Offered, r.Int64N(100000))
				series.Admitted = append(series.Admitted, r.Int64N(100000))
				series.Inflight = append(series.Inflight, r.Int64N(100000))
			}
			shares := results.Shares{Scenario: s.Name, Algorithm: row.Algorithm}
			for k := range 21 {
				shares.Tenants = append(shares.Tenants, results.Share{Tenant: fmt.Sprintf("tenant-%d", k), Offered: r.Int64N(1e6), Admitted: r.Int64N(1e6), Fair: 1e5})
			}
			for _, kind := range []string{"decision_latency", "wait", "staleness", "report_latency", "cycle_latency"} {
				h := results.Histogram{Scenario: s.Name, Algorithm: row.Algorithm, Name: kind, Unit: "ns"}
				for k, at := 0, 1e3; k < 1100; k, at = k+1, at*1.02 {
					h.Buckets = append(h.Buckets, results.Bucket{Lo: int64(at), Hi: int64(at * 1.02), Count: 1 + r.Int64N(1000)})
				}
				doc.Histograms = append(doc.Histograms, h)
			}
			doc.Results, doc.Series, doc.Shares = append(doc.Results, row), append(doc.Series, series), append(doc.Shares, shares)
		}
	}
	return doc
}

func TestSize(t *testing.T) {
	if n := len(render(t, large())); n > 5<<20 {
		t.Errorf("a page of 8 scenarios with 10 algorithms each is %d bytes", n)
	} else {
		t.Logf("%d bytes", n)
	}
}

// Extreme but valid values are drawn quickly and without an invalid number.
func TestExtremes(t *testing.T) {
	huge := math.MaxFloat64
	for name, change := range map[string]func(*results.Document){
		"empty": func(d *results.Document) { *d = results.Document{} },
		"no rows": func(d *results.Document) {
			d.Results, d.Series, d.Shares, d.Histograms, d.Rejections = nil, nil, nil, nil, nil
		},
		"huge": func(d *results.Document) {
			for _, r := range d.Results {
				for m := range r.Metrics {
					r.Metrics[m] = results.Summary{Mean: &huge, Lo: &huge, Hi: &huge, Values: []*float64{&huge}}
				}
			}
		},
		"huge and tiny": func(d *results.Document) {
			for i, x := range []float64{huge, 5e-324, 0, 1} {
				d.Results[i].Metrics["over_limit_pct"] = sample(x)
				d.Results[i].Metrics["server_calls_per_s"] = sample(x)
			}
		},
		"negative": func(d *results.Document) {
			for _, r := range d.Results {
				for m := range r.Metrics {
					r.Metrics[m] = sample(-1, -2, -3)
				}
			}
		},
		"late": func(d *results.Document) {
			for i := range d.Series {
				d.Series[i].StartNs = math.MaxInt64
			}
		},
		"long": func(d *results.Document) {
			for i := range d.Series {
				d.Series[i].BinNs = math.MaxInt64 / 2
			}
		},
		"early": func(d *results.Document) {
			for i := range d.Series {
				d.Series[i].StartNs = -5e9
			}
		},
		"full bins": func(d *results.Document) {
			for i := range d.Series {
				d.Series[i].Offered = []int64{math.MaxInt64, 0, math.MaxInt64, 1}
			}
		},
		"uneven series": func(d *results.Document) {
			d.Series[0].Admitted = nil
			d.Series[1].Inflight = []int64{1}
		},
		"slow": func(d *results.Document) {
			d.Histograms[0].Buckets = []results.Bucket{{Lo: 0, Hi: 1, Count: 1}, {Lo: math.MaxInt64 - 1, Hi: math.MaxInt64, Count: math.MaxInt32}}
		},
		"no values": func(d *results.Document) {
			for _, r := range d.Results {
				for m, s := range r.Metrics {
					s.Values = nil
					r.Metrics[m] = s
				}
			}
		},
	} {
		doc := small()
		change(doc)
		page := render(t, doc)
		for _, e := range elements(t, page) {
			for _, a := range []string{"d", "x", "y", "width", "height", "cx", "cy", "viewBox"} {
				if v := e.attrs[a]; e.inSVG && (strings.Contains(v, "NaN") || strings.Contains(v, "Inf")) {
					t.Errorf("%s: <%s %s=%q>", name, e.name, a, v)
				}
			}
		}
	}
}

func TestWriteError(t *testing.T) {
	err := Write(failing{}, small(), []catalog.Metric{})
	if err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("err = %v", err)
	}
	var out bytes.Buffer
	if err := Write(&out, small(), nil); err != nil {
		t.Error(err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, fmt.Errorf("disk full") }
