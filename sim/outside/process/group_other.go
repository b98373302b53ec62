//go:build !unix

package process

import (
	"os"
	"os/exec"
)

// Without groups, only the process itself is killed.
func ownGroup(*exec.Cmd)    {}
func killGroup(*os.Process) {}
