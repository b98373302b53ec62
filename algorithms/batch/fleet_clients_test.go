package batch

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/counters"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// A fleet decides and reports what its clients would do by themselves.
func TestFleetAgainstItsClients(t *testing.T) {
	const keys = 5
	rapid.Check(t, func(t *rapid.T) {
		c := steady()
		c.Clients = 3
		c.Pessimistic = rapid.Bool().Draw(t, "pessimistic")
		c.AsDuration = rapid.Bool().Draw(t, "as duration")
		c.SkewBy, c.SkewShare = rapid.Int64Range(0, 300).Draw(t, "skew"), units.Fraction{Num: 1, Den: 2}
		fleet := NewFleet(&c, c.Clients, keys)
		start := func(id int32) *Client {
			client := NewClient(&c, id)
			client.Expect(keys)
			return client
		}
		var alone, together []*Client
		for id := range int32(c.Clients) {
			alone, together = append(alone, start(id)), append(together, fleet.Start(id))
		}
		now := int64(0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now += rapid.Int64Range(0, 60).Draw(t, "dt")
			id := rapid.Int32Range(0, int32(c.Clients)-1).Draw(t, "client")
			switch rapid.IntRange(0, 6).Draw(t, "op") {
			case 0:
				alone[id], together[id] = start(id), fleet.Start(id)
			case 1:
				ahead := rapid.Int64Range(-200, 200).Draw(t, "ahead")
				alone[id].SetClock(ahead)
				together[id].SetClock(ahead)
			case 2:
				var a, b Report
				alone[id].Flush(now, oneServer, func(int32) *Report { return &a })
				together[id].Flush(now, nil, func(int32) *Report { return &b })
				if diff := cmp.Diff(a, b); diff != "" {
					t.Fatalf("report (-alone +together):\n%s", diff)
				}
			case 3:
				key := rapid.Int32Range(0, keys-1).Draw(t, "key")
				a := &Answer{ComputedAt: now - rapid.Int64Range(0, 50).Draw(t, "way"), Rows: []AnswerRow{{Key: key, Slot: key}}}
				if rapid.Bool().Draw(t, "til") {
					a.Rows[0].Reject = now + rapid.OneOf(rapid.Int64Range(1, 200), rapid.Int64Range(farAway-200, farAway+200)).Draw(t, "for")
				}
				alone[id].Apply(now, a)
				together[id].Apply(now, a)
			default:
				var clients, asked []int32
				var times, costs []int64
				n := rapid.IntRange(0, 9).Draw(t, "requests")
				for range n {
					now += rapid.Int64Range(0, 20).Draw(t, "gap")
					times = append(times, now)
					clients = append(clients, rapid.Int32Range(0, int32(c.Clients)-1).Draw(t, "client"))
					asked = append(asked, rapid.Int32Range(0, keys-1).Draw(t, "key"))
					costs = append(costs, rapid.OneOf(rapid.Int64Range(0, 3), rapid.Int64Range(1, 2*mostCounted)).Draw(t, "cost"))
				}
				verdicts, answered := make([]counters.Verdict, n), make([]int64, n)
				fleet.Judge(times, clients, asked, costs, verdicts, answered)
				fleet.Count(clients, asked, costs, verdicts)
				for i, id := range clients {
					verdict, computedAt := alone[id].Judge(times[i], asked[i], costs[i])
					alone[id].Count(asked[i], costs[i], verdict)
					if verdict != verdicts[i] || computedAt != answered[i] {
						t.Fatalf("request %d: %v by an answer of %d, alone %v by one of %d", i, verdicts[i], answered[i], verdict, computedAt)
					}
				}
			}
		}
	})
}

// A reject-until time holds to the nanosecond, whether or not a key has room for
// it.
func TestRejectUntilFarAway(t *testing.T) {
	c := steady()
	for _, span := range []int64{1, farAway - 1, farAway, farAway + 1, 3600 * second} {
		client := NewClient(&c, 0)
		client.Apply(5, &Answer{ComputedAt: 5, Rows: []AnswerRow{{Reject: 5 + span}}})
		if got := client.RejectUntil(0); got != 5+span {
			t.Errorf("%d after the answer: rejects until %d", span, got)
		}
		for at, want := range map[int64]bool{5 + span - 1: false, 5 + span: true} {
			if got := client.Decide(at, 0, 1, nil).Admitted(); got != want {
				t.Errorf("%d after the answer: admitted at %d: %v", span, at, got)
			}
		}
	}
}
