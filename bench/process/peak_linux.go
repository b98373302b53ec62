package process

import (
	"os"
	"syscall"
)

// peakMB returns the largest resident set of a process that has ended.
func peakMB(p *os.ProcessState) float64 {
	return float64(p.SysUsage().(*syscall.Rusage).Maxrss) * 1024 / 1e6
}
