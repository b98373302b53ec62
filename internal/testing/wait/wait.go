// Package wait waits in tests for events, however busy the machine is: until shortly
// before `go test` would end the tests.
package wait

import (
	"context"
	"testing"
	"time"
)

// rest is what is left at the end of a wait, to say what did not happen and to clean up.
const rest = 20 * time.Second

// left returns how long a wait of a test may last.
func left(t *testing.T) time.Duration {
	end, limited := t.Deadline()
	if !limited {
		return 1<<63 - 1
	}
	all := time.Until(end)
	return max(all-rest, all/2)
}

// End returns a channel that receives when a wait of the test has to end.
func End(t *testing.T) <-chan time.Time { return time.After(left(t)) }

// Context returns a context that ends with the test, or when a wait of it has to end.
func Context(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), left(t))
	t.Cleanup(cancel)
	return ctx
}

// Until asks again and again whether something holds. It ends the test if that does not
// come true.
func Until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := End(t); !holds(); {
		select {
		case <-end:
			t.Fatalf("waited in vain: %s", what)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// For waits for a channel to receive or to be closed. It returns false if that does not
// happen.
func For[T any](t *testing.T, happens <-chan T) bool {
	select {
	case <-happens:
		return true
	case <-End(t):
		return false
	}
}
