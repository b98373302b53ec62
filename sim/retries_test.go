package sim_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/simtest"
	"github.com/limitgauge/limitgauge/sim/simtest/draw"
)

// TestRetriesClosedForms checks the attempts that follow a herd of 100 requests
// under a limit of 10/s.
func TestRetriesClosedForms(t *testing.T) {
	for _, c := range []struct {
		name, algorithm, retries   string
		attempts, admitted, expect float64
	}{
		// No retry succeeds: each of the 90 rejected requests makes 1 + m
		// attempts.
		{"immediately", "fixed-window", "{attempts: 3}", 100 + 3*90, 10, 3.7},
		// One window later 10 of the retries are admitted.
		{"a window later", "fixed-window", "{attempts: 3, backoff: {constant: 1s}}", 100 + 90 + 80 + 70, 40, 3.4},
		// Retries arrive after 1, 3 and 7 s.
		{"backing off", "fixed-window", "{attempts: 3, backoff: {exponential: {base: 1s, jitter: none}}}", 100 + 90 + 80 + 70, 40, 3.4},
		// Retries arrive after 1, 2.5, 4 and 5.5 s, so each attempt is in a
		// different window.
		{"backing off no further", "fixed-window", "{attempts: 4, backoff: {exponential: {base: 1s, max: 1500ms, jitter: none}}}", 100 + 90 + 80 + 70 + 60, 50, 4},
		{"retry-after", "fixed-window", "{attempts: 3, backoff: retry-after}", 100 + 90 + 80 + 70, 40, 3.4},
		// A bucket returns the time of its next token. All 90 callers retry at
		// that time, and 1 is admitted.
		{"retry-after of a bucket", "token-bucket", "{attempts: 3, backoff: retry-after}", 100 + 90 + 89 + 88, 13, 3.67},
		// 100 callers under 10 a window: 90, 80 ... 10 and 0 are refused in turn.
		{"until they are admitted", "fixed-window", "{attempts: unlimited, backoff: retry-after}", 100 + 90 + 80 + 70 + 60 + 50 + 40 + 30 + 20 + 10, 100, 5.5},
		// A bucket's next token comes after 100 ms, which counts as 1 s: 10 tokens.
		{"whole seconds", "token-bucket", "{attempts: 3, backoff: {retry-after: {seconds: up}}}", 100 + 90 + 80 + 70, 40, 3.4},
		{"longer than they wait", "fixed-window", "{attempts: 3, backoff: {retry-after: {longest: 500ms, beyond: give-up}}}", 100, 10, 1},
		{"whole seconds, longer than they wait", "token-bucket", "{attempts: 3, backoff: {retry-after: {seconds: up, longest: 500ms, beyond: give-up}}}", 100, 10, 1},
		// Retries arrive after 0.3, 0.6 and 0.9 s, within the first window.
		{"cut", "fixed-window", "{attempts: 3, backoff: {retry-after: {longest: 300ms}}}", 100 + 3*90, 10, 3.7},
		{"growing by half", "fixed-window", "{attempts: 2, backoff: {exponential: {base: 2s, factor: 1.5, jitter: none}}}", 100 + 90 + 80, 30, 2.7},
		{"by no attempts", "fixed-window", "{attempts: 0}", 100, 10, 1},
		{"twenty times", "fixed-window", "{attempts: 20, backoff: {constant: 10ms}}", 100 + 20*90, 10, 19},
		// The last retry would arrive after the end at 10 s.
		{"too late", "fixed-window", "{attempts: 3, backoff: {constant: 4s}}", 100 + 90 + 80, 30, 2.7},
	} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 10s
metrics: full
scenarios:
  - name: herd
    policy: {limit: 10/s}
    traffic: [{pattern: herd, count: 100}]
    retries: %s
    algorithms: [%s]
`, c.retries, c.algorithm))
		t.Log(c.name)
		simtest.Exactly(t, d, "herd", c.algorithm, "offered_requests", c.attempts)
		simtest.Exactly(t, d, "herd", c.algorithm, "admitted_requests", c.admitted)
		simtest.Exactly(t, d, "herd", c.algorithm, "rejected_requests", c.attempts-c.admitted)
		simtest.Exactly(t, d, "herd", c.algorithm, "retry_amplification", c.expect)
		simtest.Exactly(t, d, "herd", c.algorithm, "fresh_requests", 100)
		simtest.Exactly(t, d, "herd", c.algorithm, "fresh_admitted_pct", c.admitted)
	}
}

// TestRetriesThatCannotSucceed checks that a request beyond the depth of the bucket, which
// a fault has lowered, is given up at once by callers without a bound on retries, whatever
// their backoff, and that others try as often as they may.
func TestRetriesThatCannotSucceed(t *testing.T) {
	for retries, want := range map[string]float64{
		"{attempts: unlimited, backoff: retry-after}":      1,
		"{attempts: unlimited, backoff: {constant: 10ms}}": 1,
		"{attempts: 7, backoff: retry-after}":              1,
		"{attempts: 7, backoff: {constant: 10ms}}":         8,
	} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 10s
metrics: full
scenarios:
  - name: too large
    policy: {limit: 10/s}
    traffic: [{pattern: constant, rate: 5/s, to: 9s, cost: 2}]
    faults: [{policy-change: {factor: 10%%}}]
    retries: %s
    algorithms: [token-bucket, remote]
`, retries))
		for _, algorithm := range []string{"token-bucket", "remote"} {
			t.Log(retries, algorithm)
			simtest.Exactly(t, d, "too large", algorithm, "retry_amplification", want)
		}
	}
}

