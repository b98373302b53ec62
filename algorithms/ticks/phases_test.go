package ticks

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestFirst(t *testing.T) {
	coin := func() *rand.PCG { return rand.NewPCG(1, 2) }
	if got := Aligned.First(3, 100, nil); !slices.Equal(got, []int64{0, 0, 0}) {
		t.Errorf("aligned: %v", got)
	}
	if got := Staggered.First(4, 100, nil); !slices.Equal(got, []int64{12, 37, 62, 87}) {
		t.Errorf("staggered: %v", got)
	}
	random, common := Random.First(1000, 100, coin()), CommonRandom.First(1000, 100, coin())
	sum := int64(0)
	for i := range random {
		sum += random[i]
		if random[i] < 0 || random[i] > 99 || common[i] != random[0] {
			t.Fatalf("node %d ticks at %d, in common at %d", i, random[i], common[i])
		}
	}
	if sum < 46_000 || sum > 53_000 {
		t.Errorf("random ticks are at %d of 1000 on average, want about 49500", sum)
	}
	for i, name := range Names {
		if Named[name] != Phase(i) {
			t.Errorf("%s is not phase %d", name, i)
		}
	}
}

func TestAfter(t *testing.T) {
	for _, x := range []struct{ now, want int64 }{{0, 30}, {29, 30}, {30, 130}, {129, 130}, {130, 230}} {
		if got := After(x.now, 30, 100); got != x.want {
			t.Errorf("after %d: %d, want %d", x.now, got, x.want)
		}
	}
}
