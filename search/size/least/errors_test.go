package least

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/units"
)

// A search reads its log several times. Whichever reading fails, the search fails.
func TestErrorsOfTheLog(t *testing.T) {
	broken := errors.New("the disk is gone")
	rows := drawn(rand.New(rand.NewPCG(1, 9)), true) // costs differ
	g := Goal{AtMost: units.Fraction{Num: 1, Den: 20}}
	search := func(log Log) error {
		study, err := NewStudy(log, 3, make([]bool, 3))
		if err != nil {
			return err
		}
		a := &algorithms[0]
		if _, err := study.Solve(a, candidatesOf(a), g, true); err != nil {
			return err
		}
		_, err = study.Own(a, candidatesOf(a), []int32{0, 1})
		return err
	}
	readings := 0
	counted := func(fails int) Log {
		readings = 0
		return func(visit func(Block) error) error {
			if readings++; readings == fails {
				return broken
			}
			return played(rows)(visit)
		}
	}
	if err := search(counted(0)); err != nil || readings < 5 {
		t.Fatalf("%d readings, error %v: the test shows too little", readings, err)
	}
	for fails, all := 1, readings; fails <= all; fails++ {
		if err := search(counted(fails)); !errors.Is(err, broken) {
			t.Errorf("reading %d of %d fails: error %v", fails, all, err)
		}
	}
}
