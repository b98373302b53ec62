package sql

import (
	"slices"
	"testing"
)

// A transaction has the lock, waits for it, or has received its result. The
// same steps run against a real server in the tests of concurrent transactions.
func TestTransactionsMeet(t *testing.T) {
	for _, c := range []struct {
		name         string
		serializable bool
		exists       bool
		next         int32
		failed       []int32
		state        SQLState
	}{
		{"first calls, read committed", false, false, Nobody, []int32{1, 2}, DuplicateKey},
		{"first calls, serializable", true, false, Nobody, []int32{1, 2}, Serialization},
		{"later calls, read committed", false, true, 1, nil, Committed},
		{"later calls, serializable", true, true, Nobody, []int32{1, 2}, Serialization},
	} {
		l := NewLocks(c.serializable, 2)
		if c.exists {
			l.Update(1, 7, 0)
			l.Commit(1)
		}
		if !l.Update(1, 0, 0) || l.Update(1, 1, 0) || l.Update(1, 2, 0) {
			t.Fatalf("%s: want the first to have the lock, the others to wait", c.name)
		}
		if !l.Update(0, 5, 0) {
			t.Errorf("%s: another row is locked too", c.name)
		}
		next, failed, state := l.Commit(1)
		if next != c.next || !slices.Equal(failed, c.failed) || state != c.state {
			t.Errorf("%s: next %d, failed %v with %v, want %d, %v with %v", c.name, next, failed, state, c.next, c.failed, c.state)
		}
		if free := l.Update(1, 3, 0); free != (c.next == Nobody) {
			t.Errorf("%s: after the commit a newcomer gets the lock: %v", c.name, free)
		}
	}
}

// Under read committed waiters continue in the order of their arrival.
func TestWaitersKeepTheirOrder(t *testing.T) {
	l := NewLocks(false, 1)
	l.Update(0, 0, 0)
	l.Commit(0)
	for i := range int32(5) {
		l.Update(0, i, 0)
	}
	for want := int32(1); want < 5; want++ {
		if next, _, _ := l.Commit(0); next != want {
			t.Fatalf("next is %d, want %d", next, want)
		}
	}
	if next, _, _ := l.Commit(0); next != Nobody {
		t.Fatalf("next is %d after the last", next)
	}
}
