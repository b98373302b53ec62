package logs

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

func gzipped(text string) string {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	io.WriteString(z, text)
	z.Close()
	return out.String()
}

// Compressed files are known by their content and may have several parts. One
// that is cut off is named, with the position where its text ends.
func TestCompressed(t *testing.T) {
	var lines strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&lines, "192.0.2.%d - - [01/Nov/2026:10:%02d:%02d +0000] \"GET /%d HTTP/1.1\" 200 %d\n", i%256, i/60%60, i%60, i*i, i*7919)
	}
	text := lines.String()
	half := len(text)/2 + strings.IndexByte(text[len(text)/2:], '\n') + 1
	for what, in := range map[string]string{"whole": gzipped(text), "two parts": gzipped(text[:half]) + gzipped(text[half:])} {
		if r, err := readText(in, Options{}); err != nil || r.Facts.Rows != 5000 {
			t.Errorf("%s: %v", what, err)
		}
	}
	whole := gzipped(text)
	file := writeFile(t, t.TempDir(), "day.log", whole[:len(whole)*3/4])
	_, err := readRows(Options{Files: []string{file}})
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Reason != BadInput || !strings.HasPrefix(e.Error(), file+": the gzip data is cut off after ") || !strings.Contains(e.Error(), " bytes of text, in line ") {
		t.Errorf("cut off: %v", err)
	}
	file = writeFile(t, t.TempDir(), "few.log", whole[:8])
	if _, err := readRows(Options{Files: []string{file}}); err == nil || !strings.HasPrefix(err.Error(), file+": ") {
		t.Errorf("almost nothing: %v", err)
	}
}

// A file that is compressed with bzip2 is read, and one that is cut off is named.
func TestBzip2(t *testing.T) {
	const packed = "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x7b\xe7\x4e\xef\x00\x00\x41\xdf\x80\x40\x10\x50\x0b\xf3\x30\x02\xc1\x44\x0a\x00\x00\x81\x00\x20\x00\x72\x33\xfd\x52\x69\x82\x60\x00\x08\xfd\x55\x4f\x34\x53\xd2\x7a\x40\x69\x88\xc3\x2e\x14\x65\xa3\x76\x89\x6a\x95\x9d\xa2\x1d\xe1\x45\x95\x6e\xfc\x94\xa2\x3c\xba\x3e\x3a\xa8\xf4\xab\x94\xa5\x75\xe1\x95\x57\x7b\x6c\xb3\x55\xd7\x51\x86\x15\x86\xc6\x4a\x0b\x18\x54\xc8\x83\x47\xc6\x8d\x9c\x3a\x2e\xe4\x8a\x70\xa1\x20\xf7\xce\x9d\xde" // three lines
	if r, err := readText(packed, Options{}); err != nil || r.Facts.Rows != 3 {
		t.Errorf("%v", err)
	}
	if _, err := readText(packed[:len(packed)-9], Options{}); err == nil || !strings.Contains(err.Error(), "the bzip2 data is cut off") {
		t.Errorf("cut off: %v", err)
	}
}

// A file of zstd, of UTF-16 or of lines without LF is refused with the pipe that reads it.
func TestForeign(t *testing.T) {
	const packed = "\x28\xb5\x2f\xfd\x24\x03\x19\x00\x00abc"
	refused := func(err error, want string) {
		t.Helper()
		if e, ok := errors.AsType[*Error](err); !ok || e.Reason != BadOptions || e.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	_, err := readText(packed, Options{})
	refused(err, "zstd is not read: zstdcat | limitgauge replay -")
	file := writeFile(t, t.TempDir(), "my day.zst", packed)
	_, err = readRows(Options{Files: []string{file}})
	refused(err, "zstd is not read: zstdcat '"+file+"' | limitgauge replay -")
	_, err = Explain(t.Context(), Options{Files: []string{file}})
	refused(err, "zstd is not read: zstdcat '"+file+"' | limitgauge replay -")
	for _, utf16 := range []string{"\xff\xfea\x00", "\xfe\xff\x00a"} {
		_, err = readText(utf16, Options{})
		refused(err, "UTF-16 is not read: iconv -f UTF-16 -t UTF-8 | limitgauge replay -")
	}
	_, err = readText("192.0.2.1 a\r192.0.2.1 b\r", Options{})
	refused(err, `text whose lines end with CR alone is not read: perl -pe 's/\r/\n/g' | limitgauge replay -`)
}
