package html

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Text has a contrast of 4.5 to 1 on every background, and meaningful parts of
// a drawing have 3 to 1, in light mode, dark mode and print. These are the AA
// levels of WCAG 2.
func TestContrast(t *testing.T) {
	blocks := regexp.MustCompile(`(?s):root \{(.*?)\n *\}`).FindAllStringSubmatch(styleText, -1)
	if len(blocks) != 3 {
		t.Fatalf("%d sets of colours, want light, dark and print", len(blocks))
	}
	for i, name := range []string{"light", "dark", "print"} {
		color := map[string]string{}
		for _, m := range regexp.MustCompile(`--([a-z-]+): #([0-9a-f]{6});`).FindAllStringSubmatch(blocks[i][1], -1) {
			color[m[1]] = m[2]
		}
		check := func(front string, back string, least float64) {
			t.Helper()
			if got := contrast(t, color[front], color[back]); got < least {
				t.Errorf("%s: %s on %s is %.2f to 1, want %v", name, front, back, got, least)
			}
		}
		for _, back := range []string{"ground", "raised", "passed-ground", "failed-ground", "open-ground"} {
			for _, front := range []string{"text", "soft", "link"} {
				check(front, back, 4.5)
			}
			for _, status := range []string{"passed", "failed", "open"} {
				if back == "ground" || back == "raised" || strings.HasPrefix(back, status) {
					check(status, back, 4.5)
				}
			}
		}
		for _, mark := range []string{"admitted", "offered-edge", "limit", "reference", "whisker", "line-a", "line-b", "line-c", "line-d"} {
			check(mark, "ground", 3)
		}
		check("admitted", "offered", 2)
	}
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		t.Fatalf("colour %q: %v", hex, err)
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		c := float64(n>>(16-8*i)&0xff) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
