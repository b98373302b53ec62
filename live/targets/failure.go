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
		return "host not allowed"
	case errors.As(err, &unnamed):
		return "name not resolved"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &waiting) && waiting.Timeout():
		return "timeout"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connection reset"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return "connection closed"
	}
	return otherwise
}
