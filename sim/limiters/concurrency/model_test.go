package concurrency_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/concurrency"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// model is a naive simulation of clients with a limit in front of servers: it looks for the
// next thing to happen among all there are. Times are in ns.
type model struct {
	servers, service, deadline, wait int64
	slowFrom, slowTo, factor         int64
	clients                          []modelClient
	running, queue                   []int // requests
	requests                         []modelRequest
}

type modelClient struct {
	law      concurrency.Law
	inFlight int64
	waiting  []int
}

type modelRequest struct {
	client                             int32
	arrival, sent, end, inFlight, gave int64 // sent, end and gave are Never until then
}

const never = math.MaxInt64

func (m *model) send(now int64, i int) {
	r := &m.requests[i]
	c := &m.clients[r.client]
	c.inFlight++
	r.sent, r.inFlight = now, c.inFlight
	if int64(len(m.running)) < m.servers {
		m.start(now, i)
	} else {
		m.queue = append(m.queue, i)
	}
}

func (m *model) start(now int64, i int) {
	d := m.service
	if now >= m.slowFrom && now < m.slowTo {
		d *= m.factor
	}
	m.requests[i].end = now + d
	m.running = append(m.running, i)
}

func (m *model) admitWaiting(now int64, c *modelClient) {
	for len(c.waiting) > 0 && c.inFlight < c.law.Limit() {
		i := c.waiting[0]
		c.waiting = c.waiting[1:]
		m.send(now, i)
	}
}

// run plays everything before end. At one instant answers come first, in the order of their
// starts, then laws and waits that end, then arrivals.
func (m *model) run(end int64) {
	next := 0
	for {
		answer, at := -1, int64(never)
		for _, i := range m.running {
			if m.requests[i].end < at {
				answer, at = i, m.requests[i].end
			}
		}
		timer := int64(never)
		for i := range m.clients {
			c := &m.clients[i]
			if law, ok := c.law.(concurrency.Timed); ok {
				timer = min(timer, law.Next())
			}
			for _, w := range c.waiting {
				timer = min(timer, m.requests[w].arrival+m.wait)
			}
		}
		arrival := int64(never)
		if next < len(m.requests) {
			arrival = m.requests[next].arrival
		}
		now := min(at, timer, arrival)
		switch {
		case now >= end:
			return
		case at == now:
			r := &m.requests[answer]
			c := &m.clients[r.client]
			m.running = slices.DeleteFunc(m.running, func(i int) bool { return i == answer })
			if len(m.queue) > 0 {
				m.start(now, m.queue[0])
				m.queue = m.queue[1:]
			}
			c.inFlight--
			c.law.Answer(concurrency.Sample{Sent: r.sent, RTT: now - r.sent, InFlight: r.inFlight, Dropped: now-r.arrival > m.deadline})
			m.admitWaiting(now, c)
		case timer == now:
			for i := range m.clients { // a wait ends before a law acts
				for c := &m.clients[i]; len(c.waiting) > 0 && m.requests[c.waiting[0]].arrival+m.wait == now; {
					m.requests[c.waiting[0]].gave = now
					c.waiting = c.waiting[1:]
				}
			}
			for i := range m.clients {
				c := &m.clients[i]
				if law, ok := c.law.(concurrency.Timed); ok && law.Next() == now {
					law.Act(now)
					m.admitWaiting(now, c)
				}
			}
		default:
			i := next
			next++
			r := &m.requests[i]
			switch c := &m.clients[r.client]; {
			case c.inFlight < c.law.Limit():
				m.send(now, i)
			case m.wait > 0:
				c.waiting = append(c.waiting, i)
			default:
				r.gave = now
			}
		}
	}
}

