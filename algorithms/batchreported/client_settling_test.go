package batchreported

import (
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// settlingHalves returns a client and a server of windows of 100 ns that start with one
// reported reservation of 8, made at 40 and reported at 50.
func settlingHalves() (*Client, *Server, func(now, arrives int64) int64) {
	config := &Config{Policy: Policy{Limit: counting.Limit{Count: 10, Window: 100}}, Clients: 1, Interval: 10, RejectTil: true}
	client, server := NewClient(config, 0), NewServer(config, 0, 0)
	client.DecideCharge(40, []int32{0}, 8, 8, nil)
	report := func(now, arrives int64) (hits int64) {
		r := &Report{}
		client.Flush(now, nil, func(int32) *Report { return r })
		server.Receive(arrives, r)
		return server.policies[0].windows.CountIn(server.slot(0), arrives-arrives%100)
	}
	report(50, 50)
	return client, server, report
}

// TestGiveBackInItsWindow checks that the server takes what a client gives back from the
// window in which it was counted, and from no later one.
func TestGiveBackInItsWindow(t *testing.T) {
	for _, c := range []struct {
		name               string
		settled, sent, got int64
		want               int64
	}{
		{"in time", 60, 70, 75, 3},
		{"sent in its window, counted after it", 95, 98, 105, 2},
		{"sent after its window", 95, 100, 100, 2},
		{"settled after its window", 120, 130, 130, 2},
	} {
		client, server, report := settlingHalves()
		if c.got >= 100 { // what the next window counts stays
			server.Receive(100, &Report{SentAt: 100, Rows: []ReportRow{{Key: 0, Hits: 2}}})
		}
		client.Correct(0, c.settled, 40, -5, true)
		if got := report(c.sent, c.got); got != c.want {
			t.Errorf("%s: the window counts %d, want %d", c.name, got, c.want)
		}
	}
}

// TestGiveBackWithHits checks a report of hits that are given back before it is sent, and
// one that is sent after their window.
func TestGiveBackWithHits(t *testing.T) {
	client, _, report := settlingHalves()
	client.DecideCharge(60, []int32{0}, 4, 4, nil)
	client.Correct(0, 61, 60, -3, true)
	if got := report(70, 70); got != 9 {
		t.Errorf("the window counts %d, want 9", got)
	}
	client.DecideCharge(97, []int32{0}, 4, 4, nil)
	client.Correct(0, 98, 97, -3, true)
	if got := report(110, 110); got != 1 {
		t.Errorf("the next window counts %d, want 1", got)
	}
}
