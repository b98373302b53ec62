package logs

import (
	"context"
	"fmt"
	"io"
	"iter"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/logs/formats"
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

// endless is text without an end.
type endless string

func (e endless) Read(p []byte) (int, error) {
	for i := 0; i < len(p); i += len(e) {
		copy(p[i:], e)
	}
	return len(p), nil
}

// What a document has before its records, and one record, are held as a whole. So their size
// has a bound, beyond which reading ends with an error that says what is too long.
func TestDocumentTooLarge(t *testing.T) {
	for _, c := range []struct {
		head    string
		records string
		want    string
	}{
		{`{"other":"`, "rows", "-: no array of records in the first "},
		{`[{"time":1,"key":"a"},` + "\n" + `{"time":2,"key":"`, "", "-:2: a record of the JSON document does not end within "},
	} {
		o := Options{Files: []string{"-"}, Stdin: io.MultiReader(strings.NewReader(c.head), io.LimitReader(endless("padding"), 160<<20))}
		o.Format, o.TimeFormat, o.Records = "json", "relative-s", c.records
		_, err := Read(context.Background(), o)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.head, err, c.want)
		}
	}
}

// Distinct keys are held in memory, so reading ends with an error when all of it is taken.
func TestKeysTakeAllMemory(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(16 << 20))
	lines := func(yield func(string) bool) {
		for i := 0; yield(fmt.Sprintf("%d,key-%d-%s\n", i, i, filler[:90])); i++ {
		}
	}
	next, stop := iter.Pull(lines)
	defer stop()
	_, err := Read(context.Background(), Options{Asked: formats.Asked{TimeFormat: "relative-s"}, Files: []string{"-"}, Stdin: io.MultiReader(strings.NewReader("time,key\n"), readerFunc(func(p []byte) (int, error) {
		line, _ := next()
		return copy(p, line), nil
	}))})
	if err == nil || !strings.HasPrefix(err.Error(), "-: all of the 0.0 GiB of memory that may be used is taken after ") {
		t.Errorf("%v", err)
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// Of several documents, one behind the other, not the first one alone is read.
func TestSeveralDocuments(t *testing.T) {
	const (
		record = `{"time":"2026-11-01T10:00:00Z","ip":"192.0.2.1"}`
		array  = `{"Records":[` + record + `,` + record + `],"more":{"a":"]}\\\""}}`
		pretty = "{\n  \"time\": \"2026-11-01T10:00:00Z\",\n  \"ip\": \"192.0.2.1\",\n  \"tags\": [{\"ts\": 1793527200}]\n}\n"
	)
	large := strings.Repeat(record+",", formats.SampleSize/len(record)+1)
	for name, c := range map[string]struct {
		log     string
		refused bool
	}{
		"arrays without a line break":   {array + array, true},
		"arrays on lines":               {"[\n" + record + "]\n[" + record + "]", true},
		"records over several lines":    {pretty + pretty, true},
		"behind a large one":            {`{"Records":[` + large + record + `]}` + array, true},
		"a large one alone":             {`{"Records":[` + large + record + `],"more":[{"a":"]}"}]}` + "\n ", false},
		"one, with members behind it":   {array, false},
		"one, with spaces behind it":    {"[" + record + "] \n\n", false},
		"one, cut off behind the array": {strings.TrimSuffix(array, "}"), false},
	} {
		_, err := readText(c.log, Options{})
		if c.refused != (err != nil && strings.Contains(err.Error(), "several JSON documents")) || !c.refused && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
