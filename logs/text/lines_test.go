package text

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// oneByte returns its text byte by byte, to test every boundary of a read.
type oneByte struct{ r *strings.Reader }

func (o oneByte) Read(p []byte) (int, error) { return o.r.Read(p[:min(1, len(p))]) }

func TestLineReader(t *testing.T) {
	l := NewLines(oneByte{strings.NewReader("a\r\n\nb\nc\nd")})
	l.buf = make([]byte, 1) // grows if necessary
	var got []string
	for {
		line, _, ok := l.Next()
		if !ok {
			break
		}
		s := fmt.Sprintf("%d:%s", l.Line, line)
		if string(line) == "b" {
			longer, _ := l.Extend()
			s += fmt.Sprintf("+%q", longer)
			longer, _ = l.Extend()
			s += fmt.Sprintf("+%q", longer)
			_, more := l.Extend()
			s += fmt.Sprint(more)
			l.GiveBack()
		}
		got = append(got, s)
	}
	want := []string{"1:a", "2:", `3:b+"b\nc"+"b\nc\nd"false`, "4:c", "5:d"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
