package process

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// Error reports a limiter that did not do what the protocol demands.
type Error struct {
	Command string   // the program with its arguments
	What    string   // what happened
	Request int64    // number of the first request that has no answer; -1: not in a block
	AtNs    int64    // of this request
	Key     string   // of this request
	Exit    string   // exit status of a process that ended by itself, or ""
	Stderr  []string // the last lines, at most 10, of its standard error
	Err     error    // of a process that did not start
}

// Unwrap returns the error of a process that did not start.
func (e *Error) Unwrap() error { return e.Err }

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("limiter " + e.Command + " " + e.What)
	if e.Exit != "" {
		b.WriteString(" (" + e.Exit + ")")
	}
	if e.Request >= 0 {
		fmt.Fprintf(&b, "; request %d (at_ns %d, key %s) has no answer", e.Request, e.AtNs, quote([]byte(e.Key)))
	}
	if len(e.Stderr) > 0 {
		b.WriteString("; its standard error ends with:")
		for _, line := range e.Stderr {
			b.WriteString("\n  " + format.Clean(line))
		}
	}
	return b.String()
}

// quote returns a text for a message: with quotes, escaped, and cut if it is long.
func quote(text []byte) string {
	const longest = 120
	if len(text) > longest {
		return strconv.Quote(strings.ToValidUTF8(string(text[:longest]), "")) + "..."
	}
	return strconv.Quote(string(text))
}

// commandLine returns a command as one would type it.
func commandLine(args []string) string {
	return strings.Join(lists.Map(args, format.ShellQuote), " ")
}
