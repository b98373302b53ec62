package sim_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// work runs one scenario of workers, "work", with these lines and algorithms.
func work(t *testing.T, lines string, algorithms ...string) *results.Document {
	t.Helper()
	names := make([]string, len(algorithms))
	definitions := ""
	for i, a := range algorithms {
		name, definition, defined := strings.Cut(a, " = ")
		if names[i] = name; defined {
			definitions += fmt.Sprintf("  %s: %s\n", name, definition)
		}
	}
	if definitions != "" {
		definitions = "algorithms:\n" + definitions
	}
	return simtest.Run(t, fmt.Sprintf("version: 1\nduration: 1h\nreplications: 2\n%sscenarios:\n  - name: work\n%s\n    algorithms: [%s]\n",
		definitions, strings.TrimRight(lines, "\n"), strings.Join(names, ", ")))
}

// TestWorkersClosedForms checks figures of workers that follow from what they do.
func TestWorkersClosedForms(t *testing.T) {
	for _, c := range []struct {
		name, lines, algorithm string
		want                   map[string]float64
	}{
		// As many attempts as a herd of 30 requests makes, which retry alike.
		{"herd", `
    policy: {limit: 60/min, burst: 10}
    traffic: [{pattern: workers, count: 30, jobs: 30}]
    retries: {attempts: 10, backoff: retry-after}`, "token-bucket",
			map[string]float64{"offered_requests": 185, "rejected_requests": 165, "jobs_finished": 20, "jobs_given_up": 10, "herd_max": 20, "finish_s": 10}},
		// kubernetes/client-go#564: 80 requests at a pace of 5 a second, burst 10.
		{"client-go", `
    policy: {limit: 1000/s}
    traffic: [{pattern: workers, count: 80, jobs: 80}]
    callers: {pace: {limit: 5/s, burst: 10}}`, "token-bucket",
			map[string]float64{"finish_s": 14, "jobs_finished": 80, "rejected_requests": 0, "job_time_max_s": 14, "retry_amplification": 1}},
		// Without a limit, N workers make N/(answer + think) calls per second.
		{"free", `
    policy: {limit: 1000/s}
    traffic: [{pattern: workers, count: 12, answer: 2s, think: 1s}]`, "token-bucket",
			map[string]float64{"offered_requests": 12 * 1200, "jobs_finished": 12 * 1200, "jobs_left": 0, "worker_time_answer_pct": 100. * 2 / 3, "worker_time_think_pct": 100. / 3}},
		// With c calls in flight, jobs take jobs * answer / c.
		{"in flight", `
    policy: {limit: 1000/s}
    traffic: [{pattern: workers, count: 10, jobs: 100, answer: 3s}]
    callers: {in_flight: 4}`, "token-bucket",
			map[string]float64{"finish_s": 75, "fairness_worker_jain": 1}},
		// Two processes have twice as many. The last answers end with the run.
		{"processes", `
    policy: {limit: 1000/s}
    traffic: [{pattern: workers, count: 10, answer: 3s}]
    callers: {in_flight: 4, processes: 2}`, "token-bucket",
			map[string]float64{"jobs_finished": 8 * 1199, "offered_requests": 8 * 1200}},
		// Each window admits as many of a herd as its limit; the last of 25 in the third.
		{"windows", `
    policy: {limit: 10/min, reference: fixed-window}
    traffic: [{pattern: workers, count: 25, jobs: 25}]
    retries: {attempts: unlimited, backoff: retry-after}`, "fixed-window",
			map[string]float64{"finish_s": 120, "ideal_finish_s": 120, "offered_requests": 25 + 15 + 5, "herd_max": 15, "idle_limit_pct": 0}},
		{"too dear", `
    policy: {limit: 10/min, reference: fixed-window}
    traffic: [{pattern: workers, count: 3, jobs: 9, cost: 11, answer: 1s}]`, "fixed-window",
			map[string]float64{"jobs_given_up": 9, "ideal_finish_s": math.NaN()}},
		// The ideal begins with the first workers, in windows of the calendar or sliding ones.
		{"late", `
    policy: {limit: 60/min, burst: 10}
    traffic: [{pattern: workers, count: 9, jobs: 99, from: 90s, answer: 2s}, {pattern: workers, count: 1, jobs: 1, from: 100s, answer: 3s}]
    retries: {attempts: unlimited, backoff: retry-after}`, "token-bucket",
			map[string]float64{"finish_s": 182, "ideal_finish_s": 182}},
		{"late windows", `
    policy: {limit: 10/min, reference: fixed-window}
    traffic: [{pattern: workers, count: 25, jobs: 25, from: 90s}]
    retries: {attempts: unlimited, backoff: retry-after}`, "fixed-window",
			map[string]float64{"finish_s": 180, "ideal_finish_s": 180}},
		{"late log", `
    policy: {limit: 10/min, reference: sliding-log}
    traffic: [{pattern: workers, count: 25, jobs: 25, from: 90s}]
    retries: {attempts: unlimited, backoff: retry-after}`, "sliding-window-log",
			map[string]float64{"finish_s": 210, "ideal_finish_s": 210}},
		// A call that needs 2.5 s of two paces waits for the longer one: 4 calls of 100 tokens at
		// 100 tokens in 2.5 s, and at one call a second.
		{"two paces", `
    policy: {limit: 100k/s}
    traffic: [{pattern: workers, count: 4, jobs: 4, cost: 100}]
    callers: {pace: [1/s, {limit: 40/s, of: tokens}]}`, "token-bucket",
			map[string]float64{"finish_s": 7.5, "worker_time_pace_pct": 100}},
		// A pace of tokens holds one of the dearest calls of its workers, whatever others send.
		{"pace beside dear calls", `
    policy: {limit: 100k/s}
    traffic: [{pattern: workers, count: 5, jobs: 5, cost: 10}, {pattern: workers, count: 1, jobs: 1, cost: 50}, {pattern: constant, rate: 1/min, cost: 90}]
    callers: {pace: {limit: 10/s, of: tokens}}`, "token-bucket",
			map[string]float64{"finish_s": 4}},
		// Retry-After in whole seconds: the token after 1.5 s is asked for after 2 s.
		{"whole seconds", `
    policy: {limit: 2/3s, burst: 1}
    traffic: [{pattern: workers, count: 1, jobs: 3}]
    retries: {attempts: 5, backoff: {retry-after: {seconds: up}}}`, "token-bucket",
			map[string]float64{"finish_s": 4, "retried_requests": 2}},
		{"cut", `
    policy: {limit: 1/10s, burst: 1}
    traffic: [{pattern: workers, count: 1, jobs: 2}]
    retries: {attempts: 9, backoff: {retry-after: {longest: 4s}}}`, "token-bucket",
			map[string]float64{"finish_s": 10, "retried_requests": 3}}, // after 4, 8 and 10 s
		{"too long", `
    policy: {limit: 1/10s, burst: 1}
    traffic: [{pattern: workers, count: 1, jobs: 3, answer: 4s}]
    retries: {attempts: 9, backoff: {retry-after: {longest: 5s, beyond: give-up}}}`, "token-bucket",
			map[string]float64{"jobs_finished": 1, "jobs_given_up": 2, "finish_s": 4}}, // the token after 6 s is too late for two jobs
		// Requests and tokens per minute together: 40 jobs of 10 tokens need 39 refills of 6 s of
		// requests, and 30 of 4 s of tokens.
		{"requests and tokens", `
    policies: [{limit: 10/min, burst: 1, counts: requests}, {limit: 150/min, burst: 100}]
    traffic: [{pattern: workers, count: 8, jobs: 40, cost: 10}]
    retries: {attempts: unlimited, backoff: retry-after}`, "token-bucket = {preset: token-bucket, charge: none}",
			map[string]float64{"finish_s": 234, "ideal_finish_s": 234, "over_admission_pct": 0}},
		{"tokens and requests", `
    policies: [{limit: 20/min, burst: 10, counts: requests}, {limit: 150/min, burst: 100}]
    traffic: [{pattern: workers, count: 8, jobs: 40, cost: 10}]
    retries: {attempts: unlimited, backoff: retry-after}`, "token-bucket = {preset: token-bucket, charge: none}",
			map[string]float64{"finish_s": 120, "ideal_finish_s": 120}},
		// gRPC's throttle: of 10 tokens 30 refusals leave none, and four of them find more
		// than half left.
		{"grpc", `
    policy: {limit: 1/min, burst: 1}
    traffic: [{pattern: workers, count: 31, jobs: 31}]
    callers: {retry: {attempts: 1, backoff: {constant: 1s}}, budget: {grpc: {max: 10, ratio: 0.1}}}`, "token-bucket",
			map[string]float64{"retried_requests": 4, "jobs_given_up": 30}},
		// Envoy's: three at a time, whatever is open. They all come back after a second.
		{"share", `
    policy: {limit: 1/min, burst: 1}
    traffic: [{pattern: workers, count: 31, jobs: 31}]
    callers: {retry: {attempts: 2, backoff: {constant: 1s}}, budget: share}`, "token-bucket",
			map[string]float64{"retried_requests": 6, "jobs_given_up": 30}},
		// Two processes have a budget each.
		{"share of processes", `
    policy: {limit: 1/min, burst: 1}
    traffic: [{pattern: workers, count: 31, jobs: 31}]
    callers: {retry: {attempts: 2, backoff: {constant: 1s}}, budget: share, processes: 2}`, "token-bucket",
			map[string]float64{"retried_requests": 12}},
		// Finagle's: 31 first calls deposit 6.2 retries, and one a second for 10 s are always there.
		{"deposits", `
    policy: {limit: 1/min, burst: 1}
    traffic: [{pattern: workers, count: 31, jobs: 31}]
    callers: {retry: {attempts: 1, backoff: {constant: 1s}}, budget: {deposits: {min: 1}}}`, "token-bucket",
			map[string]float64{"retried_requests": 16}},
		// A stock that is not done counts as left, also beside one without an end.
		{"two stocks", `
    policy: {limit: 1000/s}
    traffic:
      - {pattern: workers, count: 2, jobs: 10000, answer: 3s}
      - {pattern: workers, count: 1, answer: 2s}`, "token-bucket",
			map[string]float64{"jobs_finished": 2*1199 + 1799, "jobs_left": 10000 - 2*1199 + 1, "finish_s": math.NaN()}},
		// Others than workers come back together: four of five that are refused at 0.
		{"others", `
    policy: {limit: 1/10s, burst: 1}
    traffic:
      - {pattern: list, events: [{at: 0s, count: 5}]}
      - {pattern: workers, count: 1, jobs: 1, from: 30s}
    callers: {retry: {attempts: 1, backoff: {constant: 1s}}}`, "token-bucket",
			map[string]float64{"retried_requests": 4, "herd_max": 4, "jobs_finished": 1}},
		// A caller's patience begins when it calls, and the limiter makes the second one wait.
		{"patience", `
    policy: {limit: 1/30s, burst: 10}
    traffic: [{pattern: workers, count: 2, jobs: 2}]
    guard: {concurrency: 4, service_time: 10ms, deadline: 500ms}
    callers: {retry: {attempts: 0, on: [late]}}`, "leaky-bucket",
			map[string]float64{"finish_s": 0.5, "jobs_finished": 1, "jobs_given_up": 1}},
		// It goes on to its next job, while the limiter holds the call.
		{"patience for several jobs", `
    policy: {limit: 1/30s, burst: 10}
    traffic: [{pattern: workers, count: 1, jobs: 4}]
    guard: {concurrency: 4, service_time: 10ms, deadline: 500ms}
    callers: {retry: {attempts: 0, on: [late]}}`, "leaky-bucket",
			map[string]float64{"finish_s": 0.01 + 3*0.5, "jobs_finished": 1, "jobs_given_up": 3}},
		// It waits 10 ms for a sidecar, three times for each job, and takes the next job after 530 ms.
		// The calls of 0 and 1,060 ms are admitted when it has left them.
		{"patience for a sidecar", `
    policy: {limit: 1/s, burst: 1}
    traffic: [{pattern: workers, count: 1, jobs: 3, think: 100ms}]
    guard: {concurrency: 1, service_time: 5ms}
    callers: {retry: {attempts: 2, on: [late], timeout: 10ms, backoff: {constant: 200ms}}}`, "far = {preset: token-bucket, sidecar: {constant: 50ms}}",
			map[string]float64{"finish_s": 1.49, "jobs_given_up": 3, "jobs_left": 0, "offered_requests": 9, "rejected_requests": 7}},
		// Workers that stop leave the jobs of the stock.
		{"stop", `
    policy: {limit: 1/min, burst: 3}
    traffic: [{pattern: workers, count: 5, jobs: 100, answer: 1s}]
    callers: {give_up: stop}`, "token-bucket",
			map[string]float64{"workers_stopped": 5, "jobs_finished": 3, "jobs_given_up": 5, "jobs_left": 92}},
		// A constant wait: the bucket of one token refills in 10 s, tries are after 0, 3, 6, 9, 12 s.
		{"constant", `
    policy: {limit: 1/10s, burst: 1}
    traffic: [{pattern: workers, count: 1, jobs: 2}]
    retries: {attempts: unlimited, backoff: {constant: 3s}}`, "token-bucket",
			map[string]float64{"finish_s": 12, "retried_requests": 4}},
		// Workers begin one after another: the first takes jobs at 0, 1, 2 and 3 s, the
		// second one at 2 s.
		{"start", `
    policy: {limit: 1000/s}
    traffic: [{pattern: workers, count: 5, jobs: 5, start: 10s, answer: 1s}]`, "token-bucket",
			map[string]float64{"finish_s": 4, "job_time_max_s": 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := work(t, c.lines, c.algorithm)
			name, _, _ := strings.Cut(c.algorithm, " = ")
			for metric, x := range c.want {
				near(t, d, name, metric, x)
			}
		})
	}
}

