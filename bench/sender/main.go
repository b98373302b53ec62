// Command sender compares how precisely load generators send: that of `limitgauge
// live` and others, which it installs into a temporary folder. Each is a process of
// its own and sends to the same server in this process. Absolute figures depend on the
// machine and on its other load, so compare the ratios of one run.
//
//	cd bench && go run ./sender
//
// Then it finds the highest rate at which our sender keeps to its schedule.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if len(os.Args) > 1 && os.Args[1] == sendFlag {
		err = sendLoad(ctx, os.Stdout, os.Args[2:])
	} else {
		perS := flag.Int("rate", 2000, "requests per second")
		duration := flag.Duration("duration", 10*time.Second, "how long each sends in a round")
		rounds := flag.Int("rounds", 3, "how often each is measured")
		only := flag.String("only", "", "measure only the senders whose name contains this `WORD`; highest measures our highest good rate")
		flag.Parse()
		err = bench(ctx, os.Stdout, load{*perS, *duration}, *rounds, *only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sender:", err)
		os.Exit(1)
	}
}

func bench(ctx context.Context, w io.Writer, l load, rounds int, only string) error {
	if l.perS < 1 || l.duration < time.Second || rounds < 1 {
		return errors.New("want a rate and a number of rounds of at least 1, and a duration of at least 1s")
	}
	dir, err := os.MkdirTemp("", "limitgauge-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := listen()
	if err != nil {
		return err
	}
	defer s.listener.Close()
	var all []contestant
	if strings.Contains(ours().name, only) {
		all = append(all, ours())
	}
	for _, p := range peers {
		if strings.Contains(p.program, only) {
			all = append(all, p.contestant(ctx, dir))
		}
	}
	find := strings.Contains("highest", only)
	if len(all) == 0 && !find {
		return fmt.Errorf("nothing's name contains %q", only)
	}
	if len(all) > 0 {
		if err := compare(ctx, w, s, all, l, rounds); err != nil {
			return err
		}
	}
	if !find {
		return nil
	}
	return highest(ctx, w, s)
}
