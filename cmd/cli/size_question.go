package cli

import (
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/size/least"
)

// question is what is asked of a log.
type question struct {
	algorithm *least.Algorithm
	goal      least.Goal
	windows   []int64
	rates     []units.Rate
	abusers   []string

	atMost, of, per, abusersFile string
	shared                       bool
	hash                         func(name string) string // nil if names are shown
	version, rerun, command      string
}

// misfit is the error of a question that a log cannot answer, such as one about keys that
// it has not.
type misfit struct{ text string }

func (m *misfit) Error() string { return m.text }

func misfitf(format string, args ...any) error { return &misfit{fmt.Sprintf(format, args...)} }
