package counting

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// replayed is one key's counter. For each call it makes a new counter and replays
// all earlier requests.
type replayed struct {
	v     variant
	limit Limit
	asked []counted
}

func (r *replayed) table(t *rapid.T) Table {
	table := r.v.table(t, r.limit, 1)
	for _, a := range r.asked {
		table.Take(0, a.at, a.cost)
	}
	return table
}

// TestJoint compares the decisions on requests with random keys of random
// policies with the definition, key by key.
func TestJoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Joint{ChargeNone: rapid.Bool().Draw(t, "charge none"), Drains: rapid.Bool().Draw(t, "drains")}
		joint := &Concat{}
		var keys []*replayed
		for range rapid.IntRange(1, 6).Draw(t, "policies") {
			limit := Limit{
				Count:  int64(rapid.IntRange(1, 5).Draw(t, "count")),
				Window: int64(rapid.IntRange(5, 20).Draw(t, "window")), Burst: int64(rapid.IntRange(1, 5).Draw(t, "burst")),
			}
			v, n := drawVariant(t, limit), rapid.Int32Range(1, 2).Draw(t, "keys")
			joint.Add(v.table(t, limit, n), int(n))
			for range n {
				keys = append(keys, &replayed{v: v, limit: limit})
			}
		}
		now := int64(0)
		for range 25 {
			now += int64(rapid.IntRange(0, 6).Draw(t, "later"))
			cost := int64(rapid.IntRange(1, 3).Draw(t, "cost"))
			var asked []int32
			for k := range keys {
				if rapid.Bool().Draw(t, "carries") {
					asked = append(asked, int32(k))
				}
			}
			want := Admitted
			for _, k := range asked {
				want &= keys[k].table(t).Take(0, now, cost)
			}
			for _, k := range asked {
				key := keys[k]
				admits := key.table(t).Take(0, now, cost).Admitted()
				if admits && want == Rejected && o.ChargeNone {
					continue
				}
				key.asked = append(key.asked, counted{now, cost})
				if left := key.table(t).Level(0, now); !admits && o.Drains && left > 0 {
					key.asked = append(key.asked, counted{now, left})
				}
			}
			if got := o.Take(joint, asked, now, cost); got != want {
				t.Fatalf("at %d, cost %d under %v: %v, want %v", now, cost, asked, got, want)
			}
			for k, key := range keys {
				table := key.table(t)
				if got, want := joint.Level(int32(k), now), table.Level(0, now); got != want {
					t.Fatalf("at %d: key %d has %d left, want %d", now, k, got, want)
				}
				if got, want := joint.RetryAt(int32(k), now, cost), table.RetryAt(0, now, cost); got != want {
					t.Fatalf("at %d: key %d admits at %d, want %d", now, k, got, want)
				}
			}
		}
	})
}

// TestJointRefusals checks what each counter has left after a rejection.
func TestJointRefusals(t *testing.T) {
	for _, test := range []struct {
		o     Joint
		left  []int64 // of the group of 10 and the special of 3, after 3 and 2 requests of cost 1, and one of 2
		costs []int64
	}{
		{Joint{}, []int64{5, 0}, []int64{1, 1, 1, 1, 1}},
		{Joint{ChargeNone: true}, []int64{7, 0}, []int64{1, 1, 1, 1, 1}},
		{Joint{}, []int64{6, 1}, []int64{2, 2}},
		{Joint{Drains: true}, []int64{6, 0}, []int64{2, 2}},
		{Joint{ChargeNone: true, Drains: true}, []int64{8, 0}, []int64{2, 2}},
	} {
		joint := &Concat{}
		for _, n := range []int64{10, 3} {
			joint.Add(NewFixedWindows(Limit{Count: n, Window: 60e9}, WindowOptions{}, 1), 1)
		}
		for _, cost := range test.costs {
			test.o.Take(joint, []int32{0, 1}, 0, cost)
		}
		if left := []int64{joint.Level(0, 0), joint.Level(1, 0)}; !slices.Equal(left, test.left) {
			t.Errorf("%+v, costs %v: %v left, want %v", test.o, test.costs, left, test.left)
		}
	}
}
