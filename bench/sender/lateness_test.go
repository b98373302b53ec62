package main

import "testing"

// TestLateness measures 200 requests, one every 500 us, each 10 us later than the
// origin that is best. 40 are late by another 25 us, three by 400 us, and the last one
// by 2 ms. They are recorded from the last to the first.
func TestLateness(t *testing.T) {
	var arrived []int64
	for k := 199; k >= 0; k-- {
		lateNs := 10_000
		switch {
		case k == 199:
			lateNs += 2_000_000
		case k%60 == 59:
			lateNs += 400_000
		case k%5 == 3:
			lateNs += 25_000
		}
		arrived = append(arrived, int64(7_000_000+k*500_000+lateNs))
	}
	if got, want := lateness(arrived, 2000), (figures{p50: 0, p99: 400, max: 2000, requests: 200}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := lateness(nil, 2000); got != (figures{}) {
		t.Errorf("without requests: %+v", got)
	}
}

func TestTypical(t *testing.T) {
	got := typical([]figures{{3, 90, 100, 20}, {1, 70, 300, 19}, {2, 80, 200, 20}})
	if want := (figures{2, 80, 300, 19}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
