package figure

import (
	"math"
	"strings"
	"testing"
)

// TestSizes checks that each setting is a point and that one alone stands out.
func TestSizes(t *testing.T) {
	list := []Size{{"a", 1, 60, 120, math.NaN(), false}, {"b", 5, 10, 310, math.NaN(), true}}
	f := Sizes("t", "g", "rate", "burst", list)
	if len(f.Panels) != 2 {
		t.Fatalf("%d panels without abusers", len(f.Panels))
	}
	spots := shapesOf[Spot](f.Panels[0])
	if len(spots) != 2 || spots[0].Radius >= spots[1].Radius || !strings.Contains(f.Subtitle, "the large one, b, is recommended") || spots[1].X != 5 || spots[1].Y != 10 {
		t.Errorf("spots %+v", spots)
	}
	list[0].Passes, list[1].Passes = 0, 0
	if f = Sizes("t", "g", "rate", "burst", list); len(f.Panels) != 3 {
		t.Errorf("%d panels with abusers of whom nothing passes", len(f.Panels))
	}
	if Sizes("t", "g", "rate", "burst", list[:1]) != nil {
		t.Error("a figure of one setting")
	}
}
