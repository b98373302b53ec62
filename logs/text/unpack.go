package text

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/limitgauge/limitgauge/internal/format"
)

// Foreign is the error of a file that another program must decode: the standard library
// does not decompress zstd, and readers of lines read neither UTF-16 nor lines without LF.
type Foreign struct {
	File    string
	What    string // such as zstd or UTF-16
	Decoder string // a command that writes the text of a file, or of its input
	Command string // of limitgauge that reads it from a pipe, such as size; "" is replay
}

// Error returns the pipe to use.
func (f *Foreign) Error() string {
	decoder := f.Decoder
	if f.File != "-" {
		decoder += " " + format.ShellQuote(f.File)
	}
	return fmt.Sprintf("%s is not read: %s | limitgauge %s -", f.What, decoder, cmp.Or(f.Command, "replay"))
}

// Plain is the text of one file, after decompression.
type Plain struct {
	r      *bufio.Reader
	packed string // gzip, bzip2 or ""
	read   int64  // bytes of text so far, if it is packed
	breaks int64  // line breaks in them
}

// Unpack returns a reader of the text of a file. It decompresses gzip and bzip2, which it
// detects by the content, and skips a byte order mark. name is for errors.
func Unpack(name string, raw io.Reader) (*Plain, error) {
	packed := bufio.NewReaderSize(raw, 64<<10)
	t := &Plain{}
	unpacked, err := t.unpack(name, packed)
	if err != nil {
		return nil, err
	}
	t.r = bufio.NewReaderSize(unpacked, 64<<10)
	if unpacked == packed {
		t.r = packed
	}
	switch mark, _ := t.r.Peek(3); {
	case string(mark) == "\xef\xbb\xbf":
		t.r.Discard(3)
	case len(mark) > 1 && (string(mark[:2]) == "\xff\xfe" || string(mark[:2]) == "\xfe\xff"):
		return nil, &Foreign{File: name, What: "UTF-16", Decoder: "iconv -f UTF-16 -t UTF-8"}
	}
	if head, _ := t.r.Peek(t.r.Buffered()); bytes.Count(head, []byte("\r")) > 1 && !bytes.Contains(head, []byte("\n")) {
		return nil, &Foreign{File: name, What: "text whose lines end with CR alone", Decoder: `perl -pe 's/\r/\n/g'`}
	}
	return t, nil
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

// unpack returns a reader of the text of a file that may be compressed. A file may
// consist of several gzip members, one after the other.
func (t *Plain) unpack(name string, packed *bufio.Reader) (io.Reader, error) {
	magic, _ := packed.Peek(4)
	switch {
	case string(magic) == "\x28\xb5\x2f\xfd":
		return nil, &Foreign{File: name, What: "zstd", Decoder: "zstdcat"}
	case len(magic) == 4 && string(magic[:3]) == "BZh" && '1' <= magic[3] && magic[3] <= '9':
		t.packed = "bzip2"
		return bzip2.NewReader(packed), nil
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
