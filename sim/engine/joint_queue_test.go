package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestJointQueues compares a leaky bucket under two policies with a reference model
// that keeps the backlog of each key as an exact fraction, as nginx accounts several
// limit_req directives: a request waits for the slowest of its queues.
func TestJointQueues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type queue struct{ count, window, burst, delay, backlog, since int64 }
		charge := rapid.SampledFrom([]string{"all", "none"}).Draw(t, "charge")
		delay := rapid.Int64Range(0, 3).Draw(t, "delay")
		newQueue := func(name string) *queue {
			return &queue{count: rapid.Int64Range(1, 9).Draw(t, name), window: rapid.Int64Range(1, 100).Draw(t, name+" window"), burst: rapid.Int64Range(1, 5).Draw(t, name+" burst"), delay: delay}
		}
		one, two := newQueue("one"), newQueue("two")
		var events, want []string
		at := int64(0)
		for range rapid.IntRange(1, 40).Draw(t, "requests") {
			at += rapid.Int64Range(0, 40).Draw(t, "gap")
			events = append(events, fmt.Sprintf("{at: %dns}", at))
			room := func(q *queue) bool {
				q.backlog, q.since = max(0, q.backlog-(at-q.since)*q.count), at
				return q.backlog <= q.burst*q.window
			}
			first, second := room(one), room(two)
			dispatch := at
			for q, fits := range map[*queue]bool{one: first, two: second} {
				if fits && (charge == "all" || first && second) {
					dispatch = max(dispatch, at+(max(0, q.backlog-q.delay*q.window)+q.count-1)/q.count)
					q.backlog += q.window
				}
			}
			if !first || !second {
				dispatch = -1
			}
			want = append(want, fmt.Sprint(at, " ", dispatch))
		}
		text := fmt.Sprintf(`
version: 1
duration: 100us
algorithms:
  queues: {preset: leaky-bucket, delay: %d, charge: %s}
policies:
  one: {limit: %d/%dns, burst: %d}
  two: {limit: %d/%dns, burst: %d}
scenarios:
  - name: s
    policies: [one, two]
    traffic: [{pattern: list, events: [%s]}]
    algorithms: [queues]
`, delay, charge, one.count, one.window, one.burst, two.count, two.window, two.burst, strings.Join(events, ", "))
		got := make([]string, len(want))
		for _, d := range simtest.Decisions(t, text)["queues"] {
			got[d.Attempt] = fmt.Sprint(d.ArrivalNs, " ", d.DispatchedNs)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("request %d: arrival and dispatch %s, want %s\n%s", i, got[i], want[i], text)
			}
		}
	})
}