// near checks the mean of a figure, to rounding. NaN wants none.
func near(t *testing.T, d *results.Document, algorithm, metric string, want float64) {
	t.Helper()
	for _, r := range d.Results {
		if r.Algorithm != algorithm {
			continue
		}
		switch s := r.Summary(metric); {
		case s.Mean == nil && math.IsNaN(want):
		case s.Mean == nil:
			t.Errorf("%s: no figure (%s), want %g", metric, s.Reason, want)
		case !(math.Abs(*s.Mean-want) <= 1e-9*math.Max(1, math.Abs(want))):
			t.Errorf("%s is %v, want %v", metric, *s.Mean, want)
		}
		return
	}
	t.Fatalf("no row %s", algorithm)
}

// TestWorkersAgree checks what rows with the same decisions, and all rows, have in common.
func TestWorkersAgree(t *testing.T) {
	d := work(t, `
    policy: {limit: 60/min, burst: 10}
    traffic: [{pattern: workers, count: 30, jobs: 1000, answer: {exponential: 2s}, think: {exponential: 1s}, cost: {uniform: {min: 1, max: 4}}}]
    callers: {in_flight: 9, retry: {attempts: 9, backoff: {exponential: {base: 1s}}}}
    streams: common`, "token-bucket", "gcra", "pull = {preset: token-bucket, callers: {retry: {attempts: unlimited, backoff: retry-after}}}")
	rows := map[string]results.Result{}
	for _, r := range d.Results {
		rows[r.Algorithm] = r
	}
	for metric, s := range rows["token-bucket"].Metrics {
		if other := rows["gcra"].Metrics[metric]; s.Mean != nil && (other.Mean == nil || *other.Mean != *s.Mean) {
			t.Errorf("%s differs between a token bucket and gcra", metric)
		}
	}
	if d.Series[0].Algorithm != "reference" || *rows["reference"].Metrics["finish_s"].Mean != *rows["token-bucket"].Metrics["finish_s"].Mean {
		t.Error("the exact limiter does not do as the reference")
	}
	for name, r := range rows {
		sum := 0.0
		for _, state := range []string{"answer", "think", "pace", "in_flight", "backoff", "limiter"} {
			sum += *r.Summary("worker_time_" + state + "_pct").Mean
		}
		jobs := *r.Summary("jobs_finished").Mean + *r.Summary("jobs_given_up").Mean + *r.Summary("jobs_left").Mean
		if math.Abs(sum-100) > 1e-9 || jobs != 1000 || *r.Summary("fresh_requests").Mean != 1000 {
			t.Errorf("%s: shares of time are %v %%, jobs %v, fresh requests %v", name, sum, jobs, *r.Summary("fresh_requests").Mean)
		}
		if finish := r.Summary("finish_s").Mean; *r.Summary("jobs_given_up").Mean == 0 && *finish < *r.Summary("ideal_finish_s").Mean {
			t.Errorf("%s finishes at %v, before the ideal", name, *finish)
		}
	}
}

