//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package tempfile

import (
	"os"
	"syscall"
)

// claim locks a new file until unlock is called. It uses a descriptor of its own,
// because the file is closed before it is renamed. ok is false if another process
// has taken the file for one that was left behind, between its creation and now.
// Where there are no locks, no process gets one, so none removes the file.
func claim(f *os.File) (unlock func(), ok bool) {
	lock, err := os.OpenFile(f.Name(), os.O_RDWR, 0)
	if err != nil {
		return func() {}, !os.IsNotExist(err)
	}
	err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	own, ownErr := f.Stat()
	named, namedErr := os.Lstat(f.Name())
	if err == syscall.EWOULDBLOCK || ownErr != nil || namedErr != nil || !os.SameFile(own, named) {
		lock.Close()
		return nil, false
	}
	return func() { lock.Close() }, true
}

// removeFree removes a file if no process holds its lock.
func removeFree(name string, _ os.FileInfo) {
	f, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		os.Remove(name)
	}
}
