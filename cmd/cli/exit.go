package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/limitgauge/limitgauge/internal/format"

	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/report/gate/baseline"
	"github.com/limitgauge/limitgauge/search/jobs"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/outside"
	"github.com/limitgauge/limitgauge/sim/outside/process"
	"github.com/limitgauge/limitgauge/sim/results"
)

// The exit codes. --help and the README show this table.
const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitGateFailed  = 3
	exitUnevaluated = 4
	exitInterrupted = 130
	exitReaderGone  = 141 // as shells report a program that SIGPIPE ended
)

const exitCodes = `Exit codes:
  0    success; the gate passed
  1    internal error or I/O failure
  2    wrong usage, invalid scenario or unusable log
  3    gate failed: a threshold does not hold; conformance: a verdict differs
  4    no verdict: no sample, threshold or baseline; interrupted; program failed
  130  interrupted: finished work is written and marked partial
`

// codeError ends the program with an exit code and prints nothing.
type codeError int

func (e codeError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// coded is an error that knows the exit code of the program. Its method is not called
// ExitCode, because that of exec.ExitError is the code of another program.
type coded interface {
	error
	ProgramExit() int
}

// interruptedError reports an interruption and what was written.
type interruptedError string

func (e interruptedError) Error() string { return string(e) }

// explainError prints an error and returns its exit code. It prints every
// joined error and returns the code of the first.
func explainError(w io.Writer, err error) int {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		code := exitOK
		for _, e := range joined.Unwrap() {
			if c := explainError(w, e); code == exitOK {
				code = c
			}
		}
		return code
	}
	var (
		code    codeError
		invalid *sim.Invalid
	)
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &invalid):
		for _, p := range invalid.Problems {
			fmt.Fprintln(w, p)
		}
		fmt.Fprintf(w, "limitgauge: %s found; nothing was run\n", format.Count(len(invalid.Problems), "problem"))
		return exitUsage
	case errors.Is(err, context.Canceled):
		err = interruptedError("interrupted")
	}
	fmt.Fprintf(w, "limitgauge: %v\n", err)
	return exitCode(err)
}

// exitCode returns the exit code of an error that prints its own text.
func exitCode(err error) int {
	log, ofLog := errors.AsType[*logs.Error](err)
	elsewhere, ofJob := errors.AsType[*jobs.Failure](err)
	own, knows := errors.AsType[coded](err)
	switch {
	case ofJob:
		return elsewhere.Code
	case is[interruptedError](err):
		return exitInterrupted
	case is[usageError](err), is[*outside.Refused](err):
		return exitUsage
	case knows:
		return own.ProgramExit()
	case refused(err), is[unreached](err), is[*outside.Error](err), is[*process.Error](err):
		return exitUnevaluated
	case ofLog && log.Reason != logs.Failure:
		return exitUsage
	}
	return exitFailure
}

// refused reports whether an error is that of a document or baseline which
// cannot be compared.
func refused(err error) bool { return is[*results.SchemaError](err) || is[*baseline.Refusal](err) }

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
