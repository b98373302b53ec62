package logs

import (
	"context"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

var filler = strings.Repeat("x", 900)

// documentReader writes a document of CloudTrail on one line, as AWS delivers it.
type documentReader struct {
	left    int
	pending []byte
}

func (d *documentReader) Read(p []byte) (int, error) {
	for len(d.pending) == 0 {
		if d.left < 0 {
			return 0, io.EOF
		}
		d.pending = append(d.pending, `{"eventTime":"2026-11-01T10:00:`+strconv.Itoa(10+d.left%50)+`Z","eventSource":"s3.amazonaws.com","sourceIPAddress":"192.0.2.`+strconv.Itoa(d.left%200)+`","filler":"`...)
		d.pending = append(append(d.pending, filler...), `"},`...)
		if d.left--; d.left < 0 {
			d.pending = append(d.pending[:len(d.pending)-1], "]}"...)
		}
	}
	n := copy(p, d.pending)
	d.pending = d.pending[n:]
	return n, nil
}

// A document of any size, without a line break, needs memory for one record.
func TestDocumentIsStreamed(t *testing.T) {
	const rows = 20_000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := Read(context.Background(), Options{Files: []string{"-"}, Stdin: io.MultiReader(strings.NewReader(`{"Records":[`), &documentReader{left: rows - 1})})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	runtime.ReadMemStats(&after)
	if f := r.Facts; f.Rows != rows || f.Keys != 200 || f.Format != "aws-cloudtrail" || f.Malformed != 0 {
		t.Errorf("%+v", f)
	}
	if total := (after.TotalAlloc - before.TotalAlloc) >> 20; total > 48 {
		t.Errorf("reading 20 MB allocated %d MiB in all", total)
	}
}
