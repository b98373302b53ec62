package cli

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/sim/results"
)

// measureHTTP measures a handler and returns its row, what was printed, and the exit code.
func measureHTTP(t *testing.T, handle http.HandlerFunc, args ...string) (row *results.Live, stdout string, code int) {
	t.Helper()
	s := httptest.NewServer(handle)
	defer s.Close()
	file := filepath.Join(t.TempDir(), "live.json")
	var out, errs bytes.Buffer
	args = append([]string{"live", "--target", "http", "--address", s.URL, "-q", "--no-plots", "-o", file}, args...)
	code = Run(context.Background(), args, terminal.Host{In: strings.NewReader(""), Out: &out, Err: &errs, Lookup: os.LookupEnv})
	written, err := os.Open(file)
	if err != nil {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	defer written.Close()
	d, err := results.Decode(written)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(d.Results, func(r results.Result) bool { return r.Live != nil })
	return d.Results[i].Live, strings.Join(strings.Fields(out.String()), " "), code
}

// Each field of the document and each column of the exchanges is documented.
func TestFieldsOfLive(t *testing.T) {
	page, err := os.ReadFile("../../docs/live.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := func(path, name string) bool {
		return slices.ContainsFunc([]string{path + "`", name + "`", path + "[]`", path + "."}, func(s string) bool { return strings.Contains(string(page), "`"+s) })
	}
	var fields func(of reflect.Type, path string)
	fields = func(of reflect.Type, path string) {
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			whole := strings.Replace(strings.TrimPrefix(path+"."+name, "."), "under.", "over.", 1) // they have the same fields
			if strings.HasPrefix(path, "other_judges") {
				whole = strings.TrimPrefix(whole, "other_judges.")
			}
			if !documented(whole, name) {
				t.Errorf("docs/live.md does not document %s", whole)
			}
			switch inner := of.Field(i).Type; inner.Kind() {
			case reflect.Struct, reflect.Pointer:
				fields(inner, whole)
			case reflect.Slice:
				if inner.Elem().Kind() == reflect.Struct {
					fields(inner, whole)
				}
			}
		}
	}
	fields(reflect.TypeFor[results.Live](), "")
	for _, column := range exchangeColumns {
		if !documented(column, column) {
			t.Errorf("docs/live.md does not document the column %s", column)
		}
	}
}

// A time-out of live is that of HTTP too: answers after more than its default are verdicts.
func TestTimeoutOfHTTP(t *testing.T) {
	t.Parallel()
	l, out, _ := measureHTTP(t, func(http.ResponseWriter, *http.Request) { time.Sleep(1100 * time.Millisecond) },
		"--limit", "10/s", "--rate", "5/s", "--duration", "1s", "--timeout", "1h")
	if l.Failures != nil || l.Sender.AnswerMaxNs < 1e9 {
		t.Errorf("%+v\n%s", l, out)
	}
}

// One run has the verdicts by all three promises, and a violation that is certain fails
// if --fail asks for it. A bucket of 10/s with a burst of 10 is one by windows alone.
func TestJudgesOfOneRun(t *testing.T) {
	t.Parallel()
	admit := func(http.ResponseWriter, *http.Request) {}
	args := []string{"--limit", "10/s", "--rate", "100/s", "--duration", "1s", "--pattern", "constant"}
	for _, fail := range []bool{false, true} {
		want, all := 0, slices.Clone(args)
		if fail {
			want, all = 3, append(all, "--fail")
		}
		l, out, code := measureHTTP(t, admit, all...)
		if !l.CertainlyOver() && l.Sender.Late != "" {
			t.Logf("the machine is too busy, so nothing is certain:\n%s", out)
			return
		}
		if !l.CertainlyOver() || code != want {
			t.Errorf("exit code %d, want %d:\n%s", code, want, out)
		}
		if len(l.Others) != 2 || l.Others[0].JudgedBy != "sliding" || l.Others[1].JudgedBy != "calendar" || !strings.Contains(out, "judged by other promises, sliding: over the limit (certified: ") {
			t.Errorf("%+v\n%s", l.Others, out)
		}
	}
}

// The limit that answers state is compared with the policy.
func TestStatedLimits(t *testing.T) {
	t.Parallel()
	for header, differs := range map[string]bool{`"default";q=10;w=1`: false, `"default";q=20;w=1`: true} {
		l, out, _ := measureHTTP(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("RateLimit-Policy", header) },
			"--limit", "10/s", "--rate", "5/s", "--duration", "1s", "--timeout", "1h")
		if len(l.Stated) != 1 || l.Stated[0].Differs != differs || l.Stated[0].WindowNs != 1e9 || l.Stated[0].Count != l.Sender.Sent {
			t.Errorf("%s: %+v", header, l.Stated)
		}
		if strings.Contains(out, "http: a limit of 20 requests in 1s is stated in ") != differs {
			t.Errorf("%s:\n%s", header, out)
		}
	}
}
