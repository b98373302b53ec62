package sim

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/results"
	"github.com/limitgauge/limitgauge/traffic"
)

// underSeveral puts the traffic of a drawn scenario under two more policies.
func underSeveral(t *rapid.T, text string) string {
	first, rest, _ := strings.Cut(text, "    policy: ")
	policy, rest, _ := strings.Cut(rest, "\n")
	lines := strings.Split(rest, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "      - {name: entry") {
			continue
		}
		of := func(name string) string {
			return rapid.SampledFrom([]string{"none", "one", "{uniform: 4}", "{applies: 40%, keys: {zipf: 9}}", "{keys: {uniform: 5}, count: 3}", "{applies: 1/3}"}).Draw(t, name)
		}
		descriptors := fmt.Sprintf(", descriptors: {users: %s, all: %s}}", of("users"), rapid.SampledFrom([]string{"one", "none", "{applies: 50%}"}).Draw(t, "all"))
		lines[i] = strings.TrimSuffix(line, "}") + descriptors
	}
	return first + "    policies: [" + policy + ", users, all]\n" + strings.Join(lines, "\n") +
		"policies:\n  users: {limit: 20/500ms, burst: 8, reference: " + rapid.SampledFrom([]string{"token-bucket", "fixed-window", "sliding-log"}).Draw(t, "reference") +
		"}\n  all: {limit: 150/s, shared: true}\n"
}

// withRetries lets the callers of a drawn scenario try again, or not.
func withRetries(t *rapid.T, text string) string {
	return strings.Replace(text, "    traffic:\n", rapid.SampledFrom([]string{
		"", "    retries: {attempts: 2}\n", "    retries: {attempts: 1, backoff: {exponential: {base: 20ms}}}\n", "    retries: {attempts: 2, backoff: retry-after}\n",
	}).Draw(t, "retries")+"    traffic:\n", 1)
}

// One descriptor under the only policy is a key, and everything is as it is
// with one.
func TestOneDescriptorIsAKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := withRetries(t, drawScenario(t, 2, "", severalAlgorithms))
		_, policy, _ := strings.Cut(text, "policy: {limit: ")
		policy, _, _ = strings.Cut(policy, ",")
		a := simulate(t, text)
		b := simulate(t, strings.ReplaceAll(text, ", spread: ", ", descriptors: {"+policy+": {count: 1}}, spread: "))
		for _, part := range []struct {
			name string
			a, b any
		}{{"results", a.Results, b.Results}, {"series", a.Series, b.Series}, {"shares", a.Shares, b.Shares}, {"histograms", a.Histograms, b.Histograms}} {
			if !reflect.DeepEqual(part.a, part.b) {
				t.Fatalf("%s differ\n%s", part.name, text)
			}
		}
	})
}

// severalAlgorithms take several policies, as they come.
const severalAlgorithms = "fixed-window, sliding-window-log, sliding-window-counter, token-bucket, gcra, local-full, local-divided, windows-of-clients, " +
	"batch-reported, rejection-rate, rejection-rate-local, batch-debt, lossy, remote, remote-cached, sharded-memory, blocking-batches"

// What must hold under several policies: attempts end once each, the reference
// does as well as itself, an exact limiter that charges nobody for a refusal is
// the reference, and no refusal makes a limiter exceed what it promises.
func TestSeveralPolicies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := withRetries(t, underSeveral(t, drawScenario(t, 1, "", severalAlgorithms+", exact, charging, draining, thorough")))
		text = strings.Replace(text, "algorithms:\n", `algorithms:
  exact: {preset: gcra, charge: none}
  charging: {preset: token-bucket, charge: all}
  draining: {preset: fixed-window, refusal: drains}
  thorough: {preset: token-bucket, charge: none, refusal: drains}
`, 1)
		d := simulate(t, text)
		rows := map[string]results.Result{}
		for _, r := range d.Results {
			rows[r.Algorithm] = r
			of := func(name string) float64 { return *r.Metrics[name].Values[0] }
			for _, unit := range []string{"_cost", "_requests"} {
				if of("offered"+unit) != of("admitted"+unit)+of("rejected"+unit)+of("waiting"+unit) {
					t.Fatalf("%s: %v%s offered, %v admitted, %v rejected, %v waiting\n%s", r.Algorithm,
						of("offered"+unit), unit, of("admitted"+unit), of("rejected"+unit), of("waiting"+unit), text)
				}
			}
		}
		zero := func(algorithm string, metrics ...string) {
			for _, m := range metrics {
				if x := rows[algorithm].Metrics[m].Mean; x != nil && *x != 0 {
					t.Fatalf("%s: %s is %v\n%s", algorithm, m, *x, text)
				}
			}
		}
		zero("reference", "under_admission_pct", "long_run_error_pct", "lead_max", "lag_max", "false_reject_pct")
		for _, exact := range []string{"token-bucket", "gcra", "exact", "charging", "thorough"} {
			zero(exact, "burst_excess", "policed_pct")
		}
		zero("fixed-window", "over_limit_pct_max")
		zero("draining", "over_limit_pct_max")
		if strings.Contains(text, "reference: token-bucket") {
			zero("exact", "lead_max", "lag_max")
		}
		encode(t, d)
		if want := 3 * len(d.Results); len(d.ByPolicy) != want || len(d.PolicySeries) != want {
			t.Fatalf("%d rows and %d series by policy, want %d", len(d.ByPolicy), len(d.PolicySeries), want)
		}
	})
}

