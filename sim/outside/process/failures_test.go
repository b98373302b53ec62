package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestFailures checks that each failure ends as documented, and with nothing left
// behind. What ends by a timeout, or by the time of grace, has a short one; what does
// not, has one that no machine is too slow for.
func TestFailures(t *testing.T) {
	for _, test := range []struct {
		limiter string
		at      int64 // the request that the error names
		says    string
		exit    string // of a process that ended by itself
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
		{"too many", 8, `wrote "{\"i\":8,\"admit\":true}\n" before it was sent the next request; request 8 `, ""},
		{"silent", 0, "was silent for 300ms (its output may be buffered: flush after each line or once per read); request 0", ""},
		{"deaf", 0, "was silent for 300ms", ""},
		{"wrapper", 0, "was silent for 300ms", ""},
		{"stderr flood", 5, "ended (exit status 1); request 5 (at_ns 51, key \"k\") has no answer; its standard error ends with:\n   [31mline 990 of request 5\n", "exit status 1"},
	} {
		t.Run(test.limiter, func(t *testing.T) {
			t.Parallel()
			c := command(test.limiter)
			c.Timeout, c.grace = time.Hour, time.Hour
			if strings.Contains(test.says, "300ms") {
				c.Timeout = 300 * time.Millisecond
			}
			if strings.HasPrefix(test.says, "closed") {
				c.grace = 300 * time.Millisecond
			}
			p := startCommand(t, t.Context(), c)
			err := failing(p, test.limiter)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v", err)
			}
			if e.Request != test.at {
				t.Errorf("error names request %d, want %d", e.Request, test.at)
			}
			if e.Exit != test.exit || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%v\nwant %s, exit %q", err, test.says, test.exit)
			}
			if strings.ContainsRune(err.Error(), '\x1b') {
				t.Errorf("codes for a terminal: %q", err)
			}
			if len(err.Error()) > 2000 || len(e.Stderr) > tailLines {
				t.Errorf("a long error: %v", err)
			}
			if wasKilled(p) != (test.exit == "") {
				t.Errorf("the process was killed: %v", wasKilled(p))
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

// failing sends blocks until one fails.
func failing(p *Process, limiter string) (err error) {
	for from := 0; from < 32 && err == nil; from += 8 {
		rs := requests(from, 8)
		switch limiter {
		case "deaf", "closes stdin":
			rs[7].Key = strings.Repeat("k", 1<<20) // more than a pipe holds
		}
		err = p.Decide(rs, make([]Answer, len(rs)))
	}
	return err
}

// TestFailuresOneByOne checks that the error names the same request, and says the same of
// it, if requests are sent one by one, as a list of decisions needs it.
func TestFailuresOneByOne(t *testing.T) {
	for _, limiter := range []string{"crash at 5", "junk at 5", "twice 5"} {
		var texts [2]string
		for i, size := range []int{1, 8} {
			p := startCommand(t, t.Context(), command(limiter))
			var err error
			for from := 0; from < 16 && err == nil; from += size {
				err = p.Decide(requests(from, size), make([]Answer, size))
			}
			texts[i], _, _ = strings.Cut(fmt.Sprint(err), "; its standard error")
		}
		if texts[0] != texts[1] || !strings.Contains(texts[0], "; request ") {
			t.Errorf("one by one: %s\nin blocks: %s", texts[0], texts[1])
		}
	}
}

// TestTooFewAnswers checks a process that leaves out the last answer of a block. On a
// busy machine the other seven take longer than the timeout; then it gets twice as long.
func TestTooFewAnswers(t *testing.T) {
	for timeout := time.Second; ; timeout *= 2 {
		p := start(t, t.Context(), "too few", timeout)
		err := p.Decide(requests(0, 8), make([]Answer, 8))
		var e *Error
		late := fmt.Sprintf("%v (its output may be buffered", timeout)
		if !errors.As(err, &e) || !strings.Contains(err.Error(), late) {
			t.Fatal(err)
		}
		noneLeft(t, p)
		if e.Request == 7 {
			if !strings.Contains(err.Error(), "answered 7 of a block of 8 requests, then was silent for "+late) {
				t.Error(err)
			}
			return
		}
	}
}

// TestSlowButAlive checks that a limiter may take longer than the timeout for a block, if
// it is never silent for that long. On a busy machine it is; then both get twice as long.
func TestSlowButAlive(t *testing.T) {
	for timeout := 200 * time.Millisecond; ; timeout *= 2 {
		p := start(t, t.Context(), "slow", timeout)
		n := int(2 * timeout / (20 * time.Millisecond))
		err := p.Decide(requests(0, n), make([]Answer, n))
		if err == nil {
			err = p.Close()
		} else if e, late := errors.AsType[*Error](err); late && strings.Contains(e.What, "silent") && timeout < time.Minute {
			continue
		}
		if err != nil {
			t.Error(err)
		}
		return
	}
}

func TestClose(t *testing.T) {
	for _, test := range []struct{ limiter, says string }{
		{"even", ""},
		{"stays", ""}, // until it is killed
		{"says more at the end", `wrote "8 requests\n" after its last answer`},
		{"fails at the end", "ended after its last answer (exit status 7)"},
	} {
		t.Run(test.limiter, func(t *testing.T) {
			t.Parallel()
			c := command(test.limiter)
			if c.Timeout, c.grace = time.Hour, time.Hour; test.limiter == "stays" {
				c.grace = 300 * time.Millisecond
			}
			p := startCommand(t, t.Context(), c)
			if err := p.Decide(requests(0, 8), make([]Answer, 8)); err != nil {
				t.Fatal(err)
			}
			err := p.Close()
			if test.says == "" && err != nil || test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)) {
				t.Errorf("Close returns %v, want %q", err, test.says)
			}
			if killed := wasKilled(p); test.limiter != "says more at the end" && killed != (test.limiter == "stays") {
				t.Errorf("the process was killed: %v", killed)
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
		p := start(t, ctx, "deaf", time.Hour)
		time.AfterFunc(50*time.Millisecond, cancel)
		if !busy {
			<-ctx.Done()
			noneLeft(t, p)
		}
		err := p.Decide(requests(0, 8), make([]Answer, 8))
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
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
