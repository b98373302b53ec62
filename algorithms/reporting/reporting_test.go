package reporting

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

// fleet runs clients and a server whose clocks began at times of their own, beside the
// halves that the simulator runs, by its one clock.
type fleet struct {
	config  Config
	start   []time.Time // by client; the last one is the server's
	clients []*Client
	server  *Server
	halves  []*batchreported.Client
	served  *batchreported.Server
	sent    []sent
}

type sent struct {
	client int
	report Report
	half   batchreported.Report
}

func (f *fleet) at(who int, now int64) time.Time { return f.start[who].Add(time.Duration(now)) }

// exchange carries the oldest report to the server and its answer to the client, or
// loses one of them.
func (f *fleet) exchange(t *rapid.T, now int64, lost, unanswered bool) {
	s := f.sent[0]
	f.sent = f.sent[1:]
	if lost {
		if err := f.clients[s.client].Resend(s.report); err != nil {
			t.Fatal(err)
		}
		f.halves[s.client].Resend(&s.half)
		return
	}
	a, err := f.server.Receive(f.at(len(f.clients), now), s.report)
	if err != nil {
		t.Fatal(err)
	}
	var half batchreported.Answer
	f.served.Receive(now, &s.half)
	f.served.Answer(now, &s.half, &half)
	for i, row := range half.Rows {
		if got := a.Rows[i]; int64(got.RejectFor) != row.Reject || rateOf(got.RejectionRate) != row.RejectionRate {
			t.Fatalf("at %d row %d is answered %v, want %v", now, i, got, row)
		}
	}
	if unanswered {
		return
	}
	if err := f.clients[s.client].Apply(f.at(s.client, now), a); err != nil {
		t.Fatal(err)
	}
	f.halves[s.client].Apply(now, &half)
}

// forgetIdle forgets what the decisions and answers to come do not depend on, without a
// rest: at clients if no answer is on its way and no fraction of a rejection is kept.
func (f *fleet) forgetIdle(now int64) {
	lookAtAll(&f.server.keys, f.server.clock.at+now)
	if len(f.sent) == 0 && !f.config.RejectionRate {
		for _, c := range f.clients {
			lookAtAll(&c.keys, now)
		}
	}
}

func lookAtAll(k *keys, now int64) {
	rest := k.rest
	k.rest = 0
	for range k.names {
		k.look(now)
	}
	k.rest = rest
}

// TestDecidesAsTheSimulator checks that clients and a server with clocks of their own
// decide every request as the halves that the simulator runs.
func TestDecidesAsTheSimulator(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Config{Limit: rapid.Int64Range(1, 50).Draw(t, "limit"), Window: 100 * time.Millisecond, Interval: 20 * time.Millisecond,
			Debt: rapid.Bool().Draw(t, "debt"), Local: rapid.Bool().Draw(t, "local"), RejectionRate: rapid.Bool().Draw(t, "rate")}
		if c.Debt {
			c.Burst = rapid.Int64Range(3, 30).Draw(t, "burst")
		}
		_, machine, err := c.machine()
		if err != nil {
			t.Fatal(err)
		}
		f := &fleet{config: c, served: batchreported.NewServer(machine, 0, 0)}
		for range rapid.IntRange(1, 3).Draw(t, "clients") {
			f.start = append(f.start, time.Unix(rapid.Int64Range(-1<<30, 1<<33).Draw(t, "start"), 123))
			cl, err := NewClient(c, f.at(len(f.clients), 0))
			if err != nil {
				t.Fatal(err)
			}
			f.clients, f.halves = append(f.clients, cl), append(f.halves, batchreported.NewClient(machine, 0))
		}
		f.start = append(f.start, time.Unix(rapid.Int64Range(0, 1<<33).Draw(t, "server"), 0))
		if f.server, err = NewServer(c, f.at(len(f.clients), 0)); err != nil {
			t.Fatal(err)
		}
		now := int64(0)
		for range rapid.IntRange(400, 800).Draw(t, "steps") {
			f.forgetIdle(now)
			now += rapid.Int64Range(0, 5_000_000).Draw(t, "after")
			if rapid.IntRange(0, 49).Draw(t, "pause") == 0 {
				now += 300_000_000
			}
			id := rapid.IntRange(0, len(f.clients)-1).Draw(t, "client")
			switch what := rapid.IntRange(0, 9).Draw(t, "what"); {
			case what < 7:
				key, cost := rapid.Int32Range(0, 4).Draw(t, "key"), rapid.Int64Range(0, 3).Draw(t, "cost")
				if most := f.clients[id].most; cost > most {
					continue
				}
				got, err := f.clients[id].Decide(f.at(id, now), fmt.Sprint(key), cost)
				if err != nil {
					t.Fatal(err)
				}
				if want := f.halves[id].Decide(now, key, cost, nil).Admitted(); got != want {
					t.Fatalf("at %d client %d admits cost %d of key %d: %v, want %v", now, id, cost, key, got, want)
				}
			case what == 7:
				s := sent{client: id}
				report, ok := f.clients[id].Flush(f.at(id, now))
				f.halves[id].Flush(now, nil, func(int32) *batchreported.Report { return &s.half })
				if ok != (len(s.half.Rows) > 0) {
					t.Fatalf("at %d client %d reports: %v", now, id, report)
				}
				if s.report = report; ok {
					f.sent = append(f.sent, s)
				}
			case len(f.sent) > 0:
				loss := rapid.IntRange(0, 9).Draw(t, "loss")
				f.exchange(t, now, loss == 0, loss == 1)
			}
		}
	})
}

