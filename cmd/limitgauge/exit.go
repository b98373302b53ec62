package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
	"github.com/limitgauge/limitgauge/sim/trace"
)

// The exit codes. This table is the one that --help and the README show.
const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitGateFailed  = 3
	exitUnevaluated = 4
	exitInterrupted = 130
)

const exitCodes = `Exit codes:
  0    success; the gate passed
  1    internal error or I/O failure
  2    wrong usage, invalid scenario or unusable log
  3    gate failed: a threshold does not hold
  4    gate could not be evaluated: no samples, nothing expected, other schema
  130  interrupted: what is finished is written and marked partial
`

// usageError is wrong usage of the command line.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// invalidError is a scenario file with problems, one a line.
type invalidError struct{ problems []scenarios.Problem }

func (e invalidError) Error() string { return fmt.Sprintf("%d problems", len(e.problems)) }

// codeError ends the program with a code and says no more.
type codeError int

func (e codeError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// explainError prints an error and returns the exit code it means.
func explainError(w io.Writer, err error) int {
	var (
		code    codeError
		invalid invalidError
		engine  *sim.Invalid
		usage   usageError
		schema  *results.SchemaError
		log     *trace.Error
	)
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return int(code)
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(w, "limitgauge: interrupted")
		return exitInterrupted
	case errors.As(err, &invalid):
		printProblems(w, invalid.problems)
		return exitUsage
	case errors.As(err, &engine):
		printProblems(w, engine.Problems)
		return exitUsage
	case errors.As(err, &usage):
		fmt.Fprintf(w, "limitgauge: %v\n", err)
		return exitUsage
	case errors.As(err, &schema):
		fmt.Fprintf(w, "limitgauge: %v\n", err)
		return exitUnevaluated
	case errors.As(err, &log) && log.Reason != trace.Unreadable:
		fmt.Fprintf(w, "limitgauge: %v\n", err)
		return exitUsage
	case errors.Is(err, syscall.EPIPE):
		return exitFailure // nobody is reading any more
	}
	fmt.Fprintf(w, "limitgauge: %v\n", err)
	return exitFailure
}

func printProblems(w io.Writer, problems []scenarios.Problem) {
	for _, p := range problems {
		fmt.Fprintln(w, p)
	}
	noun := "problems"
	if len(problems) == 1 {
		noun = "problem"
	}
	fmt.Fprintf(w, "limitgauge: %d %s found; nothing was run\n", len(problems), noun)
}
