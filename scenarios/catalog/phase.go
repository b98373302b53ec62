package catalog

import (
	"fmt"
	"math/bits"

	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Offset declares the phase of a periodic pattern.
func Offset() Field {
	return Field{
		Name: "offset", Kind: Union, Bare: "fixed", Definition: "offset",
		Doc: "Time by which the whole pattern comes later; it must be below the period. random draws it once for each replication, uniformly over the period.",
		Choices: []Entry{
			{Name: "fixed", Summary: "the same in each replication", Fields: []Field{
				{Name: "time", Kind: Duration, Required: true, Min: "0s", Doc: "the offset"},
			}},
			{Name: "random", Summary: "one uniform draw for each replication"},
		},
	}
}

// period returns the period of a pattern with these values, as ns for a number of
// periods: 0 ns if it has none.
func (e *Entry) period(v Values) (ns, periods int64) {
	for _, name := range e.Period {
		if r, ok := v[name].V.(units.Rate); ok {
			return r.Per, r.Count
		}
		ns += v.Duration(name)
	}
	return ns, 1
}

// OnePhase reports whether a pattern with these values is periodic and has the same
// phase in each replication.
func (e *Entry) OnePhase(v Values) bool {
	ns, periods := e.period(v)
	return ns > 0 && periods > 0 && v.Choice("offset").Name != "random"
}

// CheckOffset returns an error if the offset of a pattern with these values is not
// below its period.
func (e *Entry) CheckOffset(v Values) error {
	offset := v.Choice("offset").Values.Duration("time")
	ns, periods := e.period(v)
	if hi, lo := bits.Mul64(uint64(offset), uint64(periods)); hi == 0 && lo < uint64(ns) {
		return nil
	}
	period := units.FormatDuration(ns)
	if periods > 1 {
		period += fmt.Sprintf("/%d", periods)
	}
	return fmt.Errorf("%s is not below the period of %s", units.FormatDuration(offset), period)
}
