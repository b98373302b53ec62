package process

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestFailures checks that each failure ends as documented, soon, and with nothing
// left behind.
func TestFailures(t *testing.T) {
	const anyRequest = -2
	timeouts := map[string]time.Duration{"300ms": 300 * time.Millisecond, "1s": time.Second}
	for _, test := range []struct {
		limiter string
		at      int64 // the request that the error names
		says    string
		exit    string
	}{
		{"crash at start", 0, "ended (exit status 3); request 0", "exit status 3"},
		{"crash at 5", 5, "ended (exit status 2); request 5 (at_ns 51, key \"k\") has no answer", "exit status 2"},
		{"exit 0 at 5", 5, "ended (exit status 0); request 5", "exit status 0"},
		{"junk at 5", 5, `wrote "debug: level 3", which is not an answer: it is not a JSON object; request 5`, ""},
		{"skips 5", 5, "answered request 6, which was not next; request 5", ""},
		{"twice 5", 6, "answered request 5, which was not next; request 6", ""},
		{"no line end", 5, `wrote a line of more than 4096 bytes, which begins with "aaaa`, ""},
		{"closes stdout", 5, "closed its standard output; request 5", ""},
		{"closes stdin", 0, "closed its standard input; request 0", ""},
		{"too few", 7, "answered only 7 of a block of 8 requests within 1s (its output may", ""},
		{"too many", -1, `wrote "{\"i\":8,\"admit\":true}\n" `, ""},
		{"silent", 0, "was silent for 300ms (its output may be buffered: flush after each line or once per read); request 0", ""},
		{"deaf", 0, "was silent for 300ms", ""},
		{"wrapper", 0, "was silent for 300ms", ""},
		{"slow", anyRequest, "requests within 300ms", ""},
		{"stderr flood", 5, "ended (exit status 1); request 5 (at_ns 51, key \"k\") has no answer; its standard error ends with:\n  line 990 of request 5\n", "exit status 1"},
	} {
		t.Run(test.limiter, func(t *testing.T) {
			t.Parallel()
			timeout, slack := DefaultTimeout, time.Duration(0) // other failures are noticed before
			for text, limit := range timeouts {
				if strings.Contains(test.says, text) {
					timeout, slack = limit, 3*grace
				}
			}
			p := start(t, t.Context(), test.limiter, timeout)
			began := time.Now()
			var err error
			for from := 0; from < 32 && err == nil; from += 8 {
				rs := requests(from, 8)
				switch test.limiter {
				case "deaf", "closes stdin":
					rs[7].Key = strings.Repeat("k", 1<<20) // more than a pipe holds
				case "slow":
					rs = requests(from, 80)
				}
				err = p.Decide(rs, make([]Answer, len(rs)))
			}
			took := time.Since(began)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v", err)
			}
			if e.Request != test.at && test.at != anyRequest {
				t.Errorf("error names request %d, want %d", e.Request, test.at)
			}
			if e.Exit != test.exit || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%v\nwant %s, exit %q", err, test.says, test.exit)
			}
			if len(err.Error()) > 2000 || len(e.Stderr) > tailLines {
				t.Errorf("a long error: %v", err)
			}
			if took > timeout+slack {
				t.Errorf("ended after %v", took)
			}
			noneLeft(t, p)
			if again := p.Decide(requests(0, 1), make([]Answer, 1)); again != err {
				t.Errorf("then %v", again)
			}
			if err := p.Close(); err != nil {
				t.Errorf("Close after an error: %v", err)
			}
		})
	}
}

// TestSlowButAlive checks that a limiter may take its time for a block.
func TestSlowButAlive(t *testing.T) {
	p := start(t, t.Context(), "slow", 2*time.Second)
	if err := p.Decide(requests(0, 10), make([]Answer, 10)); err != nil {
		t.Error(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestClose(t *testing.T) {
	for _, test := range []struct{ limiter, says string }{
		{"even", ""},
		{"stays", ""}, // killed
		{"says more at the end", `wrote "8 requests\n" after its last answer`},
		{"fails at the end", "ended after its last answer (exit status 7)"},
	} {
		t.Run(test.limiter, func(t *testing.T) {
			t.Parallel()
			p := start(t, t.Context(), test.limiter, 0)
			if err := p.Decide(requests(0, 8), make([]Answer, 8)); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			err := p.Close()
			if test.says == "" && err != nil || test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)) {
				t.Errorf("Close returns %v, want %q", err, test.says)
			}
			if took := time.Since(began); took > 3*grace {
				t.Errorf("Close took %v", took)
			}
			noneLeft(t, p)
		})
	}
}

func TestDoesNotStart(t *testing.T) {
	notProgram := filepath.Join(t.TempDir(), "limiter.py")
	if err := os.WriteFile(notProgram, []byte("print()"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"no-such-limiter", "a b"}, {notProgram}, {}} {
		_, err := Start(t.Context(), Command{Args: args}, policy)
		var e *Error
		if !errors.As(err, &e) || e.Request != -1 {
			t.Errorf("%q: %v", args, err)
		}
	}
	_, err := Start(t.Context(), Command{Args: []string{"no-such-limiter", "a b"}}, policy)
	if want := "limiter no-such-limiter 'a b' did not start: "; !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s...", err, want)
	}
}

// TestCancel checks that a cancelled context kills the process at once, whatever
// the process does, and also between blocks.
func TestCancel(t *testing.T) {
	for _, busy := range []bool{true, false} {
		ctx, cancel := context.WithCancel(t.Context())
		p := start(t, ctx, "deaf", 0)
		time.AfterFunc(50*time.Millisecond, cancel)
		began := time.Now()
		if !busy {
			<-ctx.Done()
			noneLeft(t, p)
		}
		err := p.Decide(requests(0, 8), make([]Answer, 8))
		if !errors.Is(err, context.Canceled) || time.Since(began) > grace {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		noneLeft(t, p)
		if _, err := Start(ctx, command("deaf"), policy); !errors.Is(err, context.Canceled) {
			t.Errorf("Start with a cancelled context: %v", err)
		}
	}
}

func TestKillAll(t *testing.T) {
	c := command("kills all")
	cmd := exec.Command(c.Args[0])
	cmd.Env = append(os.Environ(), c.Env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
