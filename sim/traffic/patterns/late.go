package patterns

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Late is a part of a pattern that never takes effect because its entry ends
// before.
type Late struct {
	What string // the pattern's name, or an element of its list: events[2]
	At   int64  // ns after the entry's beginning
}

// LateOf returns the parts of a pattern that begin at or after the end of its
// span. Of a list it returns the first such element.
func LateOf(name string, v catalog.Values, span Span) []Late {
	var late []Late
	lasts := span.To - span.From
	if at := v.Duration("at"); at >= lasts && v.Set("at") {
		late = append(late, Late{name, at})
	}
	if every := v.Duration("every"); name == "random-walk" && every >= lasts {
		late = append(late, Late{"first step", every})
	}
	for i, elem := range v.List("events") {
		if at := elem.(catalog.Values).Duration("at"); at >= lasts {
			late = append(late, Late{fmt.Sprintf("events[%d]", i), at})
			break
		}
	}
	if n, start := v.Int("count"), v.Duration("start"); name == "workers" && start > lasts {
		if first := integers.MulDivUp(lasts, n, start, n); first < n {
			late = append(late, Late{fmt.Sprintf("worker %d of %d", first+1, n), integers.MulDiv(first, start, n, start)})
		}
	}
	begins := int64(0)
	for i, elem := range v.List("stages") {
		if begins >= lasts {
			late = append(late, Late{fmt.Sprintf("stages[%d]", i), begins})
			break
		}
		begins += elem.(catalog.Values).Duration("for")
	}
	return late
}
