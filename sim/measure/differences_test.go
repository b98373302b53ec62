package measure

import "testing"

// TestFirstDifference checks that the first verdict is that of the earliest attempt, also if
// it is known last, as that of a call that waits to the end is.
func TestFirstDifference(t *testing.T) {
	d := Differences{cfg: &Config{End: 10}}
	for _, attempt := range []int64{7, 2, 5} {
		d.Differs(Difference{At: attempt, Attempt: attempt})
	}
	if d.First.Attempt != 2 || d.differs != 3 {
		t.Errorf("the first is %+v of %d", d.First, d.differs)
	}
}
