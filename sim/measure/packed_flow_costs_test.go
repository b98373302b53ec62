package measure

import (
	"testing"

	"pgregory.net/rapid"
)

// For any costs, and for any number of moves from the narrow counts, the sums
// equal those of 64-bit counts.
func TestFlowCosts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		flows := rapid.IntRange(1, 5).Draw(t, "flows")
		costs, want := newFlowCosts(flows), make([]flowCost, flows)
		for range rapid.IntRange(0, 30).Draw(t, "blocks") {
			var ids []int32
			var offered, admitted []int64
			var sum Sums
			for range rapid.IntRange(0, 6).Draw(t, "rows") {
				id := rapid.Int32Range(0, int32(flows)-1).Draw(t, "flow")
				largest := rapid.SampledFrom([]int64{3, 1 << 14, 1 << 15, 1 << 40}).Draw(t, "largest")
				o, a := rapid.Int64Range(0, largest).Draw(t, "offered"), rapid.Int64Range(0, largest).Draw(t, "admitted")
				ids, offered, admitted = append(ids, id), append(offered, o), append(admitted, a)
				sum.Offered += o
				sum.Admitted += a
				want[id].offered += o
				want[id].admitted += a
			}
			costs.add(ids, offered, admitted, sum)
		}
		for id := range want {
			if got := costs.of(id); got != want[id] {
				t.Fatalf("flow %d: %v, want %v", id, got, want[id])
			}
		}
	})
}
