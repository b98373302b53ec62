// Package text reads the text of logs: it unpacks files, cuts them into lines and
// reads decimals exactly. It has the errors of everything that reads logs.
//
// The package makes no promise: it can change at any time.
package text

import (
	"errors"
	"fmt"
	"io/fs"
)

// Reason classifies an Error. It determines a command's exit code.
type Reason int

const (
	BadOptions Reason = iota // the options contradict each other or name something that does not exist
	BadInput                 // the input was read and has nothing usable
	Failure                  // a file could not be opened, read or written: an I/O failure
)

// Error describes why traffic could not be read.
type Error struct {
	Reason  Reason
	File    string // "" if it concerns no single file
	Line    int64  // from 1; 0 if it concerns no single line
	Message string
	Err     error // the cause, or nil
}

// Error returns where the error is, what is wrong, and the cause.
func (e *Error) Error() string {
	s := e.Message
	if e.Err != nil {
		if s != "" {
			s += ": "
		}
		s += e.Err.Error()
	}
	switch {
	case e.File != "" && e.Line > 0:
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, s)
	case e.File != "":
		return e.File + ": " + s
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// NotOpened returns the error of a file that cannot be opened. A missing file, a
// directory and a Foreign one are wrong options; anything else is an I/O failure.
func NotOpened(name string, err error) *Error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Error{Reason: BadOptions, File: name, Message: "no such file"}
	case errors.Is(err, ErrDirectory):
		return &Error{Reason: BadOptions, File: name, Err: err}
	}
	if _, ok := errors.AsType[*Foreign](err); ok {
		return &Error{Reason: BadOptions, Err: err} // it names the file
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		name = "" // the error names it
	}
	return &Error{Reason: Failure, File: name, Message: "reading traffic", Err: err}
}

// ErrDirectory is the error for a directory where a file is expected.
var ErrDirectory = errors.New("is a directory: name the files in it (in a shell: DIR/*)")

// WrongOptions returns an Error for options that cannot be followed.
func WrongOptions(format string, args ...any) *Error {
	return &Error{Reason: BadOptions, Message: fmt.Sprintf(format, args...)}
}
