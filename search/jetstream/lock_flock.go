//go:build network && (darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package jetstream

import (
	"os"
	"path/filepath"
	"syscall"
)

// lockFolder locks a folder until unlock is called or the process ends, however it ends.
func lockFolder(dir string) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}
