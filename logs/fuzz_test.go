package logs

import (
	"bytes"
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/logs/formats"
	"github.com/limitgauge/limitgauge/logs/text"
)

// fuzzRead reads arbitrary text in one format. It must not panic. Rows must be
// in order, not negative, and as many as in the facts.
func fuzzRead(f *testing.F, o Options, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		o := o
		o.Files, o.Stdin = []string{"-"}, bytes.NewReader(in)
		r, err := readRows(o)
		if err != nil {
			if _, ok := err.(*text.Error); !ok {
				t.Fatalf("not an *Error: %v", err)
			}
			return
		}
		n := len(r.Time)
		if !slices.IsSorted(r.Time) || r.Time[0] < 0 || len(r.Key) != n || int64(n) != r.Facts.Rows {
			t.Fatalf("%d rows, facts %+v", n, r.Facts)
		}
		for _, k := range r.Key {
			if r.KeyNames[k] == "" {
				t.Fatal("empty key")
			}
		}
	})
}

func FuzzCommon(f *testing.F) {
	fuzzRead(f, Options{Format: "common", Asked: formats.Asked{Cost: []string{"bytes"}}}, "h"+at0, ` "x"`, "h"+at0+"\r\n[::1]"+at0)
}

func FuzzCombined(f *testing.F) {
	fuzzRead(f, Options{Format: "combined", Asked: formats.Asked{Key: "query", Client: "user_agent"}}, "h"+at0+` "r" "a\"b" "-"`, `h - - [01/Jan/1970:00:00:01 +0000] "GET /?" 200 - "`)
}

func FuzzCSV(f *testing.F) {
	fuzzRead(f, Options{Format: "csv"}, "time,key\n1,a\n\"2\",\"a\"\"b\"\n\"3\n,x", "end;duration\n1;1e-5\n")
}

func FuzzCSVNumbered(f *testing.F) {
	fuzzRead(f, Options{Format: "csv", Asked: formats.Asked{Time: "1", Key: "2"}}, "1,a\n\"2\n\",b\n")
}

func FuzzJSON(f *testing.F) {
	fuzzRead(f, Options{Format: "json"}, `{"time":1,"ip":"a"}`, `[{"time":1},{"time":2`, "{\"a\":[\n{\"end\":3,\"duration\":1}]}", `{"a":[[{"time":"\u00`)
}

func FuzzJSONPaths(f *testing.F) {
	fuzzRead(f, Options{Asked: formats.Asked{Records: "a.b[1]", Time: "t[0].x", Key: "k.l", Cost: []string{"c"}}}, `{"a":{"b":[0,[{"t":[{"x":1}],"k":{"l":"m"},"c":2}]]}}`, `{"a":{"b":[0,[{"t":[{"x`)
}

func FuzzRegex(f *testing.F) {
	fuzzRead(f, Options{Asked: formats.Asked{Pattern: `(?P<time>\S+)(?: (?P<key>\S*))?(?: (?P<cost>\S*))?`}}, "1 a 2\n2\n", "1970-01-01T00:00:00Z x 1")
}

func FuzzAuto(f *testing.F) {
	seeds := []string{"h" + at0, "time,x\n1,2\n", `{"ts":5}`, "\x1f\x8b\x08", "\xef\xbb\xbftime\n1\n"}
	for _, c := range formatCases(f) {
		seeds = append(seeds, c.part("sample"), around(c.part("sample"), "docker", "cri", "quotes"), around(c.part("sample"), "syslog (RFC 5424)", "vhost"))
	}
	fuzzRead(f, Options{}, seeds...)
}
