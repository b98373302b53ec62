package concurrency_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/concurrency"
	"github.com/limitgauge/limitgauge/sim"
	simulated "github.com/limitgauge/limitgauge/sim/limiters/concurrency"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// run returns the results of a scenario by the name of the row.
func run(t *testing.T, text string) map[string]results.Result {
	t.Helper()
	d, err := sim.Run(context.Background(), simtest.Load(t, text), sim.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]results.Result{}
	for _, r := range d.Results {
		rows[r.Algorithm] = r
	}
	return rows
}

func scenario(clients int, service, guard, traffic, algorithms, names string) string {
	return fmt.Sprintf(`
version: 1
duration: 101s
warmup: 1s
replications: 12
metrics: full
algorithms: {%s}
scenarios:
  - name: s
    policy: {limit: 1000/s, shared: true}
    topology: {clients: %d}
    traffic: [%s]
    guard: {service_time: %s, %s}
    algorithms: [%s]
`, algorithms, clients, traffic, service, guard, names)
}

// near fails if a metric is not within four standard errors of what theory states, and
// if these are no test of it.
func near(t *testing.T, r results.Result, metric string, want float64) {
	t.Helper()
	m := r.Metrics[metric]
	if m.Mean == nil || m.Lo == nil {
		t.Fatalf("%s of %s has no figure: %+v", metric, r.Algorithm, m)
	}
	// The 95 % interval of 12 replications is 2.2 standard errors wide on each side.
	if tolerance := 1.8*(*m.Hi-*m.Lo)/2 + 1e-9; math.Abs(*m.Mean-want) > tolerance || tolerance > 0.2*want+0.3 {
		t.Errorf("%s of %s: %v ±%v, theory %v", metric, r.Algorithm, *m.Mean, tolerance, want)
	}
}

// chain returns the probabilities of 0..k requests in the queue M/M/c/k with a load of a
// Erlang.
func chain(a float64, c, k int) []float64 {
	p, sum := make([]float64, k+1), 1.0
	p[0] = 1
	for n := 1; n <= k; n++ {
		p[n] = p[n-1] * a / float64(min(n, c))
		sum += p[n]
	}
	for n := range p {
		p[n] /= sum
	}
	return p
}

// within returns P(T <= d) for T = Erlang(m, cmu) + Exp(mu), by the trapezoidal rule over
// the exponential part.
func within(d, mu float64, m int, cmu float64) float64 {
	erlang := func(x float64) float64 {
		term, sum := 1.0, 0.0
		for i := range m {
			if i > 0 {
				term *= cmu * x / float64(i)
			}
			sum += term
		}
		return 1 - math.Exp(-cmu*x)*sum
	}
	const steps = 4000
	sum := 0.0
	for i := 0; i <= steps; i++ {
		s, w := d*float64(i)/steps, 1.0
		if i == 0 || i == steps {
			w = 0.5
		}
		sum += w * mu * math.Exp(-mu*s) * erlang(d-s)
	}
	return sum * d / steps
}

// A fixed limit K in front of c servers with Poisson traffic and exponential services is
// M/M/c/K, below capacity and above it.
func TestQueueOfOneClient(t *testing.T) {
	const c, k, mu, deadline = 4, 10, 50.0, 0.06
	for _, rate := range []float64{120, 200, 400} {
		r := run(t, scenario(1, "{exponential: {mean: 20ms}}", "concurrency: 4, deadline: 60ms",
			fmt.Sprintf("{pattern: poisson, rate: %v/s}", rate), "fixed: {preset: fixed-concurrency, limit: 10}", "fixed"))["fixed"]
		p := chain(rate/mu, c, k)
		good := 0.0
		for n, pn := range p[:k] {
			if n < c {
				good += pn * (1 - math.Exp(-mu*deadline))
			} else {
				good += pn * within(deadline, mu, n-c+1, c*mu)
			}
		}
		near(t, r, "rejected_pct", 100*p[k])
		near(t, r, "goodput_per_s", rate*good)
		if got := *r.Metrics["limit_mean"].Mean; got != k {
			t.Errorf("limit_mean %v, want %v", got, k)
		}
	}
}

// With no more places than servers it is a loss system, whatever the services, also at
// each of several clients with equal shares.
func TestLossSystem(t *testing.T) {
	for _, service := range []string{"20ms", "{exponential: {mean: 20ms}}"} {
		for _, clients := range []int{1, 3} {
			r := run(t, scenario(clients, service, "concurrency: 15, deadline: 20ms", "{pattern: poisson, rate: 600/s, spread: random}",
				"fixed: {preset: fixed-concurrency, limit: 5}", "fixed"))["fixed"]
			p := chain(600*0.02/float64(clients), 5, 5)
			near(t, r, "rejected_pct", 100*p[5])
			if service == "20ms" && (math.Abs(*r.Metrics["answer_p99_ms"].Mean-20) > 0.08 || *r.Metrics["late_answers"].Mean != 0) {
				t.Errorf("answers do not take just the service: %+v", r.Metrics["answer_p99_ms"])
			}
		}
	}
}

