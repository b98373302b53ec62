package advice

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// tried are the multiples of a number to try, in percent. Intervals decide how accurate a
// limiter is and what it costs, so they are tried in smaller steps.
var (
	tried          = []int64{75, 50, 25, 10, 150, 200, 400, 1000}
	triedIntervals = []int64{90, 80, 70, 60, 50, 40, 30, 25, 20, 15, 10, 7, 5, 3, 2, 1, 150, 200, 300, 500}
)

// otherIntervals returns fractions of an interval, down to a hundredth, and multiples.
func otherIntervals(ns int64) []string {
	if ns < 100 {
		return nil
	}
	return lists.Map(triedIntervals, func(pct int64) string { return units.FormatDuration(ns / 100 * pct) })
}

// otherNumbers returns fractions and multiples of an option that is a number, and 0. One
// without a value, or with 0, is tried around the policy's own. Values that the option does
// not take are left out where they are bound.
func otherNumbers(f *catalog.Field, now catalog.Values, policy scenarios.Policy) (list []string) {
	own := ""
	switch f.Kind {
	case catalog.Int, catalog.IntOrEnum:
		n, word := now.IntOr(f.Name)
		text := func(n int64) string { return strconv.FormatInt(n, 10) }
		list = append(around(cmp.Or(n, policy.Burst), text), f.Enum...)
		own = cmp.Or(word, text(n))
	case catalog.Duration:
		ns := now.Duration(f.Name)
		list, own = around(cmp.Or(ns, policy.Limit.Per), units.FormatDuration), units.FormatDuration(ns)
	case catalog.Share:
		list = strings.Fields("1% 5% 10% 25% 50% 75% 100% 150% 200% 400%")
		own = now.Share(f.Name).String()
	case catalog.Rate:
		rate := now.Rate(f.Name)
		per := cmp.Or(rate.Per, policy.Limit.Per)
		text := func(n int64) string { return units.Rate{Count: n, Per: per}.String() }
		list, own = around(cmp.Or(rate.Count, policy.Limit.Count), text), text(rate.Count)
	}
	return slices.DeleteFunc(list, func(text string) bool { return text == own && now.Set(f.Name) })
}

// around returns n, the multiples of n that are tried, rounded up, and 0, each once.
func around(n int64, text func(int64) string) []string {
	list := lists.Map(tried, func(pct int64) string { return text(n/100*pct + (n%100*pct+99)/100) })
	return lists.Distinct(append(list, text(n), text(0)))
}
