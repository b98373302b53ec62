package logs

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/logs/formats"
	"github.com/limitgauge/limitgauge/logs/times"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// shared returns the folder of recorded traffic next to the repository. It is
// not part of the repository.
func shared(t testing.TB) string {
	dir, err := os.Getwd()
	for err == nil && dir != filepath.Dir(dir) {
		if _, e := os.Stat(filepath.Join(dir, "go.mod")); e == nil {
			traces := filepath.Join(dir, "..", "shared", "traces")
			if _, e := os.Stat(traces); e == nil {
				return traces
			}
			break
		}
		dir = filepath.Dir(dir)
	}
	t.Skip("only with recorded traces beside the repository")
	return ""
}

func read(t *testing.T, o Options) *recorded {
	t.Helper()
	r, err := readRows(o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Time {
		if i > 0 && r.Time[i] < r.Time[i-1] {
			t.Fatalf("row %d is before row %d", i, i-1)
		}
	}
	return r
}

func utc(t *testing.T, s string) int64 {
	t.Helper()
	x, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		t.Fatal(err)
	}
	return x.UnixNano()
}

// The expected values are from the description of the traces.
func TestSharedTraces(t *testing.T) {
	dir := shared(t)
	in := func(names ...string) (paths []string) {
		for _, n := range names {
			paths = append(paths, filepath.Join(dir, n))
		}
		return paths
	}
	var erddap []string
	for i := 1; i <= 9; i++ {
		erddap = append(erddap, fmt.Sprintf("erddap-nginx/tomcat-access.log.%d", i))
	}
	functions := in("azure-functions-2021-sample.csv")
	for _, c := range []struct {
		name        string
		o           Options
		format      string
		rows, bad   int64
		keys, peak  int64
		mean        string
		first, last string
		resolution  int64
		disorder    int64
		cost        int64
		relative    bool
	}{
		{"nasa", Options{Files: in("nasa-http-jul95-first4000.log")}, "common", 4000, 0, 416, 7, "0.968",
			"1995-07-01T04:00:01Z", "1995-07-01T05:08:54Z", 1e9, 0, 4000, false},
		{"erddap", Options{Files: in(erddap...), Malformed: "allow"}, "combined", 10479, 5796, 917, 8, "0.0135",
			"2024-05-12T00:00:17Z", "2024-05-20T23:54:29Z", 1e9, 0, 10479, false},
		{"code", Options{Files: in("azure-llm-2023-code.csv"), Asked: formats.Asked{Cost: []string{"ContextTokens", "GeneratedTokens"}}}, "csv", 8819, 0, 1, 67, "2.57",
			"2023-11-16T18:17:03.97996Z", "2023-11-16T19:14:19.928016Z", 1000, 0, 18059974 + 245896, false},
		{"conv", Options{Files: in("azure-llm-2023-conv.csv"), Asked: formats.Asked{Cost: []string{"GeneratedTokens"}}}, "csv", 19366, 0, 1, 19, "5.53",
			"2023-11-16T18:15:46.68059Z", "2023-11-16T19:14:08.402527Z", 1000, 0, 4088665, false},
		{"both tenants", Options{Files: in("azure-llm-2023-code.csv", "azure-llm-2023-conv.csv"), Asked: formats.Asked{PerFile: true}}, "csv", 28185, 0, 2, 70, "8.02",
			"2023-11-16T18:15:46.68059Z", "2023-11-16T19:14:19.928016Z", 1000, 0, 28185, false},
		{"functions by arrival", Options{Files: functions, Asked: formats.Asked{Key: "func"}}, "csv", 199, 0, 31, 22, "0.166", "", "", 1, 0, 199, true},
		{"functions named", Options{Files: functions, Asked: formats.Asked{Key: "app", End: "end_timestamp", Duration: "duration", TimeFormat: "relative-s"}}, "csv", 199, 0, 13, 22, "0.166", "", "", 1, 0, 199, true},
		{"functions by end", Options{Files: functions, Asked: formats.Asked{Key: "app", Time: "end_timestamp"}}, "csv", 199, 0, 13, 12, "", "", "", 1, 83, 199, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := read(t, c.o)
			f := r.Facts
			if f.Format != c.format || f.Rows != c.rows || f.Malformed != c.bad || f.Keys != c.keys || f.PeakPerS != c.peak {
				t.Errorf("format %s, %d rows, %d malformed, %d keys, peak %d; want %s %d %d %d %d",
					f.Format, f.Rows, f.Malformed, f.Keys, f.PeakPerS, c.format, c.rows, c.bad, c.keys, c.peak)
			}
			if m := fmt.Sprintf("%.3g", f.MeanPerS); c.mean != "" && m != c.mean {
				t.Errorf("mean %s, want %s", m, c.mean)
			}
			if c.first != "" && (f.FirstNs != utc(t, c.first) || f.LastNs != utc(t, c.last)) {
				t.Errorf("span %d..%d, want %s..%s", f.FirstNs, f.LastNs, c.first, c.last)
			}
			if f.ResolutionNs != c.resolution || f.OutOfOrder != c.disorder || f.Cost != c.cost || f.Relative != c.relative {
				t.Errorf("resolution %d, %d out of order, cost %d, relative %v; want %d %d %d %v",
					f.ResolutionNs, f.OutOfOrder, f.Cost, f.Relative, c.resolution, c.disorder, c.cost, c.relative)
			}
			if int64(len(f.Problems)) != min(c.bad, maxProblems) {
				t.Errorf("problems %v", f.Problems)
			}
		})
	}
	if r := read(t, Options{Files: in(erddap...), Malformed: "allow"}); true {
		count := map[string]int{}
		for _, k := range r.Key {
			count[r.KeyNames[k]]++
		}
		if n := count["148.87.179.6"]; n != 4650 {
			t.Errorf("148.87.179.6 made %d requests, want 4650", n)
		}
	}
	if r := read(t, Options{Files: functions}); r.Facts.LastNs-r.Facts.FirstNs < 1200012500000 || r.Facts.LastNs-r.Facts.FirstNs >= 1200013500000 {
		t.Errorf("functions span %d ns, want 1200.013 s", r.Facts.LastNs-r.Facts.FirstNs)
	}
}

