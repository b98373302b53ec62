// Command limitgauge simulates traffic against rate limiters and measures how
// accurate they are. See `limitgauge --help`.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/limitgauge/limitgauge/internal/cli"
)

// version is set by a release build with -ldflags "-X main.version=v1.2.3". Any
// other build uses the version that the go command recorded.
var version string

// patience is the time after a first signal in which further signals are
// ignored. timeout(1), for example, sends two at once.
const patience = time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() { time.AfterFunc(patience, stop) })
	code := cli.Run(ctx, os.Args[1:], cli.Host{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Lookup: os.LookupEnv, Version: version})
	stop()
	os.Exit(code)
}
