// Command limitgauge simulates traffic against rate limiters and measures how
// accurate they are. See `limitgauge --help`.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// patience is the time after a first signal in which further signals are
// ignored. timeout(1), for example, sends two at once.
const patience = time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() { time.AfterFunc(patience, stop) })
	code := run(ctx, os.Args[1:], stdio{in: os.Stdin, out: os.Stdout, err: os.Stderr}, os.LookupEnv)
	stop()
	os.Exit(code)
}
