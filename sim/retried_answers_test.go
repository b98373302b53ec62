package sim_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// modelCall is an attempt of the naive model of callers that retry for answers.
type modelCall struct {
	at, fresh, try int64
	admitted, open bool
	end            int64 // of its service; 0 before it is known
}

// answersModel plays callers before a fixed limit and a backend with one or more servers and
// a queue, in ns, one thing after another.
type answersModel struct {
	limit, servers, places, service int64
	attempts, backoff, timeout      int64
	refused, late, failed           bool
	budget                          string // "" for none
	processes, least                int64
	share                           int64 // in percent
	most                            int64 // tokens of grpc
	ttl                             int64

	arrivals []modelCall // that are still to come, in the order of time
	calls    []*modelCall
	inside   []*modelCall // in the order of their ends
	queue    []*modelCall
	granted  []modelCall // retries that a budget has allowed; at is when
	verdicts []modelCall // what a throttle hears: calls that are admitted, and calls that are not or not answered well
}

// affords says whether the budget of a call's process allows a retry at a time, from all that
// has happened so far.
func (m *answersModel) affords(c *modelCall, now int64) bool {
	ours := func(other *modelCall) bool { return other.fresh%m.processes == c.fresh%m.processes }
	count := func(list []modelCall, is func(*modelCall) bool) (n int64) {
		for i := range list {
			if ours(&list[i]) && is(&list[i]) {
				n++
			}
		}
		return n
	}
	var calls []modelCall
	for _, call := range m.calls {
		calls = append(calls, *call)
	}
	recent := func(other *modelCall) bool { return other.at > now-m.ttl }
	switch m.budget {
	case "share":
		open := count(calls, func(o *modelCall) bool { return o.open })
		retries := count(calls, func(o *modelCall) bool { return o.open && o.try > 0 }) + count(m.arrivals, func(o *modelCall) bool { return o.try > 0 })
		return retries < max(m.share*open/100, m.least)
	case "deposits":
		first := count(calls, func(o *modelCall) bool { return o.try == 0 && recent(o) })
		return m.share*first*10_000_000+m.least*m.ttl-count(m.granted, recent)*1_000_000_000 >= 1_000_000_000
	case "grpc":
		tokens := 100 * m.most // in percent
		count(m.verdicts, func(o *modelCall) bool {
			if o.admitted {
				tokens = min(tokens+m.share, 100*m.most)
			} else {
				tokens = max(tokens-100, 0)
			}
			return false
		})
		return 2*tokens > 100*m.most
	}
	return true
}

// ended ends a call, which is or is not retried if it did not succeed.
func (m *answersModel) ended(c *modelCall, now int64, failed, again bool) {
	c.open = false
	if failed {
		m.verdicts = append(m.verdicts, modelCall{fresh: c.fresh})
	}
	if failed && again && c.try < m.attempts && m.affords(c, now) {
		m.granted = append(m.granted, modelCall{at: now, fresh: c.fresh})
		m.retry(c, now+m.backoff)
	}
}

func (m *answersModel) retry(c *modelCall, at int64) {
	k := 0
	for k < len(m.arrivals) && m.arrivals[k].at <= at {
		k++
	}
	m.arrivals = slices.Insert(m.arrivals, k, modelCall{at: at, fresh: c.fresh, try: c.try + 1})
}

func (m *answersModel) run(end int64) {
	type patience struct {
		c  *modelCall
		at int64
	}
	var patient []patience
	answered, erred := map[*modelCall]bool{}, []*modelCall{}
	for {
		now := end
		if len(m.arrivals) > 0 {
			now = min(now, m.arrivals[0].at)
		}
		for _, c := range m.inside {
			now = min(now, c.end)
		}
		for _, p := range patient {
			now = min(now, p.at)
		}
		if now >= end {
			return
		}
		if i := slices.IndexFunc(m.inside, func(c *modelCall) bool { return c.end == now }); i >= 0 {
			c := m.inside[i]
			m.inside = slices.Delete(m.inside, i, i+1)
			answered[c] = true
			if late := m.late && now-c.at > m.timeout; !late {
				m.ended(c, now, m.failed && slices.Contains(erred, c), true)
			}
			if !slices.Contains(erred, c) && len(m.queue) > 0 {
				m.queue[0].end = now + m.service
				m.inside = append(m.inside, m.queue[0])
				m.queue = m.queue[1:]
			}
			continue
		}
		if i := slices.IndexFunc(patient, func(p patience) bool { return p.at == now }); i >= 0 {
			if c := patient[i].c; !answered[c] {
				m.ended(c, now, true, true)
			}
			patient = slices.Delete(patient, i, i+1)
			continue
		}
		c := m.arrivals[0]
		m.arrivals = m.arrivals[1:]
		c.open = true
		m.calls = append(m.calls, &c)
		if int64(len(m.inside)+len(m.queue)) >= m.limit { // errors end at their instant
			m.ended(&c, now, true, m.refused)
			continue
		}
		c.admitted = true
		m.verdicts = append(m.verdicts, c)
		if m.late {
			patient = append(patient, patience{&c, now + m.timeout})
		}
		switch serving := int64(len(m.inside)); {
		case serving < m.servers:
			c.end = now + m.service
			m.inside = append(m.inside, &c)
		case int64(len(m.queue)) < m.places:
			m.queue = append(m.queue, &c)
		default:
			c.end = now
			erred, m.inside = append(erred, &c), append(m.inside, &c)
		}
	}
}

