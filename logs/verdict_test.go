package logs

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/logs/formats"
	"github.com/limitgauge/limitgauge/logs/kept"
	"github.com/limitgauge/limitgauge/logs/times"
)

// verdicts reads logs and returns the time in s and the verdict of each row, in
// time order.
func verdicts(t *testing.T, o Options, texts ...string) (rows []string, f Facts) {
	t.Helper()
	for i, text := range texts {
		o.Files = append(o.Files, filepath.Join(t.TempDir(), fmt.Sprint("log", i)))
		if err := os.WriteFile(o.Files[i], []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Read(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c := r.Play(0, math.MaxInt64)
	stamps := make([]int64, 2)
	for n := c.Fill(stamps); n > 0; n = c.Fill(stamps) {
		for i, rejected := range c.Rejected() {
			rows = append(rows, fmt.Sprint(stamps[i]/times.Second%100, rejected))
		}
	}
	return rows, r.Facts
}

const combinedAt = `10.0.0.1 - - [14/Nov/2023:22:13:%02d +0000] "GET / HTTP/1.1" %d 5 "-" "a"`

func combinedLines(statuses ...int) string {
	var s strings.Builder
	for i, status := range statuses {
		fmt.Fprintf(&s, combinedAt+"\n", 20+i, status) // from 1700000000 on
	}
	return s.String()
}

// TestVerdicts checks what counts as rejected, in every kind of format, that it
// follows its row when rows are sorted and merged, and that a row without a
// verdict is malformed.
func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		o     Options
		texts []string
		want  string
		bad   int64
		taken string
	}{
		"status": {Options{Asked: formats.Asked{Verdict: "status"}}, []string{combinedLines(200, 429, 499, 503, 500)}, "0 0,1 1,2 0,3 1,4 0", 0, "status (rejected: 429, 503)"},
		"one status": {Options{Rejected: []string{"503"}, Asked: formats.Asked{Verdict: "status"}}, []string{combinedLines(200, 429, 503)}, "0 0,1 0,2 1", 0,
			"status (rejected: 503)"},
		"with fields and clients": {Options{Asked: formats.Asked{Verdict: "status", Fields: []string{"path"}, Client: "user_agent"}}, []string{combinedLines(429, 200)}, "0 1,1 0", 0, "status (rejected: 429, 503)"},
		"JSON": {Options{Rejected: []string{"false"}, Asked: formats.Asked{Verdict: "allowed"}},
			[]string{`{"ts":1700000003,"ip":"a","allowed":false}` + "\n" + `{"ts":1700000001,"ip":"a","allowed":true}` + "\n" + `{"ts":1700000002,"ip":"a","allowed":null}` + "\n" + `{"ts":1700000004,"ip":"b"}` + "\n" + `{"ts":1700000005,"ip":"b","allowed":"false"}` + "\n"},
			"1 0,3 1,5 1", 2, "allowed (rejected: false)"},
		"CSV": {Options{Rejected: []string{"deny", "OVER_LIMIT"}, Asked: formats.Asked{Verdict: "code"}},
			[]string{"time_s,ip,code\n1,a,deny\n2,a,OK\n3,a,OVER_LIMIT\n4,a,\n5,a,-\n"}, "1 1,2 0,3 1", 2, "code (rejected: deny, OVER_LIMIT)"},
		"two files out of order": {Options{Rejected: []string{"no"}, Asked: formats.Asked{Verdict: "v"}},
			[]string{"time_s,ip,v\n9,a,no\n1,b,yes\n5,c,no\n", "time_s,ip,v\n4,c,yes\n2,a,no\n"}, "1 0,2 1,4 0,5 1,9 1", 0, "v (rejected: no)"},
		"spilled": {Options{Rejected: []string{"no"}, room: &kept.Room{Rows: 2, Memory: 0, Runs: 2}, Asked: formats.Asked{Verdict: "v"}},
			[]string{"time_s,ip,v\n9,a,no\n1,b,yes\n5,c,no\n4,c,yes\n2,a,no\n"}, "1 0,2 1,4 0,5 1,9 1", 0, "v (rejected: no)"},
	} {
		rows, f := verdicts(t, c.o, c.texts...)
		if got := strings.Join(rows, ","); got != c.want || f.Malformed != c.bad {
			t.Errorf("%s: verdicts %s, %d malformed, want %s, %d", name, got, f.Malformed, c.want, c.bad)
		}
		if got := f.Choices[0].Verdict; got != c.taken {
			t.Errorf("%s: taken as %q, want %q", name, got, c.taken)
		}
	}
}

// TestVerdictOptions checks which options exclude a verdict field.
func TestVerdictOptions(t *testing.T) {
	for _, o := range []Options{{Rejected: []string{"429"}}, {Copies: 2, Asked: formats.Asked{Verdict: "status"}}, {Repeat: 2, Asked: formats.Asked{Verdict: "status"}}, {Rejected: []string{""}, Asked: formats.Asked{Verdict: "status"}}} {
		o.Files = []string{"x"}
		if o.Validate() == nil {
			t.Errorf("%+v is taken", o)
		}
	}
	if err := (&Options{Files: []string{"x"}, Copies: 1, Repeat: 1, Asked: formats.Asked{Verdict: "status"}}).Validate(); err != nil {
		t.Error(err)
	}
}

// TestShapedDemand checks that a log which a limiter has shaped, or may have, says so,
// whatever its format calls the status, and that other logs do not.
func TestShapedDemand(t *testing.T) {
	for name, c := range map[string]struct {
		o    Options
		text string
		want string
	}{
		"combined":   {Options{}, combinedLines(200, 429, 429, 503, 500), "2 rows with status 429 and 1 row with status 503 of 5: a limiter has shaped this demand, and the retries of its callers are in it; replay --verdict-field status judges that limiter; if 503 came from a server that was down or overloaded, let rejected be 429 alone (--rejected 429)$"},
		"with until": {Options{Until: 1700000002e9}, combinedLines(200, 429, 429, 429, 429), "1 row with status 429 of 2: "},
		"CSV":        {Options{}, "time_s,ip,status_code\n1,a,429\n2,a,200\n", "1 row with status_code 429 of 2: "},
		"JSON":       {Options{}, `{"ts":1700000003,"ip":"a","Status":"429"}` + "\n" + `{"ts":1700000003,"ip":"a","Status":{}}` + "\n", "1 row with Status 429 of 2: "},
		"W3C":        {Options{}, "#Fields: date time c-ip sc-status\n2023-11-14 22:13:20 10.0.0.1 503\n", "1 row with sc-status 503 of 1: a limiter may have refused them, or a server was down or overloaded; retries may be in this demand; if it was a limiter, replay --verdict-field sc-status judges it"},
		"none":       {Options{}, combinedLines(200, 500, 499, 404), ""},
		"judged":     {Options{Asked: formats.Asked{Verdict: "status"}}, combinedLines(200, 429), "1 row with status 429 of 2: "},
		"503 judged": {Options{Asked: formats.Asked{Verdict: "status"}}, combinedLines(503, 503), "2 rows with status 503 of 2: a limiter may have refused them, or a server was down or overloaded; retries may be in this demand"},
		"429 judged": {Options{Rejected: []string{"429"}, Asked: formats.Asked{Verdict: "status"}}, combinedLines(429, 503), "1 row with status 429 and 1 row with status 503 of 2: a limiter has shaped this demand, and the retries of its callers are in it$"},
	} {
		_, f := verdicts(t, c.o, c.text)
		i := slices.IndexFunc(f.Choices[0].Warnings, func(w string) bool { return strings.Contains(w, "this demand") })
		if (i >= 0) != (c.want != "") || i >= 0 && !strings.HasPrefix(f.Choices[0].Warnings[i]+"$", c.want) {
			t.Errorf("%s: warnings %q, want one that begins with %q", name, f.Choices[0].Warnings, c.want)
		}
		if i >= 0 && strings.Contains(f.Choices[0].Warnings[i], "--verdict-field") == (c.o.Verdict != "") {
			t.Errorf("%s: %s", name, f.Choices[0].Warnings[i])
		}
	}
}

// TestNeverRejected checks that values which mean rejected and do not occur are said.
func TestNeverRejected(t *testing.T) {
	_, f := verdicts(t, Options{Rejected: []string{"deny"}, Asked: formats.Asked{Verdict: "v"}}, "time_s,ip,v\n1,a,DENY\n2,a,ok\n3,a,ok\n")
	const want = `no row has deny in the field v, so the recorded limiter rejected nothing: --rejected names other values`
	if !slices.Contains(f.Choices[0].Warnings, want) {
		t.Errorf("warnings %q", f.Choices[0].Warnings)
	}
}
