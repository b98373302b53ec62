// Package sibling finds and starts limitgauge-live, the program that contains what
// limitgauge does not: what needs large libraries.
//
// The package makes no promise: it can change at any time.
package sibling

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Name is the name of the program.
const Name = "limitgauge-live"

// Install is the command that installs it.
const Install = "go install -tags network github.com/limitgauge/limitgauge/cmd/limitgauge-live@latest"

// Find returns the path of the program: beside this one, or else on PATH. If it is in
// neither place, the error names the command that installs it.
func Find() (path string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	return find(self)
}

func find(self string) (path string, err error) {
	name := Name
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if resolved, err := filepath.EvalSymlinks(self); err == nil {
		self = resolved
	}
	path, err = exec.LookPath(filepath.Join(filepath.Dir(self), name))
	if err != nil {
		path, err = exec.LookPath(Name)
	}
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return "", fmt.Errorf("%s is neither beside this program nor on PATH; install it with\n  %s", Name, Install)
	}
	return path, err
}
