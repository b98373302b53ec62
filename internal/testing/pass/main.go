// The program pass reads what `go test -json` writes. It prints what failed and what was
// skipped, and ends with 1 if a test failed or was skipped for a reason that does not begin
// with "only", such as "only with LIVE_SYSTEMS=1": go test -json ./... | go run THIS.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
)

// event is one line of `go test -json`.
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

func main() {
	good, err := read(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "pass:", err)
	}
	if err != nil || !good {
		os.Exit(1)
	}
}

// passed counts what a run of tests has come to.
type passed struct {
	out      io.Writer
	printed  map[[2]string]*strings.Builder // by package and test, until it ends
	only     []string                       // skips that are permitted
	packages int
	tests    int
	wrong    int
}

// read reads events until their end and reports whether all is as it has to be.
func read(in io.Reader, out io.Writer) (good bool, err error) {
	p := &passed{out: out, printed: map[[2]string]*strings.Builder{}}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil { // what go says beside its events
			fmt.Fprintf(out, "%s\n", lines.Bytes())
			continue
		}
		p.see(&e)
	}
	if err := lines.Err(); err != nil {
		return false, err
	}
	slices.Sort(p.only)
	for _, text := range p.only {
		fmt.Fprintln(out, "skipped:", text)
	}
	fmt.Fprintf(out, "%d packages, %d tests, %d failed or were skipped for want of something\n", p.packages, p.tests, p.wrong)
	return p.wrong == 0 && p.tests > 0, nil
}

// see counts an event, and prints what a test has printed if it ends badly.
func (p *passed) see(e *event) {
	key := [2]string{e.Package + e.ImportPath, e.Test}
	switch e.Action {
	case "output", "build-output":
		if p.printed[key] == nil {
			p.printed[key] = &strings.Builder{}
		}
		p.printed[key].WriteString(e.Output)
		return
	case "pass", "fail", "skip", "build-fail":
	default:
		return
	}
	text := ""
	if b := p.printed[key]; b != nil {
		text = b.String()
	}
	delete(p.printed, key)
	switch {
	case e.Test != "":
		p.tests++
	case e.Action == "pass", e.Action == "fail":
		p.packages++
	}
	switch why := reason(text); {
	case e.Action == "skip" && e.Test == "": // no tests
	case e.Action == "skip" && strings.HasPrefix(why, "only "):
		p.only = append(p.only, fmt.Sprintf("%s %s: %s", e.Package, e.Test, why))
	case e.Action != "pass":
		p.wrong++
		fmt.Fprintf(p.out, "%s%s %s: %s\n", text, e.Package+e.ImportPath, e.Test, e.Action)
	case e.Test == "":
		fmt.Fprintf(p.out, "ok %8.1f s  %s\n", e.Elapsed, e.Package)
	}
}

// said is a line that a test has logged.
var said = regexp.MustCompile(`(?m)^ +\S+\.go:\d+: (.*)$`)

// reason returns why a test was skipped: of the lines that it has logged the one that begins
// with "only", or else the last one.
func reason(text string) (why string) {
	for _, line := range said.FindAllStringSubmatch(text, -1) {
		if why = line[1]; strings.HasPrefix(why, "only ") {
			break
		}
	}
	return why
}
