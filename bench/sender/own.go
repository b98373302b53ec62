package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"time"

	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/send"
	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/live/targets/http"
	"github.com/limitgauge/limitgauge/sim/results"
)

// sendFlag makes this program the sender: it sends a load to a URL and writes the
// outcome.
const sendFlag = "-send"

// load is a constant rate for a time.
type load struct {
	perS     int
	duration time.Duration
}

func (l load) requests() int { return int(int64(l.perS) * int64(l.duration) / 1e9) }

// outcome is what our sender knows of its run.
type outcome struct {
	Sender results.LiveSender
	Failed int // requests without an answer
}

// good reports whether the sender kept to its schedule.
func (o outcome) good(l load) bool {
	return send.Late(&o.Sender, 1e9) == "" && o.Failed == 0 && o.Sender.Sent == int64(l.requests())
}

// lateness returns what the sender recorded itself.
func (o outcome) lateness() figures {
	q := o.Sender
	return figures{float64(q.LatenessP50Ns) / 1e3, float64(q.LatenessP99Ns) / 1e3, float64(q.LatenessMaxNs) / 1e3, int(q.Sent)}
}

// ours is our sender as a contestant.
func ours() contestant {
	return contestant{name: "limitgauge", send: func(ctx context.Context, url string, l load) (*figures, error) {
		o, err := own(ctx, url, l)
		recorded := o.lateness()
		return &recorded, err
	}}
}

// own runs our sender in a process of its own.
func own(ctx context.Context, url string, l load) (o outcome, err error) {
	program, err := os.Executable()
	if err != nil {
		return o, err
	}
	c := exec.CommandContext(ctx, program, sendFlag, url, fmt.Sprint(l.perS), l.duration.String())
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return o, err
	}
	return o, json.Unmarshal(out, &o)
}

// sendLoad sends the load that the arguments state: URL, rate and duration.
func sendLoad(ctx context.Context, w io.Writer, args []string) error {
	var l load
	if len(args) != 3 {
		return fmt.Errorf("%d arguments: want URL, rate and duration", len(args))
	}
	if _, err := fmt.Sscan(args[1], &l.perS); err != nil {
		return err
	}
	var err error
	if l.duration, err = time.ParseDuration(args[2]); err != nil {
		return err
	}
	log.SetOutput(io.Discard) // net/http writes there when an answer comes after its request was given up
	target, err := http.Kind().Open(ctx, &targets.Setting{Addresses: args[:1], Clients: 1, Lookup: os.LookupEnv}, nil)
	if err != nil {
		return err
	}
	defer target.Close()
	all := make([]exchange.Exchange, l.requests())
	for k := range all {
		all[k] = exchange.Exchange{
			Request: exchange.Request{Number: int64(k), IntendedNs: int64(k) * 1e9 / int64(l.perS), Cost: 1},
			Answer:  exchange.Plain(false), SentNs: exchange.Unstated, AnsweredNs: exchange.Unstated,
		}
	}
	r, err := send.Run(ctx, all, target, send.Options{})
	if err != nil {
		return err
	}
	o := outcome{Sender: r.Sender}
	for i := range r.Exchanges {
		if r.Exchanges[i].Verdict == exchange.Failed {
			o.Failed++
		}
	}
	return json.NewEncoder(w).Encode(o)
}