// A capped rover with a rate far above the demand is the same limit.
func TestCappedIsFixed(t *testing.T) {
	text := scenario(1, "{exponential: {mean: 20ms}}", "concurrency: 4, deadline: 60ms", "{pattern: poisson, rate: 300/s}",
		"fixed: {preset: fixed-concurrency, limit: 10}, capped: {preset: rover-capped, when_short: refuse}", "fixed, capped")
	rows := run(t, strings.Replace(text, "limit: 1000/s,", "limit: 100000/s, burst: 10,", 1))
	for _, metric := range []string{"goodput_per_s", "rejected_pct"} {
		fixed, capped := *rows["fixed"].Metrics[metric].Mean, *rows["capped"].Metrics[metric].Mean
		if math.Abs(fixed-capped) > 0.02*fixed { // both serve the same requests; the timer of the bucket costs 1 ms
			t.Errorf("%s: fixed %v, capped %v", metric, fixed, capped)
		}
	}
}

// Requests that wait for a place do so at most max_wait, first in, first out.
func TestWait(t *testing.T) {
	for _, c := range []struct {
		wait          string
		good, refused float64
	}{{"5ms", 100, 100}, {"10ms", 200, 0}} {
		// Every 20 ms two requests arrive at once for one server that takes 10 ms.
		r := run(t, fmt.Sprintf(`
version: 1
duration: 2s
replications: 1
algorithms: {waits: {preset: fixed-concurrency, limit: 1, when_full: wait, max_wait: %s}}
scenarios:
  - name: s
    policy: {limit: 1000/s, shared: true}
    traffic: [{pattern: constant, rate: 50/s}, {pattern: constant, rate: 50/s}]
    guard: {concurrency: 9, service_time: 10ms, deadline: 20ms}
    algorithms: [waits]
`, c.wait))["waits"]
		if got := []float64{*r.Metrics["good_answers"].Mean, *r.Metrics["rejected_max_wait_requests"].Mean}; got[0] != c.good || got[1] != c.refused {
			t.Errorf("max_wait %s: %v good and refused, want %v and %v", c.wait, got, c.good, c.refused)
		}
	}
}

// What cannot run is refused at its place.
func TestRefused(t *testing.T) {
	const guard = "guard: {concurrency: 1, service_time: 1ms}"
	for _, c := range []struct{ extra, algorithm, want string }{
		{guard, "fixed-concurrency", "needs a limit"},
		{"about: x", "fixed", "needs a guard"},
		{guard + "\n    retries: {attempts: 1, backoff: {constant: {time: 1ms}}}", "waits", "retries"},
	} {
		problems, err := sim.Check(context.Background(), simtest.Load(t, fmt.Sprintf(`version: 1
duration: 1s
algorithms: {fixed: {preset: fixed-concurrency, limit: 1}, waits: {preset: fixed-concurrency, limit: 1, when_full: wait}}
scenarios:
  - name: s
    policy: {limit: 1000/s, shared: true}
    traffic: [{pattern: constant, rate: 50/s}]
    %s
    algorithms: [%s]
`, c.extra, c.algorithm)), nil)
		if err != nil || len(problems) != 1 || !strings.Contains(problems[0].String(), c.want) || problems[0].Pos.Line < 9 {
			t.Errorf("%s with %s: %v, %v", c.algorithm, c.extra, problems, err)
		}
	}
}

// Cores that requests share, with a limit of K, are a chain of births and deaths with the
// rates min(n, c) / (f(n) S), whatever the distribution of services without load.
func TestSharedCores(t *testing.T) {
	const c, k, rate = 4, 10, 190.0
	for _, g := range []struct {
		service, load string
		slowness      func(n int) float64
	}{
		{"{exponential: {mean: 20ms}}", "", func(int) float64 { return 1 }},
		{"20ms", "", func(int) float64 { return 1 }},
		{"{exponential: {mean: 20ms}}", ", load: [{at: 2, factor: 1}, {at: 8, factor: 2.5}]", func(n int) float64 { return 1 + 1.5*float64(max(0, min(n, 8)-2))/6 }},
	} {
		r := run(t, scenario(1, g.service, "concurrency: 4, sharing: true, deadline: 1s"+g.load, fmt.Sprintf("{pattern: poisson, rate: %v/s}", rate),
			"fixed: {preset: fixed-concurrency, limit: 10}", "fixed"))["fixed"]
		p, sum, mean := make([]float64, k+1), 1.0, 0.0
		p[0] = 1
		for n := 1; n <= k; n++ {
			p[n] = p[n-1] * rate * 0.02 * g.slowness(n) / float64(min(n, c))
			sum += p[n]
			mean += float64(n) * p[n]
		}
		near(t, r, "rejected_pct", 100*p[k]/sum)
		near(t, r, "guard_inflight_mean", mean/sum)
	}
}