// TestRetriesWithoutATime checks what callers do that wait for the time that the limiter
// names where a timeout rejects requests that it would admit.
func TestRetriesWithoutATime(t *testing.T) {
	const ms = int64(1e6)
	for _, c := range []struct {
		retries string
		waits   []int64 // before each retry
	}{
		{"{attempts: 2, backoff: retry-after}", []int64{0, 0}},
		{"{attempts: 2, backoff: {retry-after: {otherwise: {constant: 700ms}}}}", []int64{700 * ms, 700 * ms}},
		{"{attempts: 3, backoff: {retry-after: {longest: 1ms, beyond: give-up, otherwise: {exponential: {base: 100ms, factor: 3, jitter: none}}}}}",
			[]int64{100 * ms, 300 * ms, 900 * ms}},
		{"{attempts: unlimited, backoff: retry-after}", []int64{100 * ms, 200 * ms, 400 * ms, 800 * ms, 1600 * ms, 3200 * ms}},
	} {
		list := simtest.Decisions(t, fmt.Sprintf(`
version: 1
duration: 10s
replications: 1
algorithms:
  asks: {preset: remote, on_timeout: fail-closed, timeout: 50ms}
scenarios:
  - name: dark
    policy: {limit: 10/s}
    traffic: [{pattern: herd, count: 1}]
    faults: [{store-down: {from: 0s, to: 10s}}]
    retries: %s
    algorithms: [asks]
`, c.retries))["asks"]
		if len(list) != 1+len(c.waits) {
			t.Errorf("%s: %d attempts, want %d", c.retries, len(list), 1+len(c.waits))
			continue
		}
		for i, want := range c.waits {
			if wait := list[i+1].ArrivalNs - list[i].DecidedNs; wait != want {
				t.Errorf("%s: retry %d waits for %d ns, want %d", c.retries, i+1, wait, want)
			}
		}
	}
}

