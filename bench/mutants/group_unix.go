//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// mostMemory is more than any test of the product needs. A mutant that fills
// its memory in an endless loop fails before the machine does.
const mostMemory = 6 << 30

// limitMemory limits the data of this process and of each one that it starts.
func limitMemory() {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_DATA, &limit) == nil && limit.Cur > mostMemory {
		limit.Cur = mostMemory
		_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &limit)
	}
}

// together starts a command in a process group of its own, which ends as one.
func together(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// endTogether ends what the command has left behind.
func endTogether(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
