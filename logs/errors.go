package logs

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
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

func (e *Error) Unwrap() error { return e.Err }

// notOpened returns the error of a file that cannot be opened. A missing file, a
// directory and zstd are wrong options; anything else is an I/O failure.
func notOpened(name string, err error) *Error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Error{Reason: BadOptions, File: name, Message: "no such file"}
	case errors.Is(err, errDirectory):
		return &Error{Reason: BadOptions, File: name, Err: err}
	}
	if _, ok := errors.AsType[*Zstd](err); ok {
		return &Error{Reason: BadOptions, Err: err} // it names the file
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		name = "" // the error names it
	}
	return &Error{Reason: Failure, File: name, Message: "reading traffic", Err: err}
}

// errDirectory is the error for a directory where a file is expected.
var errDirectory = errors.New("is a directory, want a file")

func badOptions(format string, args ...any) *Error {
	return &Error{Reason: BadOptions, Message: fmt.Sprintf(format, args...)}
}

// flaw describes an error in one record: the reason and the affected text. It
// is a plain value, so that a file with a million malformed lines causes no
// formatting.
type flaw struct {
	why  string
	text []byte // nil if why is sufficient
}

func (f flaw) bad() bool { return f.why != "" }

// shown is the length in bytes to which a message shortens the text of a
// malformed record.
const shown = 60

func (f flaw) String() string {
	if f.text == nil {
		return f.why
	}
	return f.why + ": " + quote(f.text)
}

// quote returns a text for a message.
func quote(t []byte) string {
	if len(t) > shown {
		return strconv.QuoteToGraphic(string(t[:shown])) + "..."
	}
	return strconv.QuoteToGraphic(string(t))
}
