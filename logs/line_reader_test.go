package logs

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
	l := newLineReader(oneByte{strings.NewReader("a\r\n\nb\nc\nd")})
	l.buf = make([]byte, 1) // grows if necessary
	var got []string
	for {
		line, _, ok := l.next()
		if !ok {
			break
		}
		s := fmt.Sprintf("%d:%s", l.line, line)
		if string(line) == "b" {
			longer, _ := l.extend()
			s += fmt.Sprintf("+%q", longer)
			longer, _ = l.extend()
			s += fmt.Sprintf("+%q", longer)
			_, more := l.extend()
			s += fmt.Sprint(more)
			l.giveBack()
		}
		got = append(got, s)
	}
	want := []string{"1:a", "2:", `3:b+"b\nc"+"b\nc\nd"false`, "4:c", "5:d"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