// TestRetriesDrawAlike checks that a retry waits as long however many more there may be,
// that no two of a request draw the same, and that those of different requests do not
// either, also beyond the places that a request has in the stream.
func TestRetriesDrawAlike(t *testing.T) {
	waits := func(attempts string) map[[2]int64]int64 {
		waited, decided := map[[2]int64]int64{}, map[[2]int64]int64{}
		list := simtest.Decisions(t, fmt.Sprintf(`
version: 1
duration: 60s
replications: 1
scenarios:
  - name: closed
    policy: {limit: 1/min}
    traffic: [{pattern: herd, count: 9}]
    retries: {attempts: %s, backoff: {constant: {time: 1s, jitter: full}}}
    algorithms: [fixed-window]
`, attempts))["fixed-window"]
		slices.SortFunc(list, func(a, b sim.Decision) int { return int(a.Try - b.Try) })
		for _, d := range list {
			id := [2]int64{d.Fresh, int64(d.Try)}
			decided[id] = d.DecidedNs
			if d.Try > 0 {
				waited[id] = d.ArrivalNs - decided[[2]int64{d.Fresh, int64(d.Try) - 1}]
			}
		}
		return waited
	}
	all, drawn := waits("unlimited"), map[int64][2]int64{}
	for _, attempts := range []string{"3", "40"} {
		for id, wait := range waits(attempts) {
			if all[id] != wait {
				t.Errorf("retry %d of request %d of %s waits for %d, without a bound %d", id[1], id[0], attempts, wait, all[id])
			}
		}
	}
	for id, wait := range all {
		if other, twice := drawn[wait]; twice {
			t.Errorf("retries %v and %v wait for the same %d ns", id, other, wait)
		}
		drawn[wait] = id
	}
	if len(all) < 500 {
		t.Errorf("%d retries are too few", len(all))
	}
}

// TestRetriesWithinABudget checks the retries of a herd of requests that are refused after
// the first of them.
func TestRetriesWithinABudget(t *testing.T) {
	const herd, guard, estimated = "{pattern: herd, count: 60}", "guard: {concurrency: 100, service_time: 10s}", "{pattern: herd, count: 60, answer: 10s, cost: {estimate: 1, actual: 1}}"
	const soon, impatient = "guard: {concurrency: 100, service_time: 1ms}", "retry: {attempts: 1, on: late, timeout: 10ms, backoff: {constant: 1ms}}, budget: {grpc: {ratio: 1}}"
	for _, c := range []struct {
		name, traffic, more, callers, algorithm string
		retried                                 float64
	}{
		// Of 10 tokens four refusals leave more than half.
		{"grpc", herd, "", "retry: {attempts: 1, backoff: {constant: 1ms}}, budget: grpc", "token-bucket", 4},
		{"grpc of processes", herd, "", "retry: {attempts: 1, backoff: {constant: 1ms}}, budget: grpc, processes: 4", "token-bucket", 16},
		// Ten refused calls leave no tokens, and 19 admitted ones give all back.
		{"grpc with rest", "{pattern: herd, count: 1, cost: 21}, {pattern: herd, count: 10, cost: 20}, {pattern: herd, count: 29, at: 1s}", "",
			"retry: {attempts: 1, backoff: {constant: 1ms}}, budget: {grpc: {ratio: 1}}", "token-bucket", 8},
		// Callers and workers that have left before 40 of them are admitted have no tokens a second later.
		{"grpc after patience", herd + ", {pattern: herd, count: 60, at: 1s}", soon, impatient, "beside", 4},
		{"grpc after patience of workers", "{pattern: workers, count: 60, jobs: 120, think: 1s}", soon, impatient, "beside", 4},
		// 40 calls that are admitted at once are not open, so three may be retried at a time.
		{"share", herd, "", "retry: {attempts: 2, backoff: {constant: 1ms}}, budget: share", "token-bucket", 6},
		// In a backend they are open: 20 % of 40, or of 20 and of 20.
		{"share in a backend", herd, guard, "retry: {attempts: 1, backoff: {constant: 1ms}}, budget: share", "token-bucket", 8},
		{"share of processes", herd, guard, "retry: {attempts: 1, backoff: {constant: 1ms}}, budget: share, processes: 2", "token-bucket", 8},
		// So are calls that wait in the limiter, and those whose answers take time.
		{"share in a queue", herd, "", "retry: {attempts: 1, backoff: {constant: 1ms}}, budget: share", "leaky-bucket", 8},
		{"share of answers", estimated, "", "retry: {attempts: 1, backoff: {constant: 1ms}}, budget: share", "settles", 8},
		// 10 s later their answers end just before the retries.
		{"share without answers", estimated, "", "retry: {attempts: 2, backoff: {constant: 10s}}, budget: share", "settles", 8 + 3},
		{"share in a backend and a queue", herd, guard, "retry: {attempts: 2, backoff: {constant: 11s}}, budget: share", "leaky-bucket", 8 + 8},
		// 60 first calls deposit 12 retries, and one a second for 5 s is always there.
		{"deposits", herd, "", "retry: {attempts: 1, backoff: {constant: 1ms}}, budget: {deposits: {min: 1, ttl: 5s}}", "token-bucket", 17},
		// Of 40 late calls each leaves one open call less: the seventh finds 33, and six retries.
		{"late", herd, "guard: {concurrency: 100, service_time: 10s, deadline: 1s}", "retry: {attempts: 1, on: late, backoff: {constant: 1ms}}, budget: {share: {min: 0}}", "token-bucket", 6},
	} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 30s
metrics: full
algorithms: {settles: {preset: token-bucket, settle: deduct-estimate-then-settle}, beside: {preset: token-bucket, sidecar: {constant: 50ms}}}
scenarios:
  - name: herd
    policy: {limit: 1/30s, burst: 40}
    traffic: [%s]
    %s
    callers: {%s}
    algorithms: [%s]
`, c.traffic, c.more, c.callers, c.algorithm))
		t.Log(c.name)
		simtest.Exactly(t, d, "herd", c.algorithm, "retried_requests", c.retried)
	}
}

// TestAmplification checks overload at three times the limit. With m immediate
// retries, which never succeed, a request has (rate + m*(rate-limit))/rate attempts
// on average.
func TestAmplification(t *testing.T) {
	for m := 1; m <= 3; m++ {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 20s
metrics: full
scenarios:
  - name: overload
    policy: {limit: 1000/s}
    traffic: [{pattern: constant, rate: 3000/s}]
    retries: {attempts: %d}
    algorithms: [fixed-window]
`, m))
		simtest.Exactly(t, d, "overload", "fixed-window", "retry_amplification", float64(3+2*m)/3)
	}
}

