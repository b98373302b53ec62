package cli

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
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

// A time-out of live is that of HTTP too: answers after more than its default are verdicts.
func TestTimeoutOfHTTP(t *testing.T) {
	t.Parallel()
	l, out, _ := measureHTTP(t, func(http.ResponseWriter, *http.Request) { time.Sleep(1100 * time.Millisecond) },
		"--limit", "10/s", "--rate", "5/s", "--duration", "1s", "--timeout", "1h")
	if l.Failures != nil || l.Sender.AnswerMaxNs < 1e9 {
		t.Errorf("%+v\n%s", l, out)
	}
}
