// Package workers has the jobs of commands run on other machines, and is the command that
// runs them there.
//
// The package makes no promise: it can change at any time.
package workers

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/cmd/sibling"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/search/jobs"
)

// Distribution holds the flags that say where a queue of jobs is.
type Distribution struct {
	jobs.Place
	away, silence string
}

// Flags adds the flags of a command whose jobs workers run.
func (d *Distribution) Flags(c *cobra.Command, what string) {
	f := c.Flags()
	f.StringVar(&d.On, "on", "", "have limitgauge worker run "+what+": `SERVER` is nats://HOST:PORT, or embedded[:PORT] for a server of NATS JetStream inside this command")
	f.StringVar(&d.Listen, "listen", "", "with --on embedded, listen on `ADDRESS` instead of this machine alone; workers then need credentials")
	f.StringVar(&d.Store, "store", "", "with --on embedded, keep the files of the server in `DIR`, instead of limitgauge/jetstream/PORT in the folder for caches of the user")
	f.StringVar(&d.silence, "silence", "5s", "with --on, give a job to another worker when its own was silent for `TIME`")
	d.connectionFlags(c)
}

// connectionFlags adds the flags that say how a server is reached.
func (d *Distribution) connectionFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVar(&d.Allow, "allow", nil, "with --on, a `HOST` other than this machine that may be connected to; may be given again")
	f.StringVar(&d.away, "away", "10min", "with --on, end when the server is away for `TIME`")
	f.StringVar(&d.Creds, "creds", "", "with --on, `FILE` with the credentials of a user of NATS; the variable NATS_CREDS unless given")
	f.StringVar(&d.NKey, "nkey", "", "with --on, `FILE` with the seed of an NKey; NATS_NKEY unless given")
	f.StringVar(&d.CA, "tls-ca", "", "with --on, `FILE` with the certificates that sign the server's; NATS_CA unless given")
	f.StringVar(&d.Cert, "tls-cert", "", "with --on, `FILE` with a certificate: the client's, or that of an embedded server; NATS_CERT unless given")
	f.StringVar(&d.Key, "tls-key", "", "with --on, `FILE` with the key of the certificate; NATS_KEY unless given")
}

// OnFlags are the flags that have no effect on what is computed.
var OnFlags = []string{"on", "listen", "store", "silence", "allow", "away", "creds", "nkey", "tls-ca", "tls-cert", "tls-key"}

// Check checks the flags. Without the service, limitgauge-live takes over.
func (d *Distribution) Check(h *terminal.Host, c *cobra.Command) error {
	if d.On == "" {
		if i := slices.IndexFunc(OnFlags, c.Flags().Changed); i >= 0 {
			return usage.Errorf("--%s needs --on", OnFlags[i])
		}
		return nil
	}
	if h.Own.Service == nil {
		path, err := sibling.Find()
		if err != nil {
			return usage.Errorf("--on %s: %w", "SERVER", err)
		}
		code, err := sibling.Start(path, os.Args[1:])
		return errors.Join(err, usage.Code(code))
	}
	for _, one := range []struct {
		flag, text  string
		to          *time.Duration
		least, most time.Duration
	}{{"--away", d.away, &d.Away, time.Second, 365 * 24 * time.Hour}, {"--silence", d.silence, &d.Silence, 500 * time.Millisecond, time.Hour}} {
		if one.text == "" {
			continue // a worker has no such flag
		}
		ns, err := usage.TimeFlag(one.flag, one.text, one.least, one.most)
		if err != nil {
			return err
		}
		*one.to = time.Duration(ns)
	}
	d.Lookup, d.Note = h.Lookup, noteLine(h)
	if err := h.Own.Service.Check(d.Place); err != nil { // also if no job needs a worker
		return onError(c.Context(), err)
	}
	return nil
}

// noteLine returns a function that writes a line on stderr. It is safe for concurrent use.
func noteLine(h *terminal.Host) func(format string, args ...any) {
	var mu sync.Mutex
	return func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(h.Err, "note: "+format+"\n", args...)
	}
}

// program identifies this program.
func program(h *terminal.Host) (p jobs.Program, err error) {
	p.Version, p.System = h.BuildStamp().Version, runtime.GOOS+"/"+runtime.GOARCH
	p.Hash, err = ProgramHash()
	return p, err
}

// open opens the queue of a command that group names. exec says that jobs start programs.
func (d *Distribution) open(ctx context.Context, h *terminal.Host, group jobs.Key, exec bool, seen func(int)) (jobs.Queue, error) {
	program, err := program(h)
	if err != nil {
		return nil, err
	}
	q, err := h.Own.Service.Open(ctx, d.Place, program, group, exec, seen)
	if err != nil {
		return nil, onError(ctx, err)
	}
	return q, nil
}

// onError returns the error of a queue that could not be opened.
func onError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	switch {
	case usage.Is[*jobs.Away](err):
		return err
	case usage.Is[*jobs.Other](err):
		return usage.Wrong(err)
	}
	return fmt.Errorf("--on: %w", usage.Unopened(err))
}

// Join returns what has workers run the jobs of a command that computes something of a
// file, if --on is given. Its queue is opened when the first jobs are there. exec says that
// the file starts programs. Close it at the end.
func (d *Distribution) Join(h *terminal.Host, command string, f *scenarios.File, exec bool, seen func(workers int)) (e jobs.Elsewhere) {
	if d.On == "" {
		return e
	}
	e.Exec = exec
	if exec {
		e.Nonce = strconv.FormatUint(rand.Uint64(), 36) // programs may have changed since an earlier command
	}
	group := jobs.Key(sha256.Sum256(append([]byte(command+"\n"), f.Effective()...)))
	e.Queue = &lateQueue{open: func(ctx context.Context) (jobs.Queue, error) { return d.open(ctx, h, group, exec, seen) }}
	return e
}

// lateQueue opens a queue when the first jobs are there. Until then it has none.
type lateQueue struct {
	open func(context.Context) (jobs.Queue, error)
	jobs.Elsewhere
}

// Run has the jobs of a round run.
func (q *lateQueue) Run(ctx context.Context, r jobs.Round) (err error) {
	if q.Queue == nil {
		if q.Queue, err = q.open(ctx); err != nil {
			return err
		}
	}
	return q.Queue.Run(ctx, r)
}
