package results

import (
	"slices"
	"testing"
)

// Thin adds up the bins without loss and keeps the peaks of the load in flight.
func TestThinKeepsTotals(t *testing.T) {
	s := Series{BinNs: 10, LimitPerBin: 2}
	var offered int64
	for i := range 1501 {
		s.Offered = append(s.Offered, int64(i))
		s.Admitted = append(s.Admitted, 1)
		s.Inflight = append(s.Inflight, int64(i%7))
		offered += int64(i)
	}
	got := s.Thin(600)
	var sum int64
	for _, n := range got.Offered {
		sum += n
	}
	if len(got.Offered) > 600 || sum != offered || got.BinNs != 30 || got.LimitPerBin != 6 || got.Inflight[2] != 6 {
		t.Errorf("%d bins of %d ns, limit %v, %d offered of %d, load %d", len(got.Offered), got.BinNs, got.LimitPerBin, sum, offered, got.Inflight[2])
	}
}

// Merge adds up the overspend and averages what is stranded, also in a last bin that
// covers less.
func TestMergeSettlement(t *testing.T) {
	s := Series{BinNs: 10, Offered: make([]int64, 5), Admitted: make([]int64, 5), Overspend: []int64{1, 2, 3, 4, 5}, Stranded: []int64{10, 21, 30, 40, 7}}
	got := s.Merge(2)
	if !slices.Equal(got.Overspend, []int64{3, 7, 5}) || !slices.Equal(got.Stranded, []int64{16, 35, 7}) {
		t.Errorf("overspend %v, stranded %v", got.Overspend, got.Stranded)
	}
	if s.Stranded[0] != 10 {
		t.Error("Merge changed the series")
	}
}

// The spans of the limit cover the whole series, also after Thin.
func TestLimitSpans(t *testing.T) {
	s := Series{StartNs: 5, BinNs: 10, LimitPerBin: 2, Offered: make([]int64, 8), LimitChanges: []LimitChange{{25, 1}, {45, 3}}}
	if got, want := s.LimitSpans(), []LimitSpan{{0, 20, 2}, {20, 40, 1}, {40, 80, 3}}; !slices.Equal(got, want) {
		t.Errorf("spans %v, want %v", got, want)
	}
	thin := s.Thin(4)
	if got, want := thin.LimitSpans(), []LimitSpan{{0, 20, 4}, {20, 40, 2}, {40, 80, 6}}; !slices.Equal(got, want) {
		t.Errorf("spans of bins twice as long %v, want %v", got, want)
	}
	if s.HighestLimit() != 3 || s.LimitChanges[0].LimitPerBin != 1 {
		t.Errorf("highest limit %v, first change %v", s.HighestLimit(), s.LimitChanges[0])
	}
}
