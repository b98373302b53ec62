package counting

import (
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// TestBlock plays answers that were worked out by hand: one request a second, and bursts.
func TestBlock(t *testing.T) {
	const ms, s = int64(1e6), int64(1e9)
	var everySecond []int64
	for at := range int64(130) {
		everySecond = append(everySecond, at*s)
	}
	thrice := []int64{0, 1 * s, 2 * s, 63 * s, 64 * s, 65 * s, 126 * s, 127 * s, 128 * s}
	for _, c := range []struct {
		name       string
		limit      Limit
		block      int64
		times      []int64
		admittedAt []int64
	}{
		{"first-hit-window", Limit{Count: 3, Window: 10 * s}, 60 * s, everySecond, thrice},
		{"fixed-window", Limit{Count: 3, Window: 10 * s}, 60 * s, everySecond, thrice},
		{"token-bucket", Limit{Count: 1, Window: s, Burst: 2}, 5 * s,
			append(make([]int64, 10), 4999*ms, 5*s, 5500*ms, 5500*ms), []int64{0, 0, 5 * s, 5500 * ms}},
	} {
		table, err := New(c.name, c.limit, catalog.Values{"block": {V: c.block}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		var admitted []int64
		for _, at := range c.times {
			if table.Take(0, at, 1).Admitted() {
				admitted = append(admitted, at)
			}
		}
		if !slices.Equal(admitted, c.admittedAt) {
			t.Errorf("%s admits at %v, want %v", c.name, admitted, c.admittedAt)
		}
	}
}

// blockedModel replaces its model by a new one after each block.
type blockedModel struct {
	make  func(limit Limit) referenceModel
	inner referenceModel
	limit Limit
	time  int64
	until int64
}

func (b *blockedModel) take(now, cost int64) bool {
	switch {
	case now < b.until:
		return cost <= 0
	case b.inner.take(now, cost):
		return true
	}
	b.until, b.inner = now+b.time, b.make(b.limit)
	b.inner.take(b.until, 0)
	return false
}

func (b *blockedModel) correct(now, taken, tokens int64, debt bool) {
	if taken >= b.until {
		b.inner.correct(now, taken, tokens, debt)
	}
}

func (b *blockedModel) change(now int64, limit Limit) {
	b.limit = limit
	b.inner.change(now, limit)
}
