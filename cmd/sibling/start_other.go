//go:build !unix

package sibling

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// Start runs the program at a path with the same arguments, environment and streams
// and returns its exit code, or an error if it cannot. An interrupt from the terminal
// reaches both programs; this one must wait.
func Start(path string, args []string) (code int, err error) {
	c := exec.Command(path, args...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = c.Run()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		return ended.ExitCode(), nil
	}
	if err != nil {
		return 1, fmt.Errorf("start %s: %w", path, err)
	}
	return 0, nil
}
