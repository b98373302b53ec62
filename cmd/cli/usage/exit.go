package usage

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/limitgauge/limitgauge/internal/format"

	"github.com/limitgauge/limitgauge/gauge/conformance"
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
	ExitOK          = 0
	ExitFailure     = 1
	ExitUsage       = 2
	ExitGateFailed  = 3
	ExitUnevaluated = 4
	ExitInterrupted = 130
	ExitReaderGone  = 141 // as shells report a program that SIGPIPE ended
)

// ExitCodes is the table of exit codes.
const ExitCodes = `Exit codes:
  0    success; the gate passed
  1    internal error or I/O failure
  2    wrong usage, invalid scenario or unusable log
  3    gate failed: a threshold does not hold; conformance: a verdict differs
  4    no verdict: no sample, threshold or baseline; interrupted; program failed
  130  interrupted: what is finished is written as partial, or nothing is
`

// Code ends the program with an exit code and prints nothing.
type Code int

func (e Code) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// Interrupted reports an interruption and what was written.
type Interrupted string

func (e Interrupted) Error() string { return string(e) }

// Explain prints an error and returns its exit code. It prints every
// joined error and returns the code of the first.
func Explain(w io.Writer, err error) int {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		code := ExitOK
		for _, e := range joined.Unwrap() {
			if c := Explain(w, e); code == ExitOK {
				code = c
			}
		}
		return code
	}
	var (
		code    Code
		invalid *sim.Invalid
	)
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &invalid):
		for _, p := range invalid.Problems {
			fmt.Fprintln(w, p)
		}
		fmt.Fprintf(w, "limitgauge: %s found; nothing was run\n", format.Count(len(invalid.Problems), "problem"))
		return ExitUsage
	case errors.Is(err, context.Canceled):
		err = Interrupted("interrupted")
	}
	fmt.Fprintf(w, "limitgauge: %v\n", err)
	return ExitCode(err)
}

// ExitCode returns the exit code of an error that prints its own text.
func ExitCode(err error) int {
	log, ofLog := errors.AsType[*logs.Error](err)
	elsewhere, ofJob := errors.AsType[*jobs.Failure](err)
	switch {
	case ofJob:
		return elsewhere.Code
	case Is[Interrupted](err):
		return ExitInterrupted
	case Is[usageError](err), Is[*outside.Refused](err):
		return ExitUsage
	case Refused(err), errors.Is(err, conformance.ErrWaits), Is[unreached](err), Is[*outside.Error](err), Is[*process.Error](err):
		return ExitUnevaluated
	case ofLog && log.Reason != logs.Failure:
		return ExitUsage
	}
	return ExitFailure
}

// Refused reports whether an error is that of a document or baseline which
// cannot be compared.
func Refused(err error) bool { return Is[*results.SchemaError](err) || Is[*baseline.Refusal](err) }

// Is reports whether an error is, or wraps, one of a type.
func Is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
