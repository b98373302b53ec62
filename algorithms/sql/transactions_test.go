//go:build unix

package sql

import (
	"strconv"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/testing/wait"
)

// wallClock is the published function with the server's own clock.
const wallClock = `
create function call(k text, r int default 2, w int default 60) returns numeric language sql as $$
  select take(k, r, w, now(), clock_timestamp())
$$;
`

// blocked waits until a session of the server waits for a lock.
func (p *postgres) blocked(t *testing.T) {
	t.Helper()
	wait.Until(t, "a session waits for a lock", func() bool {
		return p.Do(t, "select count(*) from pg_stat_activity where wait_event_type = 'Lock'")[0] != "0"
	})
}

// transactionsMeet checks that concurrent transactions on one row behave as package
// sql models them.
func transactionsMeet(t *testing.T, p *postgres) {
	a, b := p.session(t), p.session(t)

	meet := func(key, isolation string) (first, second string) {
		t.Helper()
		a.do("begin isolation level " + isolation)
		if first = a.do("select call('" + key + "')"); first == "" {
			t.Fatal("no answer")
		}
		b.do("begin isolation level " + isolation)
		b.send("select call('" + key + "')")
		p.blocked(t)
		if got := a.do("commit"); got != "" {
			t.Fatalf("the first transaction ended with %s", got)
		}
		second = b.answer()
		b.do("commit")
		return first, second
	}

	if _, got := meet("new", "read committed"); got != "23505" {
		t.Errorf("two first calls under read committed: the second got %s, want 23505", got)
	}
	if _, got := meet("new too", "serializable"); got != "40001" && got != "23505" {
		t.Errorf("two first calls under serializable: the second got %s, want an error", got)
	}
	if _, got := meet("new", "serializable"); got != "40001" {
		t.Errorf("two calls under serializable: the second got %s, want 40001", got)
	}
	began := time.Now()
	first, second := meet("new", "read committed")
	// In the meantime two tokens per second are earned, and a fraction before.
	refilled := int64(2*time.Since(began).Seconds()) + 1
	if less := tokensOf(t, first) - tokensOf(t, second); less > 1 || less < 1-refilled {
		t.Errorf("two calls under read committed: the first got %s, the second %s, want one token less, up to %d refilled", first, second, refilled)
	}
}

// A waiter's timestamp is the start of its transaction, so the next caller is credited
// its wait for the lock.
func lockWaitsAreCredited(t *testing.T, p *postgres) {
	a, b := p.session(t), p.session(t)
	a.do("select call('waits', 1000, 1000)")
	p.Do(t, "update take_rows set tokens = 0")
	a.do("begin")
	a.do("select call('waits', 1000, 1000)")
	b.do("begin")
	b.send("select call('waits', 1000, 1000)")
	p.blocked(t)
	time.Sleep(300 * time.Millisecond)
	a.do("commit")
	waiter := tokensOf(t, b.answer())
	b.do("commit")
	if next := tokensOf(t, a.do("select call('waits', 1000, 1000)")); next < waiter+290 {
		t.Errorf("the waiter left %d tokens, the call right after it %d: want the 300 ms of the wait credited again", waiter, next)
	}
}

// Calls in one transaction share its start as their timestamp, so each is credited all
// the time since then.
func callsInsideATransaction(t *testing.T, p *postgres) {
	s := p.session(t)
	s.do("begin")
	first := tokensOf(t, s.do("select call('key', 1000, 1000)"))
	s.do("update take_rows set tokens = 0")
	s.do("select pg_sleep(0.2)")
	previous := int64(0)
	for i := range 3 {
		level := tokensOf(t, s.do("select call('key', 1000, 1000)"))
		if level < previous+199 {
			t.Errorf("call %d after the sleep left %d tokens, the one before %d: want 200 ms credited to each", i, level, previous)
		}
		previous = level
	}
	s.do("commit")
	if first != 999_999 {
		t.Errorf("the first call left %d tokens, want 999999", first)
	}
	if got := s.do("select call('big', 2000000000, 2)"); got != "22003" {
		t.Errorf("r*w of 4e9: %s, want 22003, out of range", got)
	}
}

func tokensOf(t *testing.T, answer string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(answer, 10, 64)
	if err != nil {
		t.Fatalf("no number of tokens: %s", answer)
	}
	return n
}

// The first call stores its own time, not the start of its transaction; the second
// call stores that start.
func firstStamps(t *testing.T, p *postgres) {
	s := p.session(t)
	since := func() string {
		return s.do("select stamp - now() >= interval '0.2 s' from take_rows where key = 'first'")
	}
	s.do("begin")
	s.do("select pg_sleep(0.2)")
	s.do("select call('first')")
	if got := since(); got != "t" {
		t.Errorf("a first call 0.2 s after its transaction's start stored a stamp 0.2 s after it: %s, want t", got)
	}
	s.do("select call('first')")
	if got := since(); got != "f" {
		t.Errorf("a second call stored a stamp 0.2 s after its transaction's start: %s, want f", got)
	}
	s.do("commit")
}