// Keys that come and go take the memory of those held at one time, and a key that takes
// the place of a forgotten one has nothing of it.
func TestForget(t *testing.T) {
	for _, c := range []Config{usual, {Limit: 100, Window: time.Second, Interval: 100 * time.Millisecond, Local: true}} {
		client, server := newClient(t, c), newServer(t, c)
		now := epoch
		for i := range 2000 {
			key := fmt.Sprint(i)
			ok, err := client.Decide(now, key, 1)
			if err != nil || !ok {
				t.Fatalf("key %s begins with %v, %v", key, ok, err)
			}
			for range 110 {
				client.Decide(now, key, 1)
			}
			report, _ := client.Flush(now)
			answer, err := server.Receive(now, report)
			if err != nil || answer.Rows[0].RejectFor <= 0 {
				t.Fatalf("key %s exceeds its limit: %v, %v", key, answer, err)
			}
			answer.Rows[0].RejectionRate = 0.999
			if err := client.Apply(now, answer); err != nil {
				t.Fatal(err)
			}
			if ok, _ := client.Decide(now, key, 1); ok || client.RetryAfter(now, key) <= 0 {
				t.Fatalf("key %s is not limited", key)
			}
			now = now.Add(time.Microsecond)
			if i >= 9 {
				gone := fmt.Sprint(i - 9)
				client.Decide(now, gone, 1) // is forgotten before it is reported
				client.Forget(gone)
				server.Forget(gone)
			}
		}
		if len(client.keys.names) > 10 || len(server.keys.names) > 10 || client.Keys() != 9 || server.Keys() != 9 {
			t.Errorf("memory of %d and %d keys for %d and %d", len(client.keys.names), len(server.keys.names), client.Keys(), server.Keys())
		}
		if r, _ := client.Flush(now); len(r.Rows) != 1 || r.Rows[0].Key != "1999" {
			t.Errorf("report %v, want only the last key", r.Rows)
		}
	}
}

// Keys that are idle are forgotten as new ones come, but none that a decision depends on.
func TestIdleKeysAreForgotten(t *testing.T) {
	for _, c := range []Config{usual, {Limit: 100, Window: time.Second, Interval: 100 * time.Millisecond, Local: true}} {
		c.MaxKeys = 200
		client, server := newClient(t, c), newServer(t, c)
		for i := range 5000 {
			now := epoch.Add(time.Duration(i) * time.Second)
			keys := []string{fmt.Sprint(i)}
			if i == 10 {
				keys = append(keys, "rejected")
			}
			for _, key := range keys {
				if _, err := client.Decide(now, key, 1); err != nil {
					t.Fatalf("after %d s with %d keys: %v", i, client.Keys(), err)
				}
			}
			report, _ := client.Flush(now)
			answer, err := server.Receive(now, report)
			if err != nil || answer.Uncounted > 0 {
				t.Fatalf("after %d s with %d keys: %v, %v", i, server.Keys(), answer, err)
			}
			if i == 10 {
				answer.Rows[1].RejectFor = 4000 * time.Second
			}
			if err := client.Apply(now, answer); err != nil {
				t.Fatal(err)
			}
			if i > 10 && i < 4000 && client.RetryAfter(now, "rejected") <= 0 {
				t.Fatalf("after %d s a key is forgotten that is rejected", i)
			}
		}
		if client.Keys() < 60 || server.Keys() < 60 {
			t.Errorf("%d and %d keys are held, although 60 of them have not rested", client.Keys(), server.Keys())
		}
	}
}

// An answer that overtakes an older one stays.
func TestLateAnswer(t *testing.T) {
	c := newClient(t, usual)
	c.Decide(epoch, "a", 1)
	first, _ := c.Flush(epoch)
	c.Decide(epoch, "a", 1)
	second, _ := c.Flush(epoch.Add(1))
	c.Apply(epoch.Add(2), Answer{Sent: second.Sent, Rows: []AnswerRow{{Key: "a", RejectFor: time.Hour}}})
	c.Apply(epoch.Add(3), Answer{Sent: first.Sent, Rows: []AnswerRow{{Key: "a"}}})
	if ok, _ := c.Decide(epoch.Add(4), "a", 1); ok {
		t.Error("a late answer replaces a newer one")
	}
}

