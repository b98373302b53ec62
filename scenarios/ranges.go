package scenarios

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// inRange checks a bound value against its field's Min and Max, which are
// written like values of the field.
func inRange(f *catalog.Field, v any) error {
	if _, word := v.(string); word || f.Min == "" && f.Max == "" {
		return nil
	}
	low := f.Min == "" || compare(v, bound(f, f.Min)) >= 0
	high := f.Max == "" || compare(v, bound(f, f.Max)) <= 0
	switch {
	case low && high:
		return nil
	case f.Kind == catalog.Share && f.Min == "0" && f.Max == "1":
		return errors.New("must be from 0% to 100%")
	case f.Min == f.Max:
		return fmt.Errorf("must be %s", f.Min)
	case f.Max == "":
		return fmt.Errorf("must be at least %s", f.Min)
	case f.Min == "":
		return fmt.Errorf("must be at most %s", f.Max)
	}
	return fmt.Errorf("must be from %s to %s", f.Min, f.Max)
}

func bound(f *catalog.Field, text string) any {
	v, err := parse(f, text)
	if err != nil {
		panic(fmt.Sprintf("scenarios: range of %q: %v", f.Name, err))
	}
	return v
}

// compare orders two values of one kind.
func compare(a, b any) int {
	switch x := a.(type) {
	case int64:
		return cmp.Compare(x, b.(int64))
	case uint64:
		return cmp.Compare(x, b.(uint64))
	case float64:
		return cmp.Compare(x, b.(float64))
	case units.Fraction:
		y := b.(units.Fraction)
		return big.NewRat(x.Num, x.Den).Cmp(big.NewRat(y.Num, y.Den))
	case units.Rate:
		y := b.(units.Rate)
		return big.NewRat(x.Count, x.Per).Cmp(big.NewRat(y.Count, y.Per))
	}
	panic(fmt.Sprintf("scenarios: %T has no range", a))
}
