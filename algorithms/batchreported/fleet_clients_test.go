package batchreported

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// A fleet decides and reports as its clients would by themselves.
func TestFleetAgainstItsClients(t *testing.T) {
	const keys = 5
	rapid.Check(t, func(t *rapid.T) {
		c := steady()
		c.Clients = 3
		c.Pessimistic = rapid.Bool().Draw(t, "pessimistic")
		c.AsDuration = rapid.Bool().Draw(t, "as duration")
		fleet := NewFleet(&c, keys)
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
				for range rapid.OneOf(rapid.Just(1), rapid.IntRange(1, 2*numbers)).Draw(t, "answers") {
					now++
					key := rapid.Int32Range(0, keys-1).Draw(t, "key")
					a := &Answer{ComputedAt: now - rapid.Int64Range(0, 50).Draw(t, "way"), Rows: []AnswerRow{{Key: key, Slot: key}}}
					if rapid.Bool().Draw(t, "til") {
						a.Rows[0].Reject = now + rapid.OneOf(rapid.Int64Range(1, 200), rapid.Int64Range(farAway-200, farAway+200)).Draw(t, "for")
					}
					alone[id].Apply(now, a)
					together[id].Apply(now, a)
				}
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
				verdicts, ages := make([]counting.Verdict, n), make([]int64, n)
				allKnown := true
				known := fleet.Decide(times, clients, asked, costs, verdicts, ages)
				for i, id := range clients {
					verdict := alone[id].DecideAt(times[i], asked[i], costs[i], nil)
					computedAt, ok := alone[id].LatestAnswer()
					allKnown = allKnown && ok
					if verdict != verdicts[i] || ok && ages[i] != times[i]-computedAt || !ok && ages[i] < NoAge {
						t.Fatalf("request %d: %v by an answer %d ns old, alone %v by one of %d, %v", i, verdicts[i], ages[i], verdict, computedAt, ok)
					}
				}
				if known != allKnown {
					t.Fatalf("all have answers: %v, alone: %v", known, allKnown)
				}
			}
		}
	})
}

// A reject-until time is exact to the nanosecond, whether or not it fits the key's
// word.
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

// A key uses its latest answer, with its time exact to the nanosecond, however many
// short or long answers about other keys have arrived since.
func TestAnswersThatNumbersRanOutFor(t *testing.T) {
	const keys = 100
	for _, rows := range []int32{1, keys - 1} {
		c := steady()
		client := NewClient(&c, 0)
		client.Expect(keys)
		answer := func(at int64, first, n int32, reject int64) {
			a := &Answer{ComputedAt: at}
			for key := first; key < first+n; key++ {
				a.Rows = append(a.Rows, AnswerRow{Key: key, Slot: key, Reject: reject})
			}
			client.Apply(at, a)
		}
		answer(3, 0, keys, 5*second)
		for i := range int64(3 * numbers) {
			answer(10+i, 1, rows, 0)
			if client.Decide(5*second-1, 0, 1, nil).Admitted() || !client.Decide(5*second, 0, 1, nil).Admitted() {
				t.Fatalf("%d answers of %d rows to other keys: its rejection does not end when it should", i+1, rows)
			}
			if at, _ := client.LatestAnswer(); at != 3 {
				t.Fatalf("%d answers of %d rows to other keys: its latest is of %d", i+1, rows, at)
			}
			if !client.Decide(20, 1, 1, nil).Admitted() {
				t.Fatalf("%d answers: another key is rejected", i+1)
			}
			if at, _ := client.LatestAnswer(); at != 10+i {
				t.Fatalf("another key's latest is of %d", at)
			}
		}
	}
}
