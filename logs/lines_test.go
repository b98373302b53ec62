package logs

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/logs/formats"
	"github.com/limitgauge/limitgauge/logs/text"
	"github.com/limitgauge/limitgauge/logs/times"
)

// rowsOf renders a recording as lines "time key cost [client]". Whole seconds
// have the unit s.
func rowsOf(r *recorded) (rows []string) {
	for i, t := range r.Time {
		s := fmt.Sprint(t)
		if t%times.Second == 0 {
			s = fmt.Sprint(t/times.Second, "s")
		}
		s += " " + r.KeyNames[r.Key[i]]
		if r.Cost != nil {
			s += fmt.Sprint(" ", r.Cost[i])
		}
		if r.Client != nil {
			s += " by " + r.ClientNames[r.Client[i]]
		}
		rows = append(rows, s)
	}
	return rows
}

type readCase struct {
	name string
	o    Options
	in   string
	want []string // rows
	bad  []string // malformed records, "line: message"; a message may be a prefix
}

func (c readCase) run(t *testing.T) {
	t.Helper()
	t.Run(c.name, func(t *testing.T) {
		c.o.Files, c.o.Stdin, c.o.Malformed = []string{"-"}, strings.NewReader(c.in), "allow"
		r, err := readRows(c.o)
		if err != nil && strings.Contains(err.Error(), "--time-format relative-s") {
			c.o.Stdin, c.o.TimeFormat = strings.NewReader(c.in), "relative-s" // small numbers are seconds here
			r, err = readRows(c.o)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := rowsOf(r); !slices.Equal(got, c.want) {
			t.Errorf("rows\n %s\nwant\n %s", strings.Join(got, "\n "), strings.Join(c.want, "\n "))
		}
		if int(r.Facts.Malformed) != len(c.bad) {
			t.Errorf("%d malformed, want %d", r.Facts.Malformed, len(c.bad))
		}
		for i, p := range r.Facts.Problems {
			if i < len(c.bad) && !strings.HasPrefix(fmt.Sprintf("%d: %s", p.Line, p.Message), c.bad[i]) {
				t.Errorf("problem %d: %s, want %s", i, p, c.bad[i])
			}
		}
	})
}

const at0 = ` - - [01/Jan/1970:00:00:00 +0000] "GET / HTTP/1.0" 200 5` // at second 0

func TestLogLines(t *testing.T) {
	mb := strings.Repeat("a", 1<<20)
	for _, c := range []readCase{
		{"plain, no last newline", Options{}, "h" + at0 + "\nh" + at0, []string{"0s h", "0s h"}, nil},
		{"CRLF and blank lines", Options{}, "h" + at0 + "\r\n\r\n\nh" + at0 + "\r\n", []string{"0s h", "0s h"}, nil},
		{"IPv6, bracketed, missing and dash keys", Options{},
			"2001:db8::1" + at0 + "\n[::1]" + at0 + "\n" + at0 + "\n-" + at0 + "\n",
			[]string{"0s 2001:db8::1", "0s ::1", "0s -", "0s -"}, nil},
		{"user with spaces and brackets", Options{Asked: formats.Asked{Key: "user"}},
			`h - a [b c [01/Jan/1970:00:00:01 +0000] "GET / HTTP/1.0" 200 5` + "\n" + `h -  [01/Jan/1970:00:00:02 +0000] "GET / HTTP/1.0" 200 5`,
			[]string{"1s a [b c", "2s -"}, nil},
		{"several offsets, sorted by instant", Options{},
			`a - - [01/Jan/1970:02:00:01 +0200] "GET / HTTP/1.0" 200 5` + "\n" +
				`b - - [01/Jan/1970:00:00:02 +0000] "GET / HTTP/1.0" 200 5` + "\n" +
				`c - - [31/Dec/1969:19:30:01 -0430] "GET / HTTP/1.0" 200 5` + "\n" +
				`d - - [01/Jan/1970:00:00:04] "GET / HTTP/1.0" 200 5`,
			[]string{"1s a", "1s c", "2s b", "4s d"}, nil},
		{"paths without protocol, with query, with spaces and quotes", Options{Asked: formats.Asked{Key: "path"}},
			strings.Join([]string{
				`h - - [01/Jan/1970:00:00:01 +0000] "GET /ksc.html" 200 5`,
				`h - - [01/Jan/1970:00:00:02 +0000] "GET /a?b=c%3E(d) HTTP/1.1" 200 5`,
				`h - - [01/Jan/1970:00:00:03 +0000] "GET /a b?c HTTP/1.1" 200 5`,
				`h - - [01/Jan/1970:00:00:04 +0000] "GET /q\" 200 7 HTTP/1.1" 404 5`,
				`h - - [01/Jan/1970:00:00:05 +0000] "GET /raw"quote" HTTP/1.1" 404 5`,
				`h - - [01/Jan/1970:00:00:06 +0000] "-" 408 -`,
				`h - - [01/Jan/1970:00:00:07 +0000] "" 400 0`,
				`h - - [01/Jan/1970:00:00:08 +0000] "\x16\x03" 400 0`,
			}, "\n"),
			[]string{"1s /ksc.html", "2s /a", "3s /a b", `4s /q\" 200 7`, `5s /raw"quote"`, "6s -", "7s -", "8s -"}, nil},
		{"cost is bytes, dash is nothing", Options{Asked: formats.Asked{Cost: []string{"bytes"}, Key: "status", Client: "method"}},
			"h" + at0 + "\n" + `h - - [01/Jan/1970:00:00:06 +0000] "PUT / HTTP/1.0" 304 -`, []string{"0s 200 5 by GET", "6s 304 0 by PUT"}, nil},
		{"cut and malformed lines", Options{Format: "common"}, strings.Join([]string{
			"h" + at0,
			` "curl/7.29.0"`,
			`h - - [01/Jan/1970:00:00:06`,
			`h - - [01/Jan/1970:00:00:06 +0000]`,
			`h - - [01/Jan/1970:00:00:06 +0000] "GET / HT`,
			`h - - [01/Jan/1970:00:00:06 +0000] "GET / HTTP/1.0" 200`,
			`h - - [01/Jan/1970:00:00:06 +0000] "GET / HTTP/1.0" 200 `,
			`h - - [01/Jxx/1970:00:00:06 +0000] "GET / HTTP/1.0" 200 5`,
			`h - - [31/Dec/1969:23:59:59 +0000] "GET / HTTP/1.0" 200 5`,
			`h - - [01/Jan/9999:23:59:59 +0000] "GET / HTTP/1.0" 200 5`,
			"x", " ", `"`, "[", " [", "  [1",
		}, "\n"), []string{"0s h"}, []string{"2: not a log line", "3: not a log line", "4: cut short", "5: cut short", "6: cut short", "7:", "8:", "9:", "10:", "11:", "12:", "13:", "14:", "15:", "16:"}},
		{"combined", Options{Asked: formats.Asked{Key: "user_agent"}}, strings.Join([]string{
			"orphan\"",
			"h" + at0 + ` "-" "a \"b\" c"`,
			"h" + at0 + ` "r" "ua" "-"`,
			"h" + at0 + ` "r" "u "raw" a"`,
			"h" + at0 + ` "r" "cut`,
			"h" + at0 + ` "r"`,
			"h" + at0 + ` "r`,
			"h" + at0,
			"h" + at0 + ` 0.003 pipe`,
		}, "\n"), []string{`0s a \"b\" c`, "0s ua", `0s u "raw`, "0s -", "0s -"}, []string{"1: not a log line", "5: cut short", "6: cut short", "7: cut short"}},
		{"extra fields after common", Options{Format: "common"}, "h" + at0 + ` "r" "cut` + "\n", []string{"0s h"}, nil},
		{"a line of a megabyte", Options{}, "h" + at0 + "\nk - - [01/Jan/1970:00:00:01 +0000] \"GET /" + mb + " HTTP/1.1\" 200 5\nl" + at0,
			[]string{"0s h", "0s l", "1s k"}, nil},
		{"a line of a megabyte first", Options{}, "k - - [01/Jan/1970:00:00:01 +0000] \"GET /" + mb + " HTTP/1.1\" 200 5\n", []string{"1s k"}, nil},
		{"a line over 16 MiB", Options{}, "h" + at0 + "\n" + strings.Repeat(mb, 17) + "\nl" + at0, []string{"0s h", "0s l"}, []string{"2: longer than 16 MiB"}},
		{"a last line over 16 MiB", Options{}, "h" + at0 + "\n" + strings.Repeat(mb, 17), []string{"0s h"}, []string{"2: longer than 16 MiB"}},
		{"iso times", Options{Format: "common"}, `h - - [1970-01-01T00:00:01+00:00] "GET / HTTP/1.0" 200 5`, []string{"1s h"}, nil},
	} {
		c.run(t)
	}
}

func TestCSV(t *testing.T) {
	for _, c := range []readCase{
		{"header in any case, CRLF, no last newline", Options{}, "TIMESTAMP,a\r\n1,x\r\n2,y", []string{"1s -", "2s -"}, nil},
		{"named fields, summed costs, client", Options{Asked: formats.Asked{Key: "k", Cost: []string{"a", "b"}, Client: "c"}},
			"time,k,a,b,c\n1,x,2,3,g\n2,,0,0,\n", []string{"1s x 5 by g", "2s - 0 by -"}, nil},
		{"quotes, doubled quotes, delimiters, line breaks", Options{Asked: formats.Asked{Key: "k"}},
			"k,time\n\"a,\"\"b\"\"\",1\n\"x\ny\",2\n5\" disk,3\n", []string{`1s a,"b"`, "2s x\ny", `3s 5" disk`}, nil},
		{"a cut quoted field swallows nothing", Options{Asked: formats.Asked{Key: "k"}},
			"k,time\n\"cut,1\n\"b\",2\nc,3\n\"d\"x,4\n\"open,5\ne,6", []string{"2s b", "3s c", "6s e"},
			[]string{"2: text behind", "5: text behind", "6: a quoted field is not closed"}},
		{"cut rows and extra fields", Options{Format: "csv", Asked: formats.Asked{Key: "k"}}, "time,k,z\n1,a,b,,\n1,a,b,c,d\n2,a\n3\nx,y,z\n,y,z\n4,d,\n", []string{"1s a", "4s d"},
			[]string{"3: more columns than the header: 5 of 3", "4: cut short", "5: cut short", "6: time is not a number: \"x\"", "7: no time"}},
		{"semicolons, quoted header", Options{Asked: formats.Asked{Key: "k"}}, "\"time\"; k\n1;a\n", []string{"1s a"}, nil},
		{"no header", Options{Asked: formats.Asked{Time: "2", Key: "1"}}, "a,1\nb,2\n", []string{"1s a", "2s b"}, nil},
		{"end minus duration, exponents", Options{Asked: formats.Asked{Key: "k"}}, "k,end,duration\na,0.00001000000000000001,1e-05\nb,1,0.5\nc,1,2\nd,1,-1\n",
			[]string{"0s a", "500000000 b"}, []string{"4: arrival is before", "5: duration is negative"}},
		{"duration unit", Options{Asked: formats.Asked{Key: "k", End: "t", Duration: "d", DurationUnit: "ms"}}, "k,t,d\na,1970-01-01T00:00:02Z,1000\n", []string{"1s a"}, nil},
		{"unit of the numeric format", Options{Asked: formats.Asked{Key: "k", End: "t", Duration: "d", TimeFormat: "relative-ms"}}, "k,t,d\na,2000,1000\n", []string{"1s a"}, nil},
		{"costs that are none", Options{Asked: formats.Asked{Cost: []string{"c"}}}, "time,c\n1,1.0\n2,1.5\n3,-1\n4,\n5,x\n6,1e16\n7,1e3\n", []string{"1s - 1", "7s - 1000"},
			[]string{"3: cost is not a whole", "4: cost is negative", "5: no cost", "6: cost is not a number", "7: cost is above"}},
	} {
		c.run(t)
	}
}

func TestJSON(t *testing.T) {
	for _, c := range []readCase{
		{"lines", Options{}, `{"ts":1,"ip":"a"}` + "\n" + `{"ts":"2"}` + "\r\n" + ` {"ip":null,"ts":3.0}`, []string{"1s a", "2s -", "3s -"}, nil},
		{"a well-known key that comes late", Options{}, `{"ts":1}` + "\n" + `{"IP":"b","ts":2}`, []string{"1s -", "2s b"}, nil},
		{"nested paths, arrays, dotted and escaped keys", Options{Asked: formats.Asked{Key: "request.headers.host", Client: "a.b[1].c", Time: "event.time", Cost: []string{"m[0][1]"}}},
			`{"event.time":1,"request":{"headers":{"host":"h\"\u00e9"}},"a":{"b":[0,{"c":7}]},"m":[[1,2]]}` + "\n" +
				`{"event":{"time":2},"request.headers":{"host":"x"},"a.b":[0,{"c":true}],"m":[[3,4]]}` + "\n" +
				`{"event":{"time":3},"request":"none","m":[[3,5]]}`,
			[]string{"1s h\"é 2 by 7", "2s x 4 by true", "3s - 5 by -"}, nil},
		{"malformed lines", Options{Format: "json"}, `{"ts":1}` + "\n" + `{"ts":2` + "\nnull\n[1]\n" + `{"tx":1}` + "\n" + `{"ts":{"x":1}}` + "\n" + `:"x"}`,
			[]string{"1s -"}, []string{"2: not JSON", "3: not a JSON object", "4: not a JSON object", "5: no time", "6: field ts is no", "7: not JSON"}},
		{"first line cut", Options{}, `{"ts":1,` + "\n" + `{"ts":2}`, []string{"2s -"}, []string{"1: not JSON"}},
		{"array", Options{}, "[\n{\"time\":1},\n 5,\n{\"time\":2}]", []string{"1s -", "2s -"}, []string{"3: not a JSON object"}},
		{"array inside, found", Options{}, "{\"tags\":[{\"x\":1}],\n\"logs\":[{\"time\":1},{\"time\":2}]}", []string{"1s -", "2s -"}, nil},
		{"array at a path", Options{Asked: formats.Asked{Records: "data.rows[1]"}}, `{"data":{"rows":[0,[{"time":1}]]}}`, []string{"1s -"}, nil},
		{"cut document", Options{}, "[{\"time\":1},\n{\"time\":", []string{"1s -"}, []string{"2: the JSON document is cut off"}},
		{"cut document with a path", Options{Asked: formats.Asked{Records: "a.rows"}}, "{\"x\":1,\"a\":{\"rows\":[{\"time\":1},{\"time\":", []string{"1s -"}, []string{"1: the JSON document is cut off"}},
		{"pretty printed", Options{}, "{\n  \"rows\": [\n    {\n      \"time\": 1\n    }\n  ]\n}\n", []string{"1s -"}, nil},
	} {
		c.run(t)
	}
}

func TestRegex(t *testing.T) {
	for _, c := range []readCase{
		{"roles by name", Options{Asked: formats.Asked{Pattern: `^(?P<time>\S+) (?<key>\S+)(?: (?P<cost>\d+))? by (?P<client>\S+)`}},
			"1 a 2 by x\nnothing\n2 b by y\n", []string{"1s a 2 by x"}, []string{"2: does not match the pattern: \"nothing\"", "3: no cost"}},
		{"roles named", Options{Format: "regex", Asked: formats.Asked{Pattern: `(?P<when>\d+)-(?P<who>\w*)`, Time: "when", Key: "who", TimeFormat: "ms"}},
			"x 1000-a\n2000-\n", []string{"1s a", "2s -"}, nil},
		{"end and duration", Options{Asked: formats.Asked{Pattern: `(?P<end>\S+) (?P<duration>\S+)`}}, "3 1\n", []string{"2s -"}, nil},
	} {
		c.run(t)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		o      Options
		in     string
		reason text.Reason
		want   string
	}{
		{"all malformed", Options{Format: "common"}, "x\ny\n", text.BadInput, "all 2 lines are malformed; the first ones:\n  -:1: not a log line"},
		{"empty", Options{}, "", text.BadInput, "no requests"},
		{"header alone", Options{}, "time,a\n", text.BadInput, "no requests"},
		{"unknown format", Options{}, "what is this\n", text.BadInput, "cannot tell the format"},
		{"unknown column", Options{Asked: formats.Asked{Key: "nope"}}, "time,a\n1,2\n", text.BadOptions, `no field "nope"; the columns are time, a`},
		{"unknown log field", Options{Format: "common", Asked: formats.Asked{Key: "referer"}}, "h" + at0, text.BadOptions, `no field "referer"; the fields`},
		{"unknown JSON field", Options{Asked: formats.Asked{TimeFormat: "s", Key: "nope"}}, `{"time":1}`, text.BadOptions, `no record has a field "nope"`},
		{"unknown group", Options{Asked: formats.Asked{Pattern: "(?P<t>.*)", Key: "k"}}, "1", text.BadOptions, `no field "k"; the named groups of the pattern are t`},
		{"no array", Options{Asked: formats.Asked{Records: "a.b"}}, `{"a":1}`, text.BadOptions, "no array at a.b"},
		{"outside", Options{Until: 1, Asked: formats.Asked{TimeFormat: "s"}}, "time\n5\n", text.BadInput, "none of 1 request lies between start and end"},
		{"bad pattern", Options{Asked: formats.Asked{Pattern: "("}}, "", text.BadOptions, "pattern: "},
		{"bad format", Options{Format: "xml"}, "", text.BadOptions, "unknown format"},
		{"time and duration", Options{Asked: formats.Asked{Time: "a", Duration: "b"}}, "", text.BadOptions, "time is the arrival"},
		{"slow", Options{Speed: fraction(t, "1e-9")}, "time\n1700000000\n1800000000\n", text.BadOptions, "lasts longer than 100 years"},
		{"broken gzip", Options{}, "\x1f\x8b\x08garbage", text.Failure, ""},
		{"far too often", Options{Repeat: 1 << 20, Copies: 1 << 20, Asked: formats.Asked{TimeFormat: "s"}}, "time\n1\n", text.BadOptions, "more than 2147483647"},
	} {
		c.o.Files, c.o.Stdin, c.o.Shared = []string{"-"}, strings.NewReader(c.in), true
		_, err := Read(context.Background(), c.o)
		e, ok := err.(*text.Error)
		if !ok || e.Reason != c.reason || !strings.Contains(e.Error(), c.want) {
			t.Errorf("%s: %v, want reason %d and %q", c.name, err, c.reason, c.want)
		}
	}
	_, err := Read(context.Background(), Options{Files: []string{"no/such/file"}})
	if e, ok := err.(*text.Error); !ok || e.Reason != text.BadOptions || e.Error() != "no/such/file: no such file" {
		t.Errorf("missing file: %v", err)
	}
	_, err = Read(context.Background(), Options{Files: []string{t.TempDir()}})
	if e, ok := err.(*text.Error); !ok || e.Reason != text.BadOptions || !strings.Contains(e.Error(), "is a directory") {
		t.Errorf("directory: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	in := strings.NewReader("time\n" + strings.Repeat("1\n", 10000))
	if _, err := Read(ctx, Options{Files: []string{"-"}, Stdin: in, Asked: formats.Asked{Shared: true, TimeFormat: "s"}}); err != context.Canceled {
		t.Errorf("canceled: %v", err)
	}
}

// Different kinds of input in one recording, and a file that has only
// fragments.
func TestMixedFiles(t *testing.T) {
	dir := t.TempDir()
	o := Options{Malformed: "allow", Files: []string{
		writeFile(t, dir, "a.log", "h"+at0+"\n"),
		writeFile(t, dir, "b.log", ` "fragment"`+"\n"),
		writeFile(t, dir, "c.json", `{"time":0,"ip":"j"}`),
		writeFile(t, dir, "d.csv", "time,ip\n0,c\n"),
		writeFile(t, dir, "empty", ""),
	}}
	r := read(t, o)
	if got := rowsOf(r); !slices.Equal(got, []string{"0s h", "0s j", "0s c"}) || r.Facts.Format != "common, json, csv" || r.Facts.Malformed != 1 || r.Facts.Relative {
		t.Errorf("%q %+v", got, r.Facts)
	}
	o.PerFile = true
	if got := read(t, o).KeyNames; !slices.Equal(got, []string{"a.log", "c.json", "d.csv"}) {
		t.Errorf("keys per file %q", got)
	}
}

// benchmarkRead reads a log with this much memory for sorting.
func benchmarkRead(b *testing.B, text []byte, memory int64) {
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r, err := Read(context.Background(), Options{Files: []string{"-"}, Stdin: bytes.NewReader(text), SortMemory: memory})
		if err != nil {
			b.Fatal(err)
		}
		r.Close()
	}
}

func BenchmarkCombined(b *testing.B) {
	var text bytes.Buffer
	for i := range 20000 {
		fmt.Fprintf(&text, "10.0.%d.%d - - [20/May/2024:%02d:%02d:%02d +0000] \"GET /erddap/tabledap/nrt_SEA079_M%d.nccsvMetadata?x=1 HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36\"\n",
			i%7, i%251, i/3600%24, i/60%60, i%60, i%97, i)
	}
	benchmarkRead(b, text.Bytes(), 0)
}

func BenchmarkJSONLines(b *testing.B) {
	var text bytes.Buffer
	for i := range 20000 {
		fmt.Fprintf(&text, `{"time":"2024-05-20T%02d:%02d:%02d.%03dZ","remote_addr":"10.0.%d.%d","method":"GET","path":"/products/%d","status":200,"bytes":%d,"user_agent":"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"}`+"\n",
			i/3600%24, i/60%60, i%60, i%1000, i%7, i%251, i%97, i)
	}
	benchmarkRead(b, text.Bytes(), 0)
}
