package sql

import "testing"

// TestPrioritiesMeet follows the examples of the documentation: wound, die, equal
// priorities, the high bucket, and a holder that commits already.
func TestPrioritiesMeet(t *testing.T) {
	const half, most = uint64(1) << 63, ^uint64(0)
	low, high := Priority(false, half), Priority(false, most-1<<32)
	for _, c := range []struct {
		name          string
		holder, other uint64
		commits       bool
		has           bool
		wounded       int32
	}{
		{"a higher priority wounds", low, high, false, true, 0},
		{"a lower one dies", high, low, false, false, Nobody},
		{"an equal one dies", low, low, false, false, Nobody},
		{"the lowest of the high bucket wounds the highest normal one", high, Priority(true, 0), false, true, 0},
		{"the priority of a single-row transaction is above that of others", low, SingleRowPriority, false, true, 0},
		{"single-row transactions are equal", SingleRowPriority, SingleRowPriority, false, false, Nobody},
		{"nothing aborts a commit", low, high, true, false, Nobody},
		{"under read committed all priorities are equal", HighestPriority, HighestPriority, false, false, Nobody},
	} {
		s := NewConflicts(2)
		if has, _ := s.Update(1, 0, c.holder); !has {
			t.Fatalf("%s: the first transaction does not get the row", c.name)
		}
		if c.commits {
			s.Commits(1)
		}
		if has, wounded := s.Update(1, 1, c.other); has != c.has || wounded != c.wounded {
			t.Errorf("%s: has %v, wounded %d, want %v and %d", c.name, has, wounded, c.has, c.wounded)
		}
		if has, _ := s.Update(0, 2, 0); !has {
			t.Errorf("%s: another row is taken too", c.name)
		}
		s.Release(1)
		if has, wounded := s.Update(1, 3, 0); !has || wounded != Nobody {
			t.Errorf("%s: the row is still taken after its release", c.name)
		}
	}
	for _, draw := range []uint64{0, half, most} {
		if p := Priority(false, draw); p >= HighPriority {
			t.Errorf("the normal priority %d of draw %d is in the high bucket", p, draw)
		}
		if p := Priority(true, draw); p < HighPriority {
			t.Errorf("the high priority %d of draw %d is in the normal bucket", p, draw)
		}
	}
}

// TestEarlierTransactionsGoFirst checks the order of the wait queue, and that a
// rollback lets the next one continue whatever the isolation.
func TestEarlierTransactionsGoFirst(t *testing.T) {
	for _, serializable := range []bool{false, true} {
		l := NewLocks(serializable, 1)
		l.Update(0, 9, 0)
		l.Update(0, 1, 30)
		l.Update(0, 2, 10)
		l.Update(0, 3, 30)
		l.Update(0, 4, 20)
		for _, want := range []int32{2, 4, 1, 3, Nobody} {
			if next := l.Rollback(0); next != want {
				t.Fatalf("after a rollback %d is next, want %d", next, want)
			}
		}
	}
}
