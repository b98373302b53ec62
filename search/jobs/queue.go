package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Round is a number of jobs that are answered together.
type Round struct {
	N int
	// Job returns job i. It is called again if the job must be put into the queue again.
	Job func(i int) (*Job, error)
	// Done takes the document of job i. Jobs end in no order, and several at a time. If it
	// returns ErrDamaged, the job runs again; any other error ends the round.
	Done func(i int, document []byte) error
}

// Queue gives jobs to workers.
type Queue interface {
	// Run runs the jobs of a round. It returns the first *Failure of a job, or the error of
	// ctx. Answers that workers gave to an earlier round or program run are taken.
	Run(ctx context.Context, r Round) error
	// Finish removes the answers, which nobody needs any more.
	Finish()
	// Close takes jobs that no worker has begun out of the queue, and ends the use of it.
	Close()
}

// Elsewhere has workers on other machines run jobs. With the zero value all run here.
type Elsewhere struct {
	Queue Queue  // nil: all run here
	Exec  bool   // the file starts programs
	Nonce string // if not empty, no answer to an earlier command may be taken
}

// Finish says that no jobs follow.
func (e *Elsewhere) Finish() {
	if e.Queue != nil {
		e.Queue.Finish()
	}
}

// Close ends the use of the queue.
func (e *Elsewhere) Close() {
	if e.Queue != nil {
		e.Queue.Close()
	}
}

// Place says where a queue is and how it is reached.
type Place struct {
	On      string        // the address of a server, nats://HOST:PORT, several with commas, or embedded[:PORT]
	Listen  string        // embedded: the address to listen on; "" is this machine alone
	Store   string        // embedded: the folder of the server's files
	Allow   []string      // hosts other than this machine that may be connected to
	Away    time.Duration // the server may be away for this long
	Silence time.Duration // a job whose worker is silent for this long is given to another one
	Creds   string        // file with the credentials of a user
	NKey    string        // file with the seed of an NKey
	CA      string        // file with certificates that sign the server's
	Cert    string        // file with a certificate, the client's, or that of an embedded server
	Key     string        // file with its key
	// Lookup returns a variable of the environment.
	Lookup func(name string) (string, bool)
	// Note tells the user something in a line.
	Note func(format string, args ...any)
}

// Work is what a worker does.
type Work struct {
	Runner *Runner
	Slots  int           // jobs at a time
	Idle   time.Duration // end after this time without a job; 0 means never
}

// Service reaches queues and workers on other machines.
type Service struct {
	// Check returns an error for a place that can be none, or that is of another machine
	// that is not allowed. It connects to nothing.
	Check func(at Place) error
	// Open opens a queue. group names the command, so that what an earlier run of it has
	// left is found. seen is told how many workers there are.
	Open func(ctx context.Context, at Place, program Program, group Key, exec bool, seen func(workers int)) (Queue, error)
	// Work takes jobs from a queue until ctx ends. It returns *Other if this program is not
	// the one whose jobs wait.
	Work func(ctx context.Context, at Place, program Program, w Work) error
}

// Away is the error of a server that was away for too long.
type Away struct {
	Time time.Duration
	Err  error
}

func (a *Away) Error() string {
	return fmt.Sprintf("the server was away for %s: %v", units.FormatDuration(int64(a.Time)), a.Err)
}

func (a *Away) Unwrap() error { return a.Err }