// After an idle time the bucket also holds what it earned in the interval before the report.
func TestDepthAfterIdleTime(t *testing.T) {
	c := Config{Limit: 10, Window: time.Second, Interval: 10 * time.Second, Debt: true, Burst: 5}
	for _, idle := range []time.Duration{10 * time.Second, time.Hour} {
		s := newServer(t, c)
		for cost, want := range map[int64]time.Duration{105: 0, 106: time.Second / 10} {
			a, err := s.Receive(epoch.Add(idle), Report{Rows: []ReportRow{{Key: fmt.Sprint(cost), Admitted: cost}}})
			if err != nil || a.Rows[0].RejectFor != want {
				t.Errorf("after %v a report of %d rejects for %v (%v), want %v", idle, cost, a.Rows[0].RejectFor, err, want)
			}
		}
	}
}

func TestMostKeys(t *testing.T) {
	c := usual
	c.MaxKeys = 2
	client, server := newClient(t, c), newServer(t, c)
	for _, key := range []string{"a", "b"} {
		if ok, err := client.Decide(epoch, key, 1); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if ok, err := client.Decide(epoch, "c", 1); ok || !errors.Is(err, ErrKeys) {
		t.Errorf("a third key: %v, %v", ok, err)
	}
	report, _ := client.Flush(epoch)
	if a, err := server.Receive(epoch, Report{Rows: []ReportRow{{Key: "x"}}}); err != nil || a.Uncounted != 0 {
		t.Fatal(a, err)
	}
	if a, err := server.Receive(epoch, report); err != nil || a.Uncounted != 1 || len(a.Rows) != 1 || a.Rows[0].Key != "a" {
		t.Errorf("a report of a third key: %v, %v", a, err)
	}
}

// Counts that could not be delivered for long do not make reports that are refused.
func TestResendForLong(t *testing.T) {
	c := usual
	c.MaxCost = 10
	client, server := newClient(t, c), newServer(t, c)
	for range 5 {
		client.Decide(epoch, "a", 9)
		r, _ := client.Flush(epoch)
		if err := client.Resend(r); err != nil {
			t.Fatal(err)
		}
	}
	r, ok := client.Flush(epoch)
	if _, err := server.Receive(epoch, r); err != nil || !ok || r.Rows[0].Admitted != 10 {
		t.Errorf("report %v: %v", r, err)
	}
}

// Run with -race: all methods may be called at the same time.
func TestConcurrentUse(t *testing.T) {
	client, server := newClient(t, usual), newServer(t, usual)
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for j := range 500 {
				now := epoch.Add(time.Duration(j) * time.Millisecond)
				client.Decide(now, fmt.Sprint(j%20), 1)
				if j%50 == i {
					report, _ := client.Flush(now)
					answer, err := server.Receive(now, report)
					if err != nil || client.Apply(now, answer) != nil {
						t.Error(err)
					}
					client.Forget("2")
					server.Forget("2")
					client.RetryAfter(now, "1")
				}
			}
		})
	}
	group.Wait()
}

// TestMemoryOfAKey holds against the heap what the documentation says of the bytes of a key
// and of a row of a report, which depend on how far tables have grown.
func TestMemoryOfAKey(t *testing.T) {
	type span [2]float64
	start := 0.0
	heap := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	held := func(what string, n int, want span) {
		if each := (heap() - start) / float64(n); each < want[0] || each > want[1] {
			t.Errorf("%s takes %.1f bytes of %d, want %v", what, each, n, want)
		}
	}
	rows := make([]ReportRow, 20_000)
	for i := range rows {
		rows[i] = ReportRow{Key: fmt.Sprint("client-", i), Admitted: 1}
	}
	for _, tt := range []struct {
		config         Config
		client, server span
	}{
		{Config{}, span{70, 175}, span{75, 190}},
		{Config{Debt: true, Burst: 5, Local: true, RejectionRate: true}, span{70 + 2*15, 175 + 2*20}, span{75 + 65, 190 + 65}},
	} {
		tt.config.Limit, tt.config.Window, tt.config.Interval = 10, time.Second, time.Second/10
		start = heap()
		client := newClient(t, tt.config)
		for i := range rows {
			client.Decide(epoch, rows[i].Key, 1)
			if n := i + 1; n >= 1000 && (n < 5000 && n%59 == 0 || n%700 == 0) { // tables grow at a few numbers
				held("a client's key", n, tt.client)
			}
		}
		start = heap()
		client.Flush(epoch)
		held("a row of a client's report", len(rows), span{20, 40})
		runtime.KeepAlive(client)

		start = heap()
		server := newServer(t, tt.config)
		for i := range rows {
			server.Receive(epoch, Report{Rows: rows[i : i+1]})
			if n := i + 1; n >= 1000 && (n < 5000 && n%59 == 0 || n%700 == 0) { // tables grow at a few numbers
				held("a server's key", n, tt.server)
			}
		}
		start = heap()
		server.Receive(epoch, Report{Rows: rows})
		held("a row of a server's report and answer", len(rows), span{40, 80})
		runtime.KeepAlive(server)
	}
	runtime.KeepAlive(rows)
}

func TestDecideAllocatesNothing(t *testing.T) {
	c := newClient(t, usual)
	if n := testing.AllocsPerRun(100, func() { c.Decide(epoch, "a", 1) }); n > 0 {
		t.Errorf("%v allocations in a decision", n)
	}
}