// TestPatienceForTheLimiter checks that a caller's patience begins when it calls, and that a
// caller that has left does not hear of a refusal.
func TestPatienceForTheLimiter(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 20s
replications: 1
metrics: full
algorithms: {far: {enforcement: remote, counter: token-bucket, timeout: 10s}}
scenarios:
  - name: s
    policy: {limit: 1/15s, burst: 2}
    traffic: [{pattern: list, events: [{at: 0s, count: 4}]}]
    topology: {network: {constant: 2s}}
    guard: {concurrency: 4, service_time: 10ms, deadline: 500ms}
    callers: {retry: {attempts: 1, on: [late, refused], timeout: 1s, backoff: {constant: 10s}}}
    algorithms: [leaky-bucket, far]
`)
	simtest.Exactly(t, d, "s", "leaky-bucket", "retried_requests", 3) // at 10 s, and two at 11 s
	simtest.Exactly(t, d, "s", "far", "retried_requests", 4)          // at 11 s, and none at 14 s
}

// TestRefusalAfterPatience checks that a refusal after the timeout moves no retry, and that one
// at the timeout is heard. The calls of 0 and 500 ms are admitted and refused.
func TestRefusalAfterPatience(t *testing.T) {
	const ms = 1_000_000
	for _, c := range []struct {
		timeout, on, backoff string
		far, beside          []int64 // arrivals of retries
	}{
		{"5ms", "[refused, late]", "{constant: 100ms}", []int64{105 * ms, 605 * ms}, []int64{105 * ms, 605 * ms}},
		{"5ms", "[late]", "{constant: 100ms}", []int64{105 * ms, 605 * ms}, []int64{105 * ms, 605 * ms}},
		{"5ms", "[refused, late]", "retry-after", nil, nil}, // who has left is told no time
		{"50ms", "[refused, late]", "{constant: 100ms}", []int64{620_010_000}, []int64{150 * ms, 650 * ms}},
		{"50ms", "[late]", "{constant: 100ms}", nil, []int64{150 * ms}},
	} {
		rows := simtest.Decisions(t, fmt.Sprintf(`
version: 1
duration: 3s
replications: 1
algorithms: {far: {preset: remote, timeout: 0s}, beside: {preset: token-bucket, sidecar: {constant: 50ms}}}
scenarios:
  - name: s
    topology: {clients: 1, network: {constant: 10ms}}
    policy: {limit: 1/s, burst: 1}
    traffic: [{pattern: list, events: [{at: 0s, count: 1}, {at: 500ms, count: 1}]}]
    guard: {concurrency: 100, service_time: 1ms}
    callers: {retry: {attempts: 1, on: %s, timeout: %s, backoff: %s}}
    algorithms: [far, beside]
`, c.on, c.timeout, c.backoff))
		for row, want := range map[string][]int64{"far": c.far, "beside": c.beside} {
			var got []int64
			for _, d := range rows[row] {
				if d.Try > 0 {
					got = append(got, d.ArrivalNs)
				}
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%s on %s with timeout %s, %s: retries at %d ns, want %d", row, c.on, c.timeout, c.backoff, got, want)
			}
		}
	}
}

// Callers retry what is refused, late or an error, as they are told, and nothing else.
func TestRetriedAnswers(t *testing.T) {
	const ms = 1_000_000
	rapid.Check(t, func(t *rapid.T) {
		m := &answersModel{
			limit: rapid.Int64Range(2, 12).Draw(t, "limit"), servers: rapid.Int64Range(1, 3).Draw(t, "servers"), places: rapid.Int64Range(0, 5).Draw(t, "places"),
			service: rapid.Int64Range(5, 40).Draw(t, "service") * ms, attempts: rapid.Int64Range(0, 3).Draw(t, "attempts"),
			backoff: rapid.Int64Range(1, 60).Draw(t, "backoff")*ms + 7, timeout: rapid.Int64Range(10, 120).Draw(t, "timeout")*ms + 1,
			budget: rapid.SampledFrom([]string{"", "share", "deposits", "grpc"}).Draw(t, "budget"), processes: rapid.Int64Range(1, 3).Draw(t, "processes"),
			share: rapid.Int64Range(1, 150).Draw(t, "share"), least: rapid.Int64Range(0, 20).Draw(t, "least"), most: rapid.Int64Range(1, 12).Draw(t, "tokens"),
			ttl: rapid.Int64Range(1, 600).Draw(t, "ttl") * ms,
		}
		budget := map[string]string{
			"share": fmt.Sprintf("{share: {share: %d%%, min: %d}}", m.share, m.least), "grpc": fmt.Sprintf("{grpc: {max: %d, ratio: %d%%}}", m.most, m.share),
			"deposits": fmt.Sprintf("{deposits: {share: %d%%, min: %d, ttl: %dns}}", m.share, m.least, m.ttl),
		}[m.budget]
		if m.budget != "" {
			budget = fmt.Sprintf(", processes: %d, budget: %s", m.processes, budget)
		}
		var on []string
		for what, is := range map[string]*bool{"refused": &m.refused, "late": &m.late, "failed": &m.failed} {
			if *is = rapid.Bool().Draw(t, what); *is {
				on = append(on, what)
			}
		}
		slices.Sort(on)
		retry := ""
		if len(on) > 0 {
			retry = fmt.Sprintf("callers: {retry: {attempts: %d, on: [%s], timeout: %dns, backoff: {constant: {time: %dns}}}%s}", m.attempts, strings.Join(on, ", "), m.timeout, m.backoff, budget)
		} else {
			m.attempts = 0
		}
		text := fmt.Sprintf(`
version: 1
duration: 1s
seed: %d
replications: 1
algorithms: {fixed: {preset: fixed-concurrency, limit: %d}}
scenarios:
  - name: s
    policy: {limit: 1000/s, shared: true}
    traffic: [{pattern: poisson, rate: %d/s}]
    guard: {concurrency: %d, service_time: %dns, deadline: 1s, queue: %d}
    %s
    algorithms: [fixed, token-bucket]
`, rapid.Uint64Range(1, 1000).Draw(t, "seed"), m.limit, rapid.Int64Range(20, 400).Draw(t, "rate"), m.servers, m.service, m.places, retry)
		rows := simtest.Decisions(t, text)
		decisions := rows["fixed"]
		for _, d := range decisions {
			if d.Try == 0 {
				m.arrivals = append(m.arrivals, modelCall{at: d.ArrivalNs, fresh: d.Fresh})
			}
		}
		slices.SortFunc(m.arrivals, func(a, b modelCall) int { return cmp.Compare(a.at, b.at) })
		m.run(1000 * ms)
		if len(m.calls) != len(decisions) {
			t.Fatalf("%d attempts, want %d\n%s", len(decisions), len(m.calls), text)
		}
		slices.SortFunc(decisions, func(a, b sim.Decision) int { return cmp.Compare(a.Attempt, b.Attempt) })
		for i, c := range m.calls {
			if d := decisions[i]; d.ArrivalNs != c.at || d.Fresh != c.fresh || int64(d.Try) != c.try || (d.Verdict == "admitted") != c.admitted {
				t.Fatalf("attempt %d: %+v, want %+v\n%s", i, d, *c, text)
			}
		}
	})
}

// A request whose answer is late or an error is admitted again, so that no share of the fresh
// requests is admitted in the end: the figure would exceed 100 %.
func TestAdmittedAgain(t *testing.T) {
	for on, known := range map[string]bool{"refused": true, "late": false, "failed": false} {
		d := simtest.Run(t, fmt.Sprintf(`
version: 1
duration: 5s
replications: 2
scenarios:
  - name: s
    policy: {limit: 1000/s, shared: true}
    traffic: [{pattern: poisson, rate: 100/s}]
    guard: {concurrency: 1, service_time: 20ms, deadline: 30ms, queue: 5}
    callers: {retry: {attempts: 2, on: [%s], backoff: {constant: 10ms}}}
    metrics: full
    algorithms: [token-bucket]
`, on))
		for _, r := range d.Results {
			if m := r.Metrics["fresh_admitted_pct"]; (m.Mean != nil) != known || known == (m.Reason == "callers also retry requests that were admitted") {
				t.Errorf("retries on %s: %s has %v (%s)", on, r.Algorithm, m.Mean, m.Reason)
			}
		}
	}
}
