package patterns

import (
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// options reads the bound fields of a pattern and keeps the first error. A
// method that finds an error returns a value that is safe to compute with, so
// that a builder can read all fields before New checks err.
type options struct {
	catalog.Values
	err error
}

// maxDuration is the longest duration of a field: 2^60 ns, 36 years.
const maxDuration = int64(1) << 60

func (o *options) fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

// rate returns the rate of a field; no arrivals if the field is unset.
func (o *options) rate(field string) exactRate {
	r := o.Rate(field)
	if r == (units.Rate{}) {
		return exactRate{0, 1}
	}
	p, err := newExactRate(r.Count, r.Per)
	if err != nil {
		o.fail(fmt.Errorf("%s: %w", field, err))
		return exactRate{0, 1}
	}
	return p
}

// duration returns the duration of a field in ns, 0 if the field is unset.
func (o *options) duration(field string) int64 {
	d := o.Duration(field)
	if d > maxDuration {
		o.fail(fmt.Errorf("%s: must be at most 2^60 ns", field))
		return 1
	}
	return d
}
