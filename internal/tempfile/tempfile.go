// Package tempfile creates temporary files that do not stay behind: RemoveAll
// removes those of this process, and Create those of processes that were killed.
package tempfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// File is an open temporary file. Remove or Rename ends it. Both may run at the
// same time as RemoveAll.
type File struct {
	*os.File
	unlock func()
}

// ErrEnding is the error of Create after RemoveAll.
var ErrEnding = errors.New("the program is ending")

// live holds the files that have a temporary name.
var live struct {
	sync.Mutex
	files  map[*File]bool
	swept  map[string]bool // folders
	number int             // of the next file
	ending bool
}

// Create creates an empty file in a folder, with the permissions that the umask
// leaves of mode. When it first creates a file in a folder, it removes those that
// killed processes have left there.
func Create(dir string, mode os.FileMode) (*File, error) {
	live.Lock()
	defer live.Unlock()
	if live.ending {
		return nil, ErrEnding
	}
	if live.files == nil {
		live.files, live.swept = map[*File]bool{}, map[string]bool{}
	}
	if !live.swept[dir] {
		live.swept[dir] = true
		sweep(dir)
	}
	const most = 1000 // names that another process has taken
	for range most {
		name := filepath.Join(dir, nameOf(live.number))
		live.number++
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		unlock, ok := claim(f)
		if !ok {
			f.Close()
			continue
		}
		file := &File{f, unlock}
		live.files[file] = true
		return file, nil
	}
	return nil, fmt.Errorf("%s: no free name for a temporary file", dir)
}

// Remove removes the name of the file, which may be open where the system permits
// it. Once it is removed or renamed, Remove does nothing.
func (f *File) Remove() error {
	live.Lock()
	defer live.Unlock()
	if !live.files[f] {
		return nil
	}
	err := os.Remove(f.Name())
	if err == nil {
		f.gone()
	}
	return err
}

// Rename gives the file, which is closed, its final name, in the same folder or
// another one of the same file system. It replaces a file of that name.
func (f *File) Rename(path string) error {
	live.Lock()
	defer live.Unlock()
	if live.ending {
		return ErrEnding
	}
	err := os.Rename(f.Name(), path)
	if err == nil {
		f.gone()
	}
	return err
}

// gone ends the protection of a name that is no longer there.
func (f *File) gone() {
	delete(live.files, f)
	f.unlock()
}

// RemoveAll removes all files that have a temporary name. It is for the end of the
// process: from then on writing to these files and creating others fails.
func RemoveAll() {
	live.Lock()
	defer live.Unlock()
	live.ending = true
	for f := range live.files {
		f.Close() // Windows removes no open file
		os.Remove(f.Name())
	}
}
