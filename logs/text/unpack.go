package text

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// zstdWindow limits the memory that a zstd file may ask for. It is the largest
// window that the zstd program reads without an option.
const zstdWindow = 128 << 20

// Plain is the text of one file, after decompression.
type Plain struct {
	r      *bufio.Reader
	packed string // gzip, zstd or ""
	read   int64  // bytes of text so far, if it is packed
	breaks int64  // line breaks in them
}

// Unpack returns a reader of the text of a file. It decompresses gzip and zstd,
// which it detects by the content, and skips a byte order mark. The caller calls
// release after the last read.
func Unpack(raw io.Reader) (t *Plain, release func(), err error) {
	packed := bufio.NewReaderSize(raw, 64<<10)
	t = &Plain{}
	unpacked, release, err := t.unpack(packed)
	if err != nil {
		return nil, nil, err
	}
	t.r = bufio.NewReaderSize(unpacked, 64<<10)
	if unpacked == packed {
		t.r = packed
	}
	if mark, _ := t.r.Peek(3); string(mark) == "\xef\xbb\xbf" {
		t.r.Discard(3)
	}
	return t, release, nil
}

// Read reads text. It counts bytes and lines for the message of Broken.
func (t *Plain) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if t.packed != "" {
		t.read += int64(n)
		t.breaks += int64(bytes.Count(p[:n], []byte("\n")))
	}
	return n, err
}

// unpack returns a reader of the text of a file that may be compressed. A file
// may consist of several gzip members or zstd frames, one after the other.
func (t *Plain) unpack(packed *bufio.Reader) (r io.Reader, release func(), err error) {
	release = func() {}
	magic, _ := packed.Peek(4)
	switch {
	case len(magic) >= 2 && string(magic[:2]) == "\x1f\x8b":
		t.packed = "gzip"
		r, err = gzip.NewReader(packed)
	case string(magic) == "\x28\xb5\x2f\xfd":
		t.packed = "zstd"
		var d *zstd.Decoder
		d, err = zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdWindow))
		if err == nil {
			r, release = d, d.Close
		}
	default:
		return packed, release, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", t.packed, err)
	}
	return r, release, nil
}

// Broken returns the error for a file whose text ended with an error.
func (t *Plain) Broken(name string, err error) *Error {
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
