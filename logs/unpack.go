package logs

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	words "github.com/limitgauge/limitgauge/internal/format"
)

// Zstd is the error of a file that is compressed with zstd, for which the standard
// library has no decoder.
type Zstd struct {
	File    string
	Command string // of limitgauge that reads it from a pipe, such as size; "" is replay
}

func (z *Zstd) Error() string {
	program := "zstdcat"
	if z.File != "-" {
		program += " " + words.ShellQuote(z.File)
	}
	return fmt.Sprintf("zstd is not read: %s | limitgauge %s -", program, cmp.Or(z.Command, "replay"))
}

// text is the text of one file, after decompression.
type text struct {
	r      *bufio.Reader
	packed string // gzip or ""
	read   int64  // bytes of text so far, if it is packed
	breaks int64  // line breaks in them
}

func (t *text) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if t.packed != "" {
		t.read += int64(n)
		t.breaks += int64(bytes.Count(p[:n], []byte("\n")))
	}
	return n, err
}

// unpack returns a reader of the text of a file that may be compressed. A file may
// consist of several gzip members, one after the other. name is for errors.
func (t *text) unpack(name string, packed *bufio.Reader) (io.Reader, error) {
	magic, _ := packed.Peek(4)
	switch {
	case string(magic) == "\x28\xb5\x2f\xfd":
		return nil, &Zstd{File: name}
	case len(magic) < 2 || string(magic[:2]) != "\x1f\x8b":
		return packed, nil
	}
	t.packed = "gzip"
	r, err := gzip.NewReader(packed)
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	return r, nil
}

// broken returns the error for a file whose text ended with an error.
func (t *text) broken(name string, err error) *Error {
	e := &Error{Reason: Failure, File: name, Message: "reading traffic", Err: err}
	if t.packed == "" {
		return e
	}
	how := "damaged"
	if errors.Is(err, io.ErrUnexpectedEOF) {
		how = "cut off"
	}
	e.Reason = BadInput
	e.Message = fmt.Sprintf("the %s data is %s after %d bytes of text, in line %d", t.packed, how, t.read, t.breaks+1)
	return e
}
