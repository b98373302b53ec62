package terminal

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

// FreeMemory returns how many bytes the program may use: the available memory,
// limited by the control group. It returns 0 if that is unknown, as on systems
// other than Linux.
func FreeMemory() int64 {
	available, _ := os.ReadFile("/proc/meminfo") // both are empty on systems without them
	bound, _ := os.ReadFile("/sys/fs/cgroup/memory.max")
	return freeMemory(string(available), string(bound))
}

// freeMemory returns nine tenths of what the texts of both files say, or 0 if they say
// nothing.
func freeMemory(available, bound string) int64 {
	free := int64(math.MaxInt64)
	for line := range strings.Lines(available) {
		words := strings.Fields(line)
		if len(words) >= 2 && words[0] == "MemAvailable:" {
			if kib, err := strconv.ParseInt(words[1], 10, 64); err == nil {
				free = kib << 10
			}
		}
	}
	if n, err := strconv.ParseInt(strings.TrimSpace(bound), 10, 64); err == nil {
		free = min(free, n)
	}
	if free == math.MaxInt64 {
		return 0
	}
	return free / 10 * 9
}

// LimitMemory has runs and readers of logs end with an error before the process holds more
// than the free memory, unless GOMEMLIMIT says how much it may hold.
func LimitMemory() {
	free := FreeMemory()
	if _, set := os.LookupEnv("GOMEMLIMIT"); !set && free > 0 {
		debug.SetMemoryLimit(free)
	}
}

// Calm makes the garbage collector run less often until end is called. Commands with
// many short simulations fill a small heap all the time; memory that is never touched,
// and so never taken from the machine, lets it grow by as much between two collections.
func Calm() (end func()) {
	idle := make([]byte, 48<<20)
	return func() { runtime.KeepAlive(idle) }
}
