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

// A file that is compressed with zstd is refused with the pipe that reads it.
func TestZstd(t *testing.T) {
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
}
