package size

import (
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/size/least"
)

// Question is what is asked of a log.
type Question struct {
	Algorithm *least.Algorithm
	Goal      least.Goal
	Windows   []int64
	Rates     []units.Rate
	Abusers   []string
	Parts     int // of a back-test

	AtMost, Of, Per, AbusersFile string
	Where                        []string // requests that are read, of all in the log
	Shared                       bool
	Hash                         func(name string) string // nil if names are shown
	Version, Rerun, Command      string
}

// Misfit is the error of a question that a log cannot answer, such as one about keys that
// it has not.
type Misfit struct{ text string }

func (m *Misfit) Error() string { return m.text }

func misfitf(format string, args ...any) error { return &Misfit{fmt.Sprintf(format, args...)} }
