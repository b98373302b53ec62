package text

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
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

// TestLinesAreThoseOfTheText compares records that are extended, given back and read once more
// with lines of the whole text, whatever the sizes of the reads and of the buffer.
func TestLinesAreThoseOfTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching("[ab\r\n]{0,40}").Draw(t, "text")
		lines := strings.Split(text, "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1] // a line ends with its break
		}
		l := NewLines(oneByte{strings.NewReader(text)})
		if rapid.Bool().Draw(t, "whole") {
			l = LinesIn([]byte(text))
		} else {
			l.buf = make([]byte, rapid.IntRange(1, 50).Draw(t, "buffer"))
		}
		record := func(first, end int) string { return strings.TrimSuffix(strings.Join(lines[first:end], "\n"), "\r") }
		at, end := 0, 0 // the record has the lines from at up to end
		for range 60 {
			switch what := rapid.SampledFrom([]string{"next", "next", "extend", "extend", "back", "again"}).Draw(t, "what"); {
			case what == "next" || end == at:
				got, long, ok := l.Next()
				if at = end; at == len(lines) {
					if ok {
						t.Fatalf("a line %q behind the end", got)
					}
					return
				}
				if end = at + 1; !ok || long || string(got) != record(at, end) || l.Line != int64(end) {
					t.Fatalf("line %d: %q as line %d, %v, want %q", end, got, l.Line, ok, record(at, end))
				}
			case what == "extend":
				got, ok := l.Extend()
				if ok != (end < len(lines)) {
					t.Fatalf("lines %d to %d of %d: %q, %v", at+1, end, len(lines), got, ok)
				}
				if ok {
					if end++; string(got) != record(at, end) {
						t.Fatalf("lines %d to %d: %q, want %q", at+1, end, got, record(at, end))
					}
				}
			case what == "back":
				l.GiveBack()
				end = at + 1
			default:
				l.Again()
				end = at
			}
		}
	})
}