// Servers that get slower with the requests in service have services of f(n) S, n with the
// one that starts: with one server behind a limit of 2 each service is of f(1).
func TestLoadAtTheStart(t *testing.T) {
	r := run(t, scenario(1, "20ms", "concurrency: 2, deadline: 60ms, load: [{at: 1, factor: 1}, {at: 2, factor: 3}]", "{pattern: constant, rate: 10/s}, {pattern: constant, rate: 10/s}",
		"fixed: {preset: fixed-concurrency, limit: 2}", "fixed"))["fixed"]
	if good, p50, p99 := *r.Metrics["good_answers"].Mean, *r.Metrics["answer_p50_ms"].Mean, *r.Metrics["answer_p99_ms"].Mean; good != 2000 || math.Abs(p50-20) > 0.1 || math.Abs(p99-60) > 0.3 {
		t.Errorf("two at a time: %v good, p50 %v, p99 %v; want half of the services of 20 ms, half of 60 ms", good, p50, p99)
	}
}

// The closed forms that explain prints are those of the naive sums here.
func TestPredict(t *testing.T) {
	for _, c := range []struct {
		servers, limit int
		load, deadline float64
	}{{4, 10, 8, 3}, {1, 5, 0.7, 2}, {8, 60, 12, 5}, {3, 3, 2, 1}, {1, 100, 50, 2}} {
		p := chain(c.load, c.servers, c.limit)
		good := 0.0
		for n, pn := range p[:c.limit] {
			if n < c.servers {
				good += pn * (1 - math.Exp(-c.deadline))
			} else {
				good += pn * within(c.deadline, 1, n-c.servers+1, float64(c.servers))
			}
		}
		q := concurrency.Queue{Servers: int64(c.servers), Load: c.load, Deadline: c.deadline}
		all := q.Under(int64(c.limit))
		got := all[c.limit-1]
		if math.Abs(got.Refused-p[c.limit]) > 1e-9 || math.Abs(got.Good-good) > 1e-5 {
			t.Errorf("%+v: %+v, want %v refused and %v good", c, got, p[c.limit], good)
		}
		if c.limit == c.servers && math.Abs(concurrency.Lost(c.load, int64(c.limit))-p[c.limit]) > 1e-12 {
			t.Errorf("%+v: Erlang B is %v, want %v", c, concurrency.Lost(c.load, int64(c.limit)), p[c.limit])
		}
	}
}

// With no more places than servers, an answer takes just its service: if that has no
// variance, all answers are in time or none is.
func TestPredictLossSystem(t *testing.T) {
	for _, c := range []struct {
		service  string
		deadline string
		inTime   float64
	}{
		{"20ms", "19999us", 0},
		{"20ms", "20ms", 1},
		{"20ms", "20001us", 1},
		{"20ms", "39ms", 1},
		{"20ms", "50ms", 1},
		{"{exponential: {mean: 20ms}}", "10ms", 1 - math.Exp(-0.5)},
		{"{exponential: {mean: 20ms}}", "50ms", 1 - math.Exp(-2.5)},
	} {
		for _, clients := range []int{1, 3} {
			f := simtest.Load(t, scenario(clients, c.service, "concurrency: 15, deadline: "+c.deadline, "{pattern: poisson, rate: 600/s, spread: random}",
				"fixed: {preset: fixed-concurrency, limit: 5}", "fixed"))
			got := simulated.Limiter.Predict(&f.Scenarios[0])
			lost := chain(600*0.02/float64(clients), 5, 5)[5]
			if want := 600 * (1 - lost) * c.inTime; math.Abs(got.Refused.Value-lost) > 1e-12 || math.Abs(got.Goodput.Value-want) > 1e-9 || got.Goodput.Formula == "" {
				t.Errorf("%d clients, service %s, deadline %s: %v refused and %v good, want %v and %v", clients, c.service, c.deadline, got.Refused, got.Goodput, lost, want)
			}
		}
	}
}

// A deadline far beyond all answers has no closed form, which would need a term for each
// request that is answered within it.
func TestPredictLongDeadline(t *testing.T) {
	for deadline, want := range map[string]bool{"20s": true, "1h": false} {
		f := simtest.Load(t, scenario(1, "{exponential: {mean: 20ms}}", "concurrency: 15, deadline: "+deadline, "{pattern: poisson, rate: 600/s}",
			"fixed: {preset: fixed-concurrency, limit: 20}", "fixed"))
		s := &f.Scenarios[0]
		if p, best := simulated.Limiter.Predict(s), simulated.Best(s, 1000); (p.Goodput.Why == "") != want || (best > 0) != want {
			t.Errorf("deadline %s: %+v, best %d", deadline, p.Goodput, best)
		}
	}
}