// A recording gives the same rows if it is packed, read from standard input,
// read in two halves in the wrong order, or read with other files.
func TestSourcesAgree(t *testing.T) {
	path := filepath.Join(shared(t), "nasa-http-jul95-first4000.log")
	plain, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(plain)
	z.Close()
	cut := bytes.IndexByte(plain[len(plain)/2:], '\n') + len(plain)/2 + 1
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	want := read(t, Options{Files: []string{path}})
	var last, total int64
	gz := write("a.log", packed.Bytes())
	for name, o := range map[string]Options{
		"gzip": {Files: []string{gz}, Progress: func(n, of int64) {
			if n < last {
				t.Errorf("progress went back from %d to %d", last, n)
			}
			last, total = n, of
		}},
		"stdin":      {Files: []string{"-"}, Stdin: bytes.NewReader(plain)},
		"gzip stdin": {Files: []string{"-"}, Stdin: bytes.NewReader(packed.Bytes())},
		"CRLF":       {Files: []string{"-"}, Stdin: bytes.NewReader(bytes.ReplaceAll(plain, []byte("\n"), []byte("\r\n")))},
		"mark":       {Files: []string{"-"}, Stdin: bytes.NewReader(append([]byte("\xef\xbb\xbf"), plain...))},
		"halves":     {Files: []string{write("2", plain[cut:]), write("1", plain[:cut])}},
	} {
		got := read(t, o)
		for i := range want.Time {
			if got.Time[i] != want.Time[i] || got.KeyNames[got.Key[i]] != want.KeyNames[want.Key[i]] {
				t.Fatalf("%s: row %d differs", name, i)
			}
		}
		if len(got.Time) != len(want.Time) || got.Facts.Keys != want.Facts.Keys {
			t.Errorf("%s: %d rows, %d keys", name, len(got.Time), got.Facts.Keys)
		}
	}
	if last != int64(packed.Len()) || total != last {
		t.Errorf("progress ended at %d of %d, want %d", last, total, packed.Len())
	}
}

// Both traces of a language model state the tokens of a prompt, which are known on
// arrival, and those of its answer. The totals are from the description of the traces.
func TestSharedEstimates(t *testing.T) {
	dir := shared(t)
	for name, want := range map[string][2]int64{"azure-llm-2023-code.csv": {18059974, 245896}, "azure-llm-2023-conv.csv": {22361870, 4088665}} {
		o, err := OptionsFrom(catalog.Values{
			"file": {V: name}, "cost_fields": {V: []any{"ContextTokens + GeneratedTokens"}}, "estimate_fields": {V: []any{"ContextTokens"}},
		}, dir)
		if err != nil {
			t.Fatal(err)
		}
		o.PerFile = true
		r, err := Read(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		sent, err := r.Span(0, times.LastInstant)
		if err != nil || !r.Estimated() {
			t.Fatalf("%s has estimates: %v; %v", name, r.Estimated(), err)
		}
		var estimate, cost, largest int64
		stamps := make([]int64, 100)
		for c := r.Play(0, times.LastInstant); c.Fill(stamps) > 0; {
			for i, e := range c.Estimates() {
				estimate, cost, largest = estimate+e, cost+c.Costs()[i], max(largest, e)
			}
		}
		if estimate != want[0] || cost != want[0]+want[1] || sent.MaxEstimate != largest {
			t.Errorf("%s: %d tokens are estimated, %d in the largest prompt, and %d cost, want %d, %d and %d",
				name, estimate, sent.MaxEstimate, cost, want[0], largest, want[0]+want[1])
		}
	}
}
