package results_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// whole is a file whose document has an entry in nearly every list.
const whole = `version: 1
duration: 3s
replications: 3
metrics: full
algorithms: {batches: {preset: batch-debt, interval: 500ms}}
scenarios:
  - name: random
    policy: {limit: 40/s, burst: 20}
    topology: {clients: 3, servers: 2}
    traffic: [{pattern: poisson, rate: 150/s, keys: {uniform: {count: 3}}, cost: {uniform: {min: 1, max: 2}}}]
    retries: {attempts: 2}
    faults: [{server-crash: {from: 1s}}]
    expect:
      batches: {over_limit_pct: "<= 25", under_admission_pct: {not_worse: 5%}}
    algorithms: [batches]
  - name: exact
    policy: {limit: 40/s}
    topology: {clients: 2}
    traffic: [{pattern: constant, rate: 75/s, tenants: {uniform: {count: 2}}}]
    algorithms: [leaky-bucket]
`

// kept are the metrics that stay in the document.
var kept = regexp.MustCompile(`^((offered|admitted|rejected|waiting|dispatched)_.*requests|(offered|dispatched)_cost|offered_per_s|rejected_pct|over_limit_pct|over_limit_pct_(max|p99)|long_run_error_pct|fairness_.*_run_jain|client_share_m.*|server_(calls|entries)_per_s|server_calls_max_peak_1s|retry_ampl.*|fresh_requests|decision_latency_(mean|p99)_ms)$`)

// open are the numbers of which some changes are read, because nothing else in the document
// determines them: how many percent of the changes at most, and why.
var open = map[string]struct {
	most int
	why  string
}{
	".stamp.seed":                          {100, "an input"},
	".scenarios.seed":                      {100, "an input"},
	".scenarios.clients":                   {100, "an input"},
	".scenarios.servers":                   {100, "an input"},
	".scenarios.tenants":                   {100, "an input"},
	".scenarios.keys":                      {100, "an input, of which not all keys need be seen"},
	".scenarios.policy.burst":              {100, "an input"},
	".scenarios.expectations.line":         {100, "a place in the file"},
	".scenarios.expectations.col":          {100, "a place in the file"},
	".scenarios.faults.line":               {100, "a place in the file"},
	".scenarios.faults.col":                {100, "a place in the file"},
	".scenarios.advised_warmup_ns":         {100, "from the traffic, which the document has as text"},
	".scenarios.drain_ns":                  {100, "from the traffic, which the document has as text"},
	".client_shares.clients.client":        {100, "the name of a client"},
	".server_loads.servers.server":         {100, "the name of a server, if they still rise"},
	".client_shares.clients.fair":          {35, "the last digits, which rounding leaves open"},
	".results.halves.METRIC.denominators":  {60, "observations that are all 0: their ratio is 0, however many they are"},
	".results.metrics.METRIC.denominators": {12, "observations that are all 0: their ratio is 0, however many they are"},
	".results.halves.METRIC.values":        {5, "the value of a replication: the last digits, as the mean is rounded"},
	".results.metrics.METRIC.values":       {5, "the value of a replication: the last digits, as the mean is rounded, and quantiles of all but the first replication"},
}

// TestChangedDigits changes every digit of every number of a document, one at a time. Of the
// figures that can be computed from others, no change may be read.
func TestChangedDigits(t *testing.T) {
	f, problems := scenarios.Load("whole.yaml", []byte(whole), ".", sim.Catalog())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	d, err := sim.Run(context.Background(), f, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range d.Results {
		maps.DeleteFunc(r.Metrics, func(name string, _ results.Summary) bool { return !kept.MatchString(name) })
	}
	d.Results, d.Series, d.Histograms = withoutReference(d.Results), withoutReference(d.Series), withoutReference(d.Histograms)
	d.Shares, d.ClientShares = withoutReference(d.Shares), withoutReference(d.ClientShares)
	d.ServerLoads, d.Rejections = withoutReference(d.ServerLoads), withoutReference(d.Rejections)
	d.Histograms = slices.DeleteFunc(d.Histograms, func(h results.Histogram) bool { return h.Name != "decision_latency" })
	var out bytes.Buffer
	if err := results.Encode(&out, d); err != nil {
		t.Fatal(err)
	}
	text := out.Bytes()
	if _, err := results.Decode(bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	tried, passed, seen := map[string]int{}, map[string]int{}, map[string]int{}
	for _, n := range numbersOf(t, text) {
		if seen[n.path]++; strings.HasPrefix(n.path, ".series.") && seen[n.path]%15 != 1 {
			continue // bins are many, and all alike
		}
		for i := n.from; i < n.to; i++ {
			old := text[i]
			if old < '0' || old > '9' {
				continue
			}
			text[i] = '0' + (old-'0'+1)%10
			if x, err := strconv.ParseFloat(string(text[n.from:n.to]), 64); err == nil && json.Valid(text[n.from:n.to]) && x != n.value {
				tried[n.path]++
				if _, err := results.Decode(bytes.NewReader(text)); err == nil {
					passed[n.path]++
				}
			}
			text[i] = old
		}
	}
	all, read := 0, 0
	for _, path := range slices.Sorted(maps.Keys(tried)) {
		if n := tried[path]; 100*passed[path] > n*open[path].most {
			t.Errorf("%s: %d of %d changes are read, at most %d %% may be (%s)", path, passed[path], n, open[path].most, open[path].why)
		}
		if open[path].most == 0 {
			all, read = all+tried[path], read+passed[path]
		}
	}
	for path := range open {
		if passed[path] == 0 {
			t.Errorf("%s: no change is read of %d; strike it from the list", path, tried[path])
		}
	}
	if all < 3000 {
		t.Errorf("only %d digits of derived figures were changed", all)
	}
	t.Logf("%d of %d changed digits of derived figures are read", read, all)
}

// withoutReference drops the rows of references, to keep the document small.
func withoutReference[T any](rows []T) []T {
	return slices.DeleteFunc(rows, func(row T) bool {
		return strings.HasPrefix(reflect.ValueOf(row).FieldByName("Algorithm").String(), "reference")
	})
}

// number is a number in a document, with its path, in which places in lists are left out.
type number struct {
	path     string
	from, to int
	value    float64
}

func numbersOf(t *testing.T, text []byte) (list []number) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var walk func(path string)
	token := func() json.Token {
		x, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	walk = func(path string) {
		switch x := token().(type) {
		case json.Delim:
			for d.More() {
				inner := path
				if x == '{' {
					name := token().(string)
					if strings.HasSuffix(path, ".metrics") || strings.HasSuffix(path, ".halves") {
						name = "METRIC"
					}
					inner += "." + name
				}
				walk(inner)
			}
			token()
		case json.Number:
			to := int(d.InputOffset())
			value, _ := x.Float64()
			list = append(list, number{path, to - len(x), to, value})
		}
	}
	walk("")
	return list
}
