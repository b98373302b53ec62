//go:build unix

package sibling

import (
	"fmt"
	"os"
	"syscall"
)

// Start replaces this program by the one at a path, with the same arguments,
// environment and streams. It returns an error if it cannot. Nothing that this program
// should clean up may be left.
func Start(path string, args []string) (code int, err error) {
	err = syscall.Exec(path, append([]string{path}, args...), os.Environ())
	return 1, fmt.Errorf("start %s: %w", path, err)
}
