package results

import "testing"

// Thinning adds bins up and loses none; the load in flight keeps its peaks.
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