// Each law decides in the simulator what it decides in the naive model.
func TestModel(t *testing.T) {
	const ms = 1_000_000
	for _, law := range []struct {
		options string
		new     func() concurrency.Law
	}{
		{"preset: fixed-concurrency, limit: 3", func() concurrency.Law { return concurrency.Fixed(3) }},
		{"preset: aimd, initial: 5, min: 2, max: 40, timeout: 70ms", func() concurrency.Law {
			return concurrency.NewAIMD(concurrency.Range{Initial: 5, Min: 2, Max: 40}, 70*ms)
		}},
		{"preset: aimd-dialogue, ramp: true", func() concurrency.Law {
			return concurrency.NewDialogueAIMD(concurrency.Range{Initial: 20, Min: 1, Max: 1e6}, true)
		}},
		{"preset: gradient2, min: 2, window: {time: 50ms, samples: 4}", func() concurrency.Law {
			return concurrency.NewWindow(concurrency.NewGradient2(concurrency.Range{Initial: 20, Min: 2, Max: 200}), 50*ms, 4)
		}},
		{"preset: envoy-adaptive, requests: 8, update: 20ms, interval: 300ms, jitter: 0%, probe: 2", func() concurrency.Law {
			return concurrency.NewEnvoy(concurrency.Gradient{Range: concurrency.Range{Initial: 2, Min: 2, Max: 1000}, Probe: 2, Requests: 8, Update: 20 * ms, Interval: 300 * ms, Buffer: 0.25}, 0, nil)
		}},
	} {
		t.Run(law.options[8:14], func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				m := &model{
					servers: rapid.Int64Range(1, 4).Draw(t, "servers"), service: rapid.Int64Range(1, 20).Draw(t, "service") * ms, deadline: rapid.Int64Range(20, 100).Draw(t, "deadline") * ms,
					slowFrom: 400 * ms, slowTo: 900 * ms, factor: rapid.Int64Range(1, 5).Draw(t, "factor"),
				}
				wait := ""
				if rapid.Bool().Draw(t, "waits") {
					m.wait = rapid.Int64Range(1, 40).Draw(t, "wait") * ms
					wait = fmt.Sprintf(", when_full: wait, max_wait: %dms", m.wait/ms)
				}
				pattern := rapid.SampledFrom([]string{"poisson", "constant"}).Draw(t, "pattern")
				clients := rapid.IntRange(1, 3).Draw(t, "clients")
				decisions := simtest.Decisions(t, fmt.Sprintf(`
version: 1
duration: 1500ms
seed: %d
replications: 1
algorithms: {tested: {%s%s}}
scenarios:
  - name: s
    policy: {limit: 1000/s, shared: true}
    topology: {clients: %d}
    traffic: [{pattern: %s, rate: %d/s, spread: random}]
    guard: {concurrency: %d, service_time: %dms, deadline: %dms, slow: [{from: 400ms, to: 900ms, factor: %d}]}
    algorithms: [tested]
`, rapid.Uint64Range(1, 1000).Draw(t, "seed"), law.options, wait, clients, pattern, rapid.Int64Range(20, 1000).Draw(t, "rate"),
					m.servers, m.service/ms, m.deadline/ms, m.factor))["tested"]
				slices.SortFunc(decisions, func(a, b sim.Decision) int { return cmp.Compare(a.Attempt, b.Attempt) }) // from the order of decisions
				for range clients {
					m.clients = append(m.clients, modelClient{law: law.new()})
				}
				for _, d := range decisions {
					m.requests = append(m.requests, modelRequest{client: d.Client, arrival: d.ArrivalNs, sent: never, end: never, gave: never})
				}
				m.run(1500 * ms)
				for i, d := range decisions {
					r := m.requests[i]
					got, want := []int64{d.DispatchedNs, d.DecidedNs}, []int64{r.sent, min(r.sent, r.gave)}
					for k, x := range want {
						if x == never {
							want[k] = -1
						}
					}
					if !slices.Equal(got, want) {
						t.Fatalf("request %d of %d at %d: dispatched and decided at %v, want %v", i, len(decisions), d.ArrivalNs, got, want)
					}
				}
			})
		})
	}
}
