//go:build unix

package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// runs reports whether a process of the group of p runs. One that was killed and
// that nobody has waited for counts as ended, where /proc tells.
func runs(p *Process) bool {
	group := p.process.Pid
	if syscall.Kill(-group, 0) == syscall.ESRCH {
		return false
	}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		text, _ := os.ReadFile(name) // PID (NAME) STATE PARENT GROUP ...
		_, after, _ := strings.Cut(string(text), ") ")
		var state string
		var parent, of int
		fmt.Sscan(after, &state, &parent, &of)
		if of == group && state != "Z" && state != "X" {
			return true
		}
	}
	return len(stats) == 0
}

// wasKilled waits for the end of a process and reports whether a signal ended it.
func wasKilled(p *Process) bool {
	<-p.exited
	return !p.state.Exited()
}
