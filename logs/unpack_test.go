package logs

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/limitgauge/limitgauge/logs/text"
)

func gzipped(text string) string {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	io.WriteString(z, text)
	z.Close()
	return out.String()
}

func zstded(text string) string {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err)
	}
	return string(z.EncodeAll([]byte(text), nil))
}

// Compressed files are known by their content and may have several parts. One
// that is cut off is named, with the position where its text ends.
func TestCompressed(t *testing.T) {
	var lines strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&lines, "192.0.2.%d - - [01/Nov/2026:10:%02d:%02d +0000] \"GET /%d HTTP/1.1\" 200 %d\n", i%256, i/60%60, i%60, i*i, i*7919)
	}
	raw := lines.String()
	half := len(raw)/2 + strings.IndexByte(raw[len(raw)/2:], '\n') + 1
	for name, pack := range map[string]func(string) string{"gzip": gzipped, "zstd": zstded} {
		for what, in := range map[string]string{"whole": pack(raw), "two parts": pack(raw[:half]) + pack(raw[half:])} {
			if r, err := readText(in, Options{}); err != nil || r.Facts.Rows != 5000 {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
		whole := pack(raw)
		file := writeFile(t, t.TempDir(), "day.log", whole[:len(whole)*3/4])
		_, err := readRows(Options{Files: []string{file}})
		e, ok := errors.AsType[*text.Error](err)
		if !ok || e.Reason != text.BadInput || !strings.HasPrefix(e.Error(), file+": the "+name+" data is cut off after ") || !strings.Contains(e.Error(), " bytes of text, in line ") {
			t.Errorf("%s, cut off: %v", name, err)
		}
		file = writeFile(t, t.TempDir(), "few.log", whole[:8])
		if _, err := readRows(Options{Files: []string{file}}); err == nil || !strings.HasPrefix(err.Error(), file+": ") {
			t.Errorf("%s, almost nothing: %v", name, err)
		}
	}
}
