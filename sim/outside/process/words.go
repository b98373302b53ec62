package process

import (
	"errors"
	"fmt"

	"github.com/kballard/go-shellquote"
)

// Words splits a command line into a program and its arguments, as a shell does,
// without expanding anything.
func Words(line string) ([]string, error) {
	words, err := shellquote.Split(line)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%q: %w", line, err)
	case len(words) == 0:
		return nil, errors.New("names no program")
	}
	return words, nil
}
