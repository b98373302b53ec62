package exec

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/send"
	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// TestMain runs this test binary as a limiter if its first argument asks for it.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "limiter" {
		limiter(os.Args[2])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// limiter admits the first 20 requests of each process. It answers pairs backwards. A
// limiter that crashes ends at the tenth request.
func limiter(name string) {
	in := bufio.NewScanner(os.Stdin)
	in.Scan()
	var first struct{ Client, Clients int }
	if json.Unmarshal(in.Bytes(), &first) != nil || !strings.HasPrefix(in.Text(), `{"policy":{"limit":20,"window_ns":1000000000,"burst":5}`) {
		fmt.Fprintln(os.Stderr, "the first line is", in.Text())
		os.Exit(1)
	}
	held := ""
	for n := 0; in.Scan(); n++ {
		if name == "crash" && n == 10 {
			fmt.Fprintln(os.Stderr, "division by zero")
			os.Exit(3)
		}
		var r struct{ I int64 }
		if json.Unmarshal(in.Bytes(), &r) != nil {
			os.Exit(1)
		}
		answer := fmt.Sprintf("{\"i\":%d,\"admit\":%v}\n", r.I, n < 20)
		if n < 20 {
			answer = fmt.Sprintf("{\"i\":%d,\"admit\":true,\"wait_ns\":%d}\n", r.I, 7)
		}
		if n%2 == 0 {
			held = answer
			continue
		}
		fmt.Print(answer + held)
	}
}

func open1(t *testing.T, name, instances string) (exchange.Target, error) {
	t.Setenv("GORACE", "atexit_sleep_ms=0")
	return Kind().Open(t.Context(), &targets.Setting{
		Addresses: []string{format.ShellQuote(os.Args[0]) + " limiter " + name}, Clients: 3,
		Policy: targets.Policy{Limit: 20, WindowNs: 1e9, Burst: 5},
	}, catalog.Values{"instances": {V: instances}, "timeout": {V: int64(time.Minute)}})
}

func run(t *testing.T, target exchange.Target) (admitted, rejected int, failures map[string]int) {
	t.Helper()
	all := make([]exchange.Exchange, 240)
	for i := range all {
		all[i].Request = exchange.Request{Number: int64(i), IntendedNs: int64(i) * 2e5, Key: "k", Client: int32(i % 3), Cost: 1}
	}
	r, err := send.Run(t.Context(), all, target, send.Options{Timeout: time.Minute, Failures: len(all) + 1})
	if err != nil {
		t.Fatal(err)
	}
	failures = map[string]int{}
	for _, e := range r.Exchanges {
		switch {
		case e.Verdict == exchange.Admitted && e.WaitNs == 7:
			admitted++
		case e.Verdict == exchange.Rejected:
			rejected++
		default:
			failures[e.Failure]++
		}
	}
	return admitted, rejected, failures
}

func TestExec(t *testing.T) {
	for instances, want := range map[string]int{"shared": 20, "per-client": 60} {
		target, err := open1(t, "pairs", instances)
		if err != nil {
			t.Fatal(err)
		}
		if admitted, rejected, failures := run(t, target); admitted != want || rejected != 240-want || len(failures) > 0 {
			t.Errorf("%s: %d admitted, %d rejected, %v", instances, admitted, rejected, failures)
		}
		if err := target.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestCrash(t *testing.T) {
	target, err := open1(t, "crash", "shared")
	if err != nil {
		t.Fatal(err)
	}
	if admitted, _, failures := run(t, target); admitted != 10 || failures["program failed"] != 230 {
		t.Errorf("%d admitted, %v", admitted, failures)
	}
	if err := target.Close(); err == nil || !strings.Contains(err.Error(), "ended (exit status 3); its standard error ends with:\n  division by zero") {
		t.Errorf("Close returns %v", err)
	}
}

func TestOptionErrors(t *testing.T) {
	for line, want := range map[string]string{"": "names no program", "'a": "is not closed", "./there-is-none": "did not start"} {
		_, err := Kind().Open(t.Context(), &targets.Setting{Addresses: []string{line}, Clients: 1}, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", line, err, want)
		}
	}
}
