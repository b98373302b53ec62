package cli

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/tempfile"
	"github.com/limitgauge/limitgauge/sim/outside/process"
)

// patience is the time after a first signal in which further signals are
// ignored. timeout(1), for example, sends two at once.
const patience = time.Second

// Process runs the program with the arguments and streams of the process, handles
// its signals and returns its exit code. version is that of a release build.
func Process(version string, own terminal.Own) int {
	return inProcess(terminal.Host{Version: version, Own: own})
}

// inProcess runs the program on a host that has the rest from the process.
func inProcess(h terminal.Host) int {
	defer leaveNothing() // also after a panic
	terminal.LimitMemory()
	ctx, stop := interrupts()
	defer stop()
	log.SetOutput(io.Discard) // net/http logs there what it makes of late answers, which are counted
	h.In, h.Out, h.Err, h.Lookup = os.Stdin, os.Stdout, os.Stderr, os.LookupEnv
	return Run(ctx, os.Args[1:], h)
}

// interrupts returns a context that ends at the first SIGINT, SIGTERM or SIGHUP. If
// another one comes after patience, the process ends at once. SIGQUIT and SIGABRT
// end it as they do by default. No signal leaves a temporary file or a limiter that
// is another program.
//
// SIGPIPE does not end the process: when the reader of standard output has gone,
// the requested files are still written.
func interrupts() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	polite := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup(1) asks for
		polite = append(polite, syscall.SIGHUP)
	}
	abrupt := []os.Signal{syscall.SIGQUIT, syscall.SIGABRT}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, slices.Concat(polite, abrupt)...)
	signal.Ignore(syscall.SIGPIPE)
	go func() {
		var first time.Time
		for s := range signals {
			switch {
			case slices.Contains(abrupt, s):
				leaveNothing()
				raise(s)
			case first.IsZero():
				first = time.Now()
				cancel()
			case time.Since(first) > patience:
				leaveNothing()
				os.Exit(usage.ExitInterrupted)
			}
		}
	}()
	return ctx, cancel
}

// leaveNothing removes temporary files and ends the limiters that are other programs.
func leaveNothing() {
	process.KillAll()
	tempfile.RemoveAll()
}

// raise sends the process a signal, which has its default action again.
func raise(s os.Signal) {
	signal.Reset(s)
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		p.Signal(s)
	}
}
