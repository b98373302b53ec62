package counter

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

func TestRegistry(t *testing.T) {
	limit := Limit{Count: 5, Window: 10, Burst: 5}
	for _, e := range Entries() {
		if e.Summary == "" || e.Idea == "" || e.Bound == "" || e.Source == "" {
			t.Errorf("%s: the entry has an empty text", e.Name)
		}
		_, tableErr := New(e.Name, limit, catalog.Values{}, 2)
		_, queueErr := NewQueue(e.Name, limit, catalog.Values{}, 2)
		if IsQueue(e.Name) != (queueErr == nil) || IsQueue(e.Name) != (tableErr != nil) {
			t.Errorf("%s: queue %v, New: %v, NewQueue: %v", e.Name, IsQueue(e.Name), tableErr, queueErr)
		}
	}
	for name, limit := range map[string]Limit{
		"fixed-window": {Count: 0, Window: 10},
		"gcra":         {Count: 1, Window: 10, Burst: 0},
		"token-bucket": {Count: 1, Window: maxSpan, Burst: 5},
		"no-such":      limit,
	} {
		if _, err := New(name, limit, catalog.Values{}, 1); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s of %v: error %v", name, limit, err)
		}
	}
}