// What each key is offered and let through is what three lists of counts say,
// in which all that would let a refused request through are charged.
func TestSeveralKeyByKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := underSeveral(t, drawScenario(t, 1, "", "fixed-window"))
		f := load(t, text)
		plans, problems, err := prepare(context.Background(), f, &logReader{dir: f.Dir})
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		p := plans[0]
		type window struct {
			key   int32
			index int64
		}
		count := map[window]int64{}
		offered, admitted := map[string]int64{}, map[string]int64{}
		stream, block := p.traffic.Open(p.scenario.Seed, 0), traffic.NewBlock()
		for stream.Fill(block); block.N > 0; stream.Fill(block) {
			for i := range block.N {
				pass, cost := true, block.Cost[i]
				for _, key := range block.Descriptors.Of(i) {
					l := p.setting().LimitOf(key)
					w := window{key, block.Time[i] / l.Window}
					if count[w]+cost <= l.Count {
						count[w] += cost
					} else {
						pass = false
					}
				}
				if block.Time[i] < p.start {
					continue
				}
				for _, key := range block.Descriptors.Of(i) {
					offered[p.traffic.KeyName(int(key))] += cost
					if pass {
						admitted[p.traffic.KeyName(int(key))] += cost
					}
				}
			}
		}
		_, err = Run(context.Background(), f, Options{Details: Details{Keys: func(k *Key) error {
			if k.Algorithm == "fixed-window" && (k.Offered != offered[k.Key] || k.Admitted != admitted[k.Key]) {
				t.Fatalf("%s: %d of %d admitted, want %d of %d\n%s", k.Key, k.Admitted, k.Offered, admitted[k.Key], offered[k.Key], text)
			}
			return nil
		}}})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// What takes one key a request says so, at its place in the file.
func TestSeveralRefused(t *testing.T) {
	f := load(t, `
version: 1
duration: 10s
algorithms:
  draining: {preset: leaky-bucket, refusal: drains}
scenarios:
  - name: two
    policies: [{limit: 10/s}, {limit: 5/s}]
    traffic: [{pattern: constant, rate: 1/s}]
    algorithms: [token-bucket, leaky-bucket, rover, apisix-delayed-sync, remote]
  - {name: one, policy: {limit: 10/s}, traffic: [{pattern: constant, rate: 1/s}], algorithms: [draining]}
`)
	problems, err := Check(context.Background(), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range problems {
		got = append(got, p.String())
	}
	want := []string{
		"test.yaml:10:32: scenarios[0].algorithms[1]: leaky-bucket: counter leaky-bucket works with one policy and one descriptor a request, and this scenario has more",
		"test.yaml:10:46: scenarios[0].algorithms[2]: rover: counter rover works with one policy and one descriptor a request, and this scenario has more",
		"test.yaml:10:53: scenarios[0].algorithms[3]: apisix-delayed-sync: enforcement delayed-sync works with one policy and one descriptor a request, and this scenario has more",
		"test.yaml:11:96: scenarios[1].algorithms[0]: draining: refusal: drains is for counters that decide at arrival, not for leaky-bucket",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Costs count for the policies that they are asked of alone: a bucket need not
// hold, and the reference does not, what never comes to it.
func TestCostsUnderSeveral(t *testing.T) {
	d := simulate(t, `
version: 1
duration: 2s
scenarios:
  - name: large
    policies: [{limit: 50/s, burst: 50}, {limit: 5/s, burst: 5}, {limit: 1/s}]
    traffic:
      - {pattern: list, events: [{at: 0s, cost: 50}], descriptors: {5/s: none, 1/s: none}}
      - {pattern: list, events: [{at: 1s, count: 10}], descriptors: {1/s: none}}
    algorithms: [token-bucket]
`)
	if got, want := d.Scenarios[0].Warnings, []string{"policy 1/s applies to no request"}; !reflect.DeepEqual(got, want) {
		t.Errorf("warnings %q, want %q", got, want)
	}
	exactly(t, d, "large", "reference", "admitted_cost", 55)
	exactly(t, d, "large", "token-bucket", "admitted_cost", 55)
}
