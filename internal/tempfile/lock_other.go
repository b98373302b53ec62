//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package tempfile

import (
	"os"
	"runtime"
	"time"
)

func claim(*os.File) (unlock func(), ok bool) { return func() {}, true }

// removeFree removes a file that no process has open. Windows removes no open
// file; the age covers the moment between closing and renaming. On other systems
// without flock, nothing tells whether a process has the file open.
func removeFree(name string, info os.FileInfo) {
	if runtime.GOOS == "windows" && time.Since(info.ModTime()) > time.Minute {
		os.Remove(name)
	}
}
