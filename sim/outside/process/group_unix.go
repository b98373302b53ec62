//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes the process the first of a new group, to which all belong that it
// starts. The signals of a terminal do not reach this group.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills the group of a process.
func killGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }
