package formats

import (
	"fmt"
	"strings"
	"testing"
)

// A sample holds the first lines and others up to the end, each once, in order,
// with its number.
func TestSampleLines(t *testing.T) {
	for _, n := range []int{0, 1, 2, 100, 128, 129, 255, 256, 257, 1000, 5000} {
		for _, blank := range []bool{false, true} {
			var text strings.Builder
			for i := range n {
				fmt.Fprintf(&text, "%d%s\n", i+1, strings.Repeat("x", i%37))
				if blank && i%3 == 0 {
					text.WriteByte('\n')
				}
			}
			numbers := map[string]int64{}
			for i, line := range strings.Split(text.String(), "\n") {
				numbers[line] = int64(i + 1)
			}
			last := int64(0)
			lines := linesOf([]byte(text.String()), false)
			for i, l := range lines {
				if l.Number != numbers[string(l.Text)] || l.Number <= last || i < min(n, sampleLines/2) && !strings.HasPrefix(string(l.Text), fmt.Sprint(i+1)) {
					t.Fatalf("%d lines, blank %v: line %d is %q with number %d after %d", n, blank, i, l.Text, l.Number, last)
				}
				last = l.Number
			}
			if want := min(n, 160); len(lines) < want || len(lines) > sampleLines+1 {
				t.Errorf("%d lines, blank %v: %d sampled", n, blank, len(lines))
			}
			if n > 1000 && last < int64(n)*9/10 {
				t.Errorf("%d lines: the last one sampled is %d", n, last)
			}
		}
	}
	if l := linesOf([]byte("a\nb"), false); len(l) != 1 {
		t.Errorf("a line that may go on is sampled: %v", l)
	}
	if l := linesOf([]byte("a\nb"), true); len(l) != 2 {
		t.Errorf("the last line is not sampled: %v", l)
	}
}
