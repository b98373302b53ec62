package process

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

// Of what a process writes to its standard error, the end is kept.
const (
	tailBytes = 8 << 10
	tailLines = 10
)

// tail keeps the end of a stream.
type tail struct {
	mu   sync.Mutex
	kept []byte
	cut  bool // the beginning of the first line is missing
}

// readFrom reads a stream to its end.
func (t *tail) readFrom(r io.Reader) {
	b := make([]byte, tailBytes)
	for {
		n, err := r.Read(b)
		t.mu.Lock()
		t.kept = append(t.kept, b[:n]...)
		if over := len(t.kept) - tailBytes; over > 0 {
			t.kept, t.cut = append(t.kept[:0], t.kept[over:]...), true
		}
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// lines returns the last lines of the stream.
func (t *tail) lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := t.kept
	if _, rest, found := bytes.Cut(kept, []byte("\n")); t.cut && found {
		kept = rest
	}
	text := strings.TrimRight(strings.ToValidUTF8(string(kept), "\uFFFD"), "\r\n")
	if text == "" {
		return nil
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	return lines[max(len(lines)-tailLines, 0):]
}
