package random

import (
	"slices"
	"testing"
)

// First values of New(1, 0, "traffic[0]").
var (
	goldenUint64      = []uint64{0x4a5b4637fbfedd76, 0x5d66acd7966f2ef8, 0x18a1aaf67aa50aa9, 0x77305e41acd293bd, 0xfecf895956ac3497, 0x65de9ef327901535}
	goldenExponential = []uint64{356340888744899314, 290615364683967723, 674790754538297713, 220342753393867036, 1342164648989817, 265599609031045349}
	goldenNormal      = []int64{371888163218902, -453323438267015, -22027683442469, -281337426882926, 220905684266630, -788414335913684}
	goldenGamma       = []uint64{109231835494409, 7243048673, 103491098369790, 1724289774097186, 1391958462149, 159}
	goldenPareto      = []int64{2280065, 1958508, 4762473, 1664700, 1003109, 1848404}
	goldenLognormal   = []int64{4655242, 153389, 912928, 312388, 2493246, 38366}
)

// The first values of a few streams. A change here changes the result of
// every scenario, and needs a new version of the tool.
func TestGoldenSequence(t *testing.T) {
	s := New(1, 0, "traffic[0]")
	for i, want := range goldenUint64 {
		if got := s.Uint64(); got != want {
			t.Errorf("Uint64 %d of (1, 0, traffic[0]) is %#x, want %#x", i, got, want)
		}
	}
	s = New(1, 0, "traffic[0]")
	for i, want := range goldenExponential {
		if got := s.Exponential(); got != want {
			t.Errorf("Exponential %d is %d, want %d", i, got, want)
		}
	}
	s = New(1, 0, "traffic[0]")
	for i, want := range goldenNormal {
		if got := s.Normal(); got != want {
			t.Errorf("Normal %d is %d, want %d", i, got, want)
		}
	}
	s = New(1, 0, "traffic[0]")
	l, err := NewLatency("lognormal", 1e6, 15e6, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range goldenLognormal {
		if got := l.Draw(&s); got != want {
			t.Errorf("lognormal draw %d is %d, want %d", i, got, want)
		}
	}
	s = New(1, 0, "traffic[0]")
	gamma := make([]uint64, len(goldenGamma))
	NewGamma(3, 1).Fill(&s, gamma)
	if !slices.Equal(gamma, goldenGamma) {
		t.Errorf("gamma draws are %d, want %d", gamma, goldenGamma)
	}
	s = New(1, 0, "traffic[0]")
	pareto := NewPareto(1e6, 3, 2)
	for i, want := range goldenPareto {
		if got := pareto.Draw(&s); got != want {
			t.Errorf("Pareto draw %d is %d, want %d", i, got, want)
		}
	}
}
