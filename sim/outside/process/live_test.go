package process

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func startLive(t *testing.T, name string) *Live {
	t.Helper()
	c := command(name)
	if c.grace = time.Hour; slices.Contains([]string{"closes stdout", "closes stdin", "deaf"}, name) {
		c.grace = 300 * time.Millisecond
	}
	p, err := StartLive(t.Context(), c, policy)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// askAll asks n requests at the same time and returns the errors by number. seen, if
// not nil, is called with the answers.
func askAll(t *testing.T, p *Live, n int, timeout time.Duration, key string, seen func(i int, a Answer)) []error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			a, err := p.Ask(ctx, int64(i), Request{AtNs: int64(i), Key: key, Cost: 1})
			if errs[i] = err; err == nil && seen != nil {
				seen(i, a)
			}
		})
	}
	all.Wait()
	return errs
}

func TestLive(t *testing.T) {
	for _, name := range []string{"even", "backwards"} {
		p := startLive(t, name)
		errs := askAll(t, p, 2001, time.Hour, "a\"b", func(i int, a Answer) {
			if want := i%2 == 0; a.Admit != want || want && a.WaitNs != int64(i)/2 {
				t.Errorf("%s: request %d: %+v", name, i, a)
			}
		})
		if err := errors.Join(errs...); err != nil {
			t.Error(err)
		}
		if _, err := p.Ask(t.Context(), 5000, Request{Key: "\xff"}); err != ErrKey {
			t.Errorf("a key that is not UTF-8: %v", err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if _, err := p.Ask(t.Context(), 5001, Request{Key: "k"}); !errors.Is(err, errClosed) {
			t.Errorf("Ask after Close: %v", err)
		}
	}
}

// TestLiveFailures checks what a process that does not follow the protocol ends in.
func TestLiveFailures(t *testing.T) {
	for name, want := range map[string]string{
		"crash at start":   "ended (exit status 3); its standard error ends with:\n  no module named redis",
		"exit 0 at 5":      "ended (exit status 0)",
		"junk at 5":        `wrote "debug: level 3", which is not an answer`,
		"twice 5":          "answered request 5, which it was not sent or has answered before",
		"no line end":      "wrote a line of more than 4096 bytes",
		"closes stdout":    "closed its standard output",
		"fails at the end": "ended after its last answer (exit status 7)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := startLive(t, name)
			errs := askAll(t, p, 8, time.Hour, "k", nil)
			failed := false
			for _, err := range errs {
				var e *Error
				is := errors.As(err, &e)
				failed = failed || is
				if err != nil && !is {
					t.Errorf("error is %v", err)
				}
			}
			if failed == (name == "fails at the end") && name != "twice 5" { // its answers come first
				t.Errorf("errors are %v", errs)
			}
			if err := p.Close(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("Close returns %v, want %s", err, want)
			}
		})
	}
}

// TestLiveTimeout checks that no call outlasts its context: if the process does not
// answer, and if it does not even read.
func TestLiveTimeout(t *testing.T) {
	for _, name := range []string{"silent", "deaf", "closes stdin", "slow"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := startLive(t, name)
			for _, err := range askAll(t, p, 20, 50*time.Millisecond, strings.Repeat("k", 20_000), nil) {
				var e *Error
				if !errors.Is(err, context.DeadlineExceeded) && !errors.As(err, &e) && name != "slow" {
					t.Errorf("error is %v", err)
				}
			}
			if name == "slow" { // answers that come too late do no harm
				if _, err := p.Ask(t.Context(), 100, Request{Key: "k"}); err != nil {
					t.Error(err)
				}
			}
			p.Close()
		})
	}
}
