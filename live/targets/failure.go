package targets

import (
	"context"
	"errors"
	"io"
	"net"
	"syscall"
)

// Failure is the class of a failure in a few words, without addresses, keys or
// credentials. It is an error.
type Failure string

func (f Failure) Error() string { return string(f) }

// Unsent reports whether nothing was sent of a request that fails so: there was no
// connection.
func (f Failure) Unsent() bool {
	return f == refused || f == elsewhere || f == unresolved || f == NoStream
}

// NoStream is the failure of a call that found no connection, or no room on one.
const NoStream Failure = "no connection or stream"

const (
	refused    Failure = "connection refused"
	elsewhere  Failure = "host not allowed"
	unresolved Failure = "name not resolved"
)

// FailureOf returns the class of an error of a connection. It returns otherwise if
// the error has no class that is known here.
func FailureOf(err error, otherwise Failure) Failure {
	var (
		known   Failure
		waiting net.Error
		unnamed *net.DNSError
		far     *Elsewhere
	)
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, context.Canceled):
		return "interrupted"
	case errors.As(err, &far):
		return elsewhere
	case errors.As(err, &unnamed):
		return unresolved
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &waiting) && waiting.Timeout():
		return "timeout"
	case errors.Is(err, syscall.ECONNREFUSED):
		return refused
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connection reset"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return "connection closed"
	}
	return otherwise
}
