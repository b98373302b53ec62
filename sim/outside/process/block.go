package process

import (
	"bytes"
	"fmt"
	"time"
)

// block is the requests of one Decide.
type block struct {
	first    int64 // number of its first request
	requests []Request
	answers  []Answer
	decided  int // answers so far
}

// take reads answers from output of the process. It returns what is wrong, or "".
func (p *Process) take(output []byte, b *block) (what string) {
	for len(output) > 0 {
		line, rest, whole := bytes.Cut(output, []byte("\n"))
		if len(p.line)+len(line) > maxAnswer {
			return fmt.Sprintf("wrote a line of more than %d bytes, which begins with %s",
				maxAnswer, quote(append(p.line, line...)))
		}
		if b.decided == len(b.requests) {
			p.line = append(p.line, output...) // surplus: the next request shows it
			return ""
		}
		output = rest
		if !whole {
			p.line = append(p.line, line...)
			return ""
		}
		if len(p.line) > 0 {
			p.line = append(p.line, line...)
			line = p.line
		}
		i, a, err := parseAnswer(line)
		if err != nil {
			return "wrote " + quote(line) + ", which is not an answer: " + err.Error()
		}
		if want := b.first + int64(b.decided); i != want {
			return notNext(i)
		}
		b.answers[b.decided] = a
		b.decided++
		p.line = p.line[:0]
	}
	return ""
}

func notNext(i int64) string { return fmt.Sprintf("answered request %d, which was not next", i) }

// surplus says what the process has written that answers no request, as take does if more
// requests were sent.
func (p *Process) surplus(output []byte, when string) string {
	line, _, whole := bytes.Cut(output, []byte("\n"))
	if i, _, err := parseAnswer(line); whole && err == nil && i < p.next {
		return notNext(i)
	}
	return "wrote " + quote(output) + " " + when
}

// late says that the process has not answered in time.
func (b *block) late(timeout time.Duration) string {
	const advice = "its output may be buffered: flush after each line or once per read"
	silent := fmt.Sprintf("was silent for %v (%s)", timeout, advice)
	if b.decided > 0 {
		silent = fmt.Sprintf("answered %d of a block of %d requests, then %s", b.decided, len(b.requests), silent)
	}
	return silent
}