// TestWorkersAsMachines compares workers before a backend with the machine repairman model:
// N machines that fail after a time, and c men that repair them, all times exponential.
func TestWorkersAsMachines(t *testing.T) {
	const n, c, think, service = 12, 3, 5.0, 2.0
	d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 40000s
warmup: 1000s
replications: 3
scenarios:
  - name: work
    policy: {limit: 100000/s}
    traffic: [{pattern: workers, count: %d, think: {exponential: 5s}}]
    guard: {concurrency: %d, service_time: {exponential: 2s}}
    algorithms: [token-bucket]
`, n, c))
	// States by the number of machines that are down; p_k in proportion to the product of
	// (N-i)/think over min(i+1, c)/service.
	p, sum := 1.0, 1.0
	busy := 0.0
	for k := 1; k <= n; k++ {
		p *= (n - float64(k) + 1) / think / (math.Min(float64(k), c) / service)
		sum += p
		busy += p * math.Min(float64(k), c)
	}
	want := busy / sum / service // repairs per second
	for _, r := range d.Results {
		if got := *r.Summary("jobs_finished").Mean / 39000; math.Abs(got-want) > 0.01*want {
			t.Errorf("%s: %v jobs per second, want %v", r.Algorithm, got, want)
		}
	}
}

// TestWorkersBesideOthers checks that no attempt of workers has the number of one of other
// callers, by which waits before retries are drawn.
func TestWorkersBesideOthers(t *testing.T) {
	const text = `
version: 1
duration: 20s
replications: 1
scenarios:
  - name: mixed
    policy: {limit: 5/s, burst: 5}
    traffic:
      - {pattern: workers, count: 3, think: 1s}
      - {pattern: constant, rate: 6/s}
      - {pattern: workers, count: 2, think: 500ms}
    callers: {retry: {attempts: 3, backoff: {exponential: {base: 100ms, max: 1s, jitter: full}}}, budget: {grpc: {}}, processes: 2}
    algorithms: [token-bucket]
`
	seen, tries := map[[2]int64]bool{}, map[int64]int{}
	_, err := sim.Run(t.Context(), simtest.Load(t, text), sim.Options{Details: sim.Details{Decisions: func(d *sim.Decision) error {
		if d.Algorithm != "token-bucket" {
			return nil
		}
		place := [2]int64{d.Fresh, int64(d.Try)}
		if seen[place] {
			t.Errorf("two attempts are try %d of request %d", d.Try, d.Fresh)
		}
		seen[place] = true
		tries[d.Fresh%3]++
		return nil
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(tries) != 3 {
		t.Errorf("senders have the attempts %v", tries)
	}
}
