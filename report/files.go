// Package report writes the plots of a results document as PNG files, and other
// files whole or not at all. Its subpackages render tables, figures, HTML pages,
// verdicts and comparisons.
//
// The package makes no promise: it can change at any time.
package report

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/limitgauge/limitgauge/internal/tempfile"
)

// WriteFile writes a file that is either whole or absent. write fills a temporary
// file in the folder of path, which replaces path on success and is removed on
// failure. Until then an existing file stays unchanged. Missing directories are
// created. Symbolic links are followed. If path exists and is not a regular file (a
// pipe), or names standard output or standard error, WriteFile writes to it directly.
func WriteFile(path string, write func(io.Writer) error) error {
	put := func() error { return replaceFile(Target(path), write) }
	if stream := Stream(path); stream != nil {
		put = func() error { return fill(keptOpen{stream}, write) }
	} else if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		put = func() error { return writeDevice(path, write) }
	}
	if err := put(); err != nil {
		return fmt.Errorf("write %s: %w", path, cause(err, path))
	}
	return nil
}

// Stream returns the standard stream that a path names, or nil. Behind it may be a
// file, to which a shell has redirected the stream; that one is not replaced.
func Stream(path string) *os.File {
	switch path {
	case "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		return os.Stdout
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2":
		return os.Stderr
	}
	return nil
}

// keptOpen is a file that stays open.
type keptOpen struct{ io.Writer }

func (keptOpen) Close() error { return nil }

func writeDevice(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return fill(f, write)
}

func replaceFile(path string, write func(io.Writer) error) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	mode := os.FileMode(0o666)
	old, statErr := os.Stat(path)
	if statErr == nil {
		mode = old.Mode().Perm()
	}
	f, err := tempfile.Create(dir, mode)
	if err != nil {
		return err
	}
	defer f.Remove() // also after a panic; nothing is left to remove once it is renamed
	if statErr == nil {
		if err := f.Chmod(mode); err != nil {
			f.Close()
			return err
		}
	}
	if err := fill(f, write); err != nil {
		return err
	}
	return f.Rename(path)
}

// cause removes the name of the file from an error. The message already names the
// path that the user gave, and a temporary name does not help.
func cause(err error, path string) error {
	own := func(name string) bool { return name == path || tempfile.IsName(filepath.Base(name)) }
	if one, ok := errors.AsType[*os.PathError](err); ok && own(one.Path) {
		return one.Err
	}
	if two, ok := errors.AsType[*os.LinkError](err); ok && own(two.Old) {
		return two.Err
	}
	return err
}

// fill writes a file and closes it, also after an error.
func fill(f io.WriteCloser, write func(io.Writer) error) error {
	buffered := bufio.NewWriterSize(f, 64<<10)
	err := write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	return cmp.Or(err, f.Close())
}