// TestRetriesAfterTimeouts checks that a request that a timeout rejects is retried
// unless the option timed_out is false, and that one that a timeout admits is not.
func TestRetriesAfterTimeouts(t *testing.T) {
	for _, c := range []struct {
		mode, retries string
		attempts      float64
	}{
		{"fail-closed", "{attempts: 2}", 3},
		{"fail-closed", "{attempts: 2, timed_out: false}", 1},
		{"fail-open", "{attempts: 2}", 1},
	} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 10s
metrics: full
algorithms:
  asks: {preset: remote, on_timeout: %s, timeout: 50ms}
scenarios:
  - name: dark
    policy: {limit: 10/s}
    traffic: [{pattern: constant, rate: 100/s, to: 9s}]
    faults: [{store-down: {from: 0s, to: 10s}}]
    retries: %s
    algorithms: [asks]
`, c.mode, c.retries))
		simtest.Exactly(t, d, "dark", "asks", "retry_amplification", c.attempts)
		simtest.Exactly(t, d, "dark", "asks", "timed_out_requests", 900*c.attempts)
	}
}

// TestRetriesFollowRefusals checks that all algorithms have the same fresh
// requests; that each rejected attempt with retries left, and no other, is followed
// by one retry with the same key, tenant, client and cost; and that the delay
// follows the backoff and does not depend on the algorithm.
func TestRetriesFollowRefusals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		attempts := rapid.IntRange(1, 4).Draw(t, "attempts")
		distribution := rapid.SampledFrom([]string{"immediate", "{constant: 70ms}", "{constant: {time: 70ms, jitter: full}}",
			"{exponential: {base: 40ms, max: 100ms, jitter: none}}", "{exponential: {base: 40ms, max: 100ms}}", "retry-after", "{retry-after: 50ms}",
			"{exponential: {base: 40ms, max: 100ms, jitter: decorrelated}}", "{exponential: {base: 40ms, max: 100ms, factor: 1.5, jitter: {around: 20%}}}"}).Draw(t, "backoff")
		text := draw.Scenario(t, 1, "", "fixed-window, token-bucket, leaky-bucket, rover, local-divided, batch-reported, gubernator-global, remote")
		text = strings.Replace(text, "    traffic:", fmt.Sprintf("    retries: {attempts: %d, backoff: %s}\n    traffic:", attempts, distribution), 1)
		type who struct {
			fresh int64
			try   int32
		}
		waited := map[who]int64{}
		var first map[int64]sim.Decision
		for name, list := range simtest.Decisions(t, text) {
			byTry := map[who]sim.Decision{}
			fresh := map[int64]sim.Decision{}
			for _, d := range list {
				if _, twice := byTry[who{d.Fresh, d.Try}]; twice {
					t.Fatalf("%s: retry %d of request %d twice\n%s", name, d.Try, d.Fresh, text)
				}
				byTry[who{d.Fresh, d.Try}] = d
				if d.Try == 0 {
					fresh[d.Fresh] = sim.Decision{Key: d.Key, Keys: d.Keys, Tenant: d.Tenant, Client: d.Client, Cost: d.Cost, ArrivalNs: d.ArrivalNs}
				}
			}
			if first == nil {
				first = fresh
			} else if !reflect.DeepEqual(first, fresh) {
				t.Fatalf("%s has other fresh requests\n%s", name, text)
			}
			for id, d := range byTry {
				next, made := byTry[who{id.fresh, id.try + 1}]
				if made && (d.Verdict != "rejected" || int(next.Try) > attempts) {
					t.Fatalf("%s: %+v is followed by %+v\n%s", name, d, next, text)
				}
				if !made {
					if d.Verdict == "rejected" && int(d.Try) < attempts && distribution != "retry-after" && distribution != "{retry-after: 50ms}" && d.DecidedNs < 2e9-120e6 {
						t.Fatalf("%s: %+v is not retried\n%s", name, d, text)
					}
					continue
				}
				if next.Key != d.Key || next.Tenant != d.Tenant || next.Client != d.Client || next.Cost != d.Cost || next.ArrivalNs >= 2e9 {
					t.Fatalf("%s: %+v is followed by %+v\n%s", name, d, next, text)
				}
				wait := next.ArrivalNs - d.DecidedNs
				least, most := int64(0), int64(0)
				switch distribution {
				case "{constant: 70ms}":
					least, most = 70e6, 70e6
				case "{constant: {time: 70ms, jitter: full}}":
					most = 70e6
				case "{exponential: {base: 40ms, max: 100ms, jitter: none}}":
					most = []int64{40e6, 80e6, 100e6, 100e6}[d.Try]
					least = most
				case "{exponential: {base: 40ms, max: 100ms}}":
					most = []int64{40e6, 80e6, 100e6, 100e6}[d.Try]
				case "{exponential: {base: 40ms, max: 100ms, jitter: decorrelated}}":
					least, most = 40e6, 100e6
					if last, known := waited[who{id.fresh, id.try - 1}]; known || id.try == 0 {
						most = min(most, 3*max(last, 40e6))
					}
				case "{exponential: {base: 40ms, max: 100ms, factor: 1.5, jitter: {around: 20%}}}":
					span := []int64{40e6, 60e6, 90e6, 100e6}[d.Try]
					least, most = span*4/5, span*6/5
				case "retry-after", "{retry-after: 50ms}":
					wait -= d.RetryAfterNs
					if distribution != "retry-after" {
						most = 50e6
					}
				}
				if wait < least || wait > most {
					t.Fatalf("%s: %+v is retried after %d\n%s", name, d, wait, text)
				}
				if before, known := waited[id]; known && before != wait {
					t.Fatalf("%s: retry %d of request %d waits for %d, under another algorithm %d\n%s", name, id.try+1, id.fresh, wait, before, text)
				}
				waited[id] = wait
			}
		}
	})
}

// TestRetriesThatNeverCome checks that retries that would come after the end change
// no decision.
func TestRetriesThatNeverCome(t *testing.T) {
	var names []string
	for _, p := range sim.Catalog().Counting() {
		names = append(names, p.Name)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := fmt.Sprintf(`
version: 1
seed: %d
replications: 1
duration: 2s
scenarios:
  - name: drawn
    policy: {limit: 100/s, burst: 50}
    topology: {clients: 3, servers: 2, network: {exponential: {p99: 20ms}}}
    traffic:
%s    algorithms: [%s]
`, rapid.Uint32().Draw(t, "seed"), draw.Traffic(t, 1), strings.Join(names, ", "))
		without := simtest.Decisions(t, text)
		with := simtest.Decisions(t, strings.Replace(text, "    traffic:", "    retries: {attempts: 1, backoff: {constant: 1h}}\n    traffic:", 1))
		byAttempt := func(a, b sim.Decision) int { return int(a.Attempt - b.Attempt) }
		for name := range without {
			a, b := without[name], with[name]
			slices.SortFunc(a, byAttempt)
			slices.SortFunc(b, byAttempt)
			equal := slices.EqualFunc(a, b, func(a, b sim.Decision) bool {
				a.Level, b.Level = nil, nil
				return reflect.DeepEqual(a, b)
			})
			if !equal {
				for i := range a {
					a[i].Level, b[i].Level = nil, nil
					if !reflect.DeepEqual(a[i], b[i]) {
						t.Fatalf("%s: without retries %+v, with them %+v\n%s", name, a[i], b[i], text)
					}
				}
			}
		}
	})
}

// TestRetriesTogetherAndSingly checks that attempts that are decided in blocks end
// as attempts that are decided one by one, for a decision log or because callers have a
// budget, which is never used up. Times are so coarse that many attempts and retries share an
// instant.
func TestRetriesTogetherAndSingly(t *testing.T) {
	const policies = `
version: 1
replications: 1
duration: 2s
metrics: full
scenarios:
  - name: drawn
    policies: [{limit: 40/s, burst: 5, per: user}, {limit: 90/s, burst: 8, per: route}]
    topology: {clients: 3}
    traffic: [{pattern: constant, rate: 500/s, descriptors: {"40/s": {applies: 80%, keys: {uniform: {count: 2}}}, "90/s": {applies: 80%, keys: one}}}]
    algorithms: [token-bucket, fixed-window, local-divided]
`
	rapid.Check(t, func(t *rapid.T) {
		text := draw.Scenario(t, 1, "", draw.EveryAlgorithm)
		if rapid.IntRange(0, 3).Draw(t, "multi-policy") == 0 {
			text = policies
		}
		retries := fmt.Sprintf("{attempts: %d, backoff: %s}", rapid.IntRange(1, 4).Draw(t, "attempts"),
			rapid.SampledFrom([]string{"immediate", "{constant: 1ms}", "{constant: {time: 10ms, jitter: full}}", "{exponential: {base: 3ns, max: 1s}}",
				"{exponential: {base: 40ms, max: 100ms, jitter: none}}", "{exponential: {base: 200ms, max: 1s}}", "{retry-after: 5ms}",
				"{exponential: {base: 3ms, max: 1s, jitter: decorrelated}}", "{retry-after: {longest: 1ms, otherwise: {exponential: {base: 3ms, jitter: decorrelated}}}}"}).Draw(t, "backoff"))
		budget := strings.Replace(text, "    traffic:", "    callers: {retry: "+retries+", processes: 3, budget: {share: {min: 1000000}}}\n    traffic:", 1)
		text = strings.Replace(text, "    traffic:", "    retries: "+retries+"\n    traffic:", 1)
		together := simtest.Run(t, text)
		if !reflect.DeepEqual(together, simtest.Run(t, budget)) {
			t.Fatalf("a budget that is never used up changes something\n%s", budget)
		}
		singly, err := sim.Run(context.Background(), simtest.Load(t, text), sim.Options{Details: sim.Details{Decisions: func(*sim.Decision) error { return nil }}})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(together, singly) {
			t.Fatalf("together and singly differ\n%s", text)
		}
	})
}

// TestControlInstantsBeforeTheFirstArrival checks that events before the first
// arrival, such as syncs without counts, run with and without retries.
func TestControlInstantsBeforeTheFirstArrival(t *testing.T) {
	const text = `
version: 1
replications: 1
duration: 3s
scenarios:
  - name: late
    policy: {limit: 20/s, burst: 5}
    topology: {clients: 3, network: 10ms}
    traffic: [{pattern: constant, rate: 90/s, from: 990ms}]
    %salgorithms: [kong-sync, apisix-delayed-sync, gubernator-global, global-random-drop, batch-reported]
`
	without := simtest.Decisions(t, fmt.Sprintf(text, ""))
	with := simtest.Decisions(t, fmt.Sprintf(text, "retries: {attempts: 1, backoff: {constant: 1h}}\n    "))
	for name := range without {
		for i := range without[name] {
			if a, b := without[name][i], with[name][i]; !reflect.DeepEqual(a, b) {
				t.Fatalf("%s: without retries %+v, with them %+v", name, a, b)
			}
		}
	}
}

// TestSanityWithRetriesAndFaults checks, under retries and changing limits, that
// the reference has no error against itself, that every attempt ends once, and that
// equal buckets agree.
func TestSanityWithRetriesAndFaults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		extra := fmt.Sprintf("    faults: [{policy-change: {from: %dms, to: %dms, factor: %s, expect_no_effect: true}}, {autoscale: {stages: [{clients: 1}], expect_no_effect: true}}]\n",
			rapid.IntRange(0, 900).Draw(t, "from"), rapid.IntRange(901, 2000).Draw(t, "to"), rapid.SampledFrom([]string{"2", "3", "10", "1"}).Draw(t, "factor"))
		if rapid.Bool().Draw(t, "retry") {
			extra += "    retries: {attempts: 2, backoff: {exponential: {base: 20ms}}}\n"
		}
		text := draw.Scenario(t, 1, "", "token-bucket, fixed-window, sliding-window-log, gcra, leaky-bucket, rover, batch-debt, local-divided")
		text = strings.Replace(text, "    traffic:", extra+"    traffic:", 1)
		d := simtest.Run(t, text)
		for _, r := range d.Results {
			of := func(name string) float64 { return *r.Metrics[name+"_requests"].Mean }
			if of("offered") != of("admitted")+of("rejected")+of("waiting") {
				t.Fatalf("%s: %v offered, %v admitted, %v rejected, %v waiting\n%s", r.Algorithm, of("offered"), of("admitted"), of("rejected"), of("waiting"), text)
			}
			zero := map[string][]string{
				"reference":          {"over_admission_pct", "under_admission_pct", "burst_excess", "long_run_error_pct", "lead_max", "lag_max", "false_reject_pct"},
				"reference-shaper":   {"over_admission_pct", "under_admission_pct", "long_run_error_pct", "lead_max", "lag_max", "false_reject_pct"},
				"reference-shaper-2": {"over_admission_pct", "under_admission_pct", "burst_excess", "long_run_error_pct", "lead_max", "lag_max", "false_reject_pct"},
				"token-bucket":       {"over_admission_pct", "under_admission_pct", "burst_excess", "long_run_error_pct", "lead_max", "lag_max"},
				"fixed-window":       {"over_limit_pct"},
			}
			for _, m := range zero[r.Algorithm] {
				if x := r.Metrics[m].Mean; x != nil && *x != 0 {
					t.Fatalf("%s: %s is %v\n%s", r.Algorithm, m, *x, text)
				}
			}
		}
	})
}

// TestRetriesBesideRequestsUnderNoPolicy checks that a request under no policy is
// admitted while others are retried.
func TestRetriesBesideRequestsUnderNoPolicy(t *testing.T) {
	rows := simtest.Decisions(t, `
version: 1
duration: 2s
replications: 1
scenarios:
  - name: few keys
    policies: [{limit: 10/s, burst: 1, per: user}, {limit: 20/s, burst: 1, per: route}]
    traffic: [{pattern: constant, rate: 500/s, descriptors: {"10/s": {applies: 20%, keys: one}, "20/s": {applies: 20%, keys: one}}}]
    retries: {attempts: 1, backoff: {constant: 30ms}}
    algorithms: [token-bucket]
`)
	free, refused := 0, 0
	for name, decisions := range rows {
		for _, d := range decisions {
			switch {
			case d.Verdict == "rejected" && len(d.Keys) == 0:
				t.Errorf("%s refuses attempt %d, which falls under no policy", name, d.Attempt)
			case d.Verdict == "rejected":
				refused++
			case len(d.Keys) == 0:
				free++
			}
		}
	}
	if free == 0 || refused == 0 {
		t.Errorf("%d attempts under no policy, %d refused: nothing was tried", free, refused)
	}
}
