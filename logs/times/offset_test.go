package times

import (
	"fmt"
	"testing"
)

// TestOffsets reads every offset of two digits for hours and minutes, in all forms.
func TestOffsets(t *testing.T) {
	for h := range 100 {
		for m := range 100 {
			for sign, factor := range map[string]int64{"+": 1, "-": -1} {
				for _, form := range []string{"%s%02d%02d", "%s%02d:%02d", " %s%02d%02d"} {
					text := fmt.Sprintf(form, sign, h, m)
					got, ok := offsetSeconds([]byte(text))
					if want := factor * int64(3600*h+60*m); ok != (h <= 23 && m <= 59) || ok && got != want {
						t.Errorf("%q: %d s, %v, want %d", text, got, ok, want)
					}
				}
			}
		}
	}
}
