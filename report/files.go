// Package report writes the plots of a results document as PNG files, and other
// files whole or not at all. Its subpackages render tables, figures, HTML pages,
// verdicts and comparisons.
package report

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// WriteFile writes a file that is either whole or absent. write fills a temporary
// file beside path, which replaces path on success and is removed on failure.
// Until then an existing file stays unchanged. Missing directories are created.
// Symbolic links are followed. If path exists and is not a regular file (a pipe,
// /dev/stdout), WriteFile writes to it directly.
func WriteFile(path string, write func(io.Writer) error) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	put := replaceFile
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		put = writeDevice
	}
	if err := put(path, write); err != nil {
		return fmt.Errorf("write %s: %w", path, cause(err, path))
	}
	return nil
}

func writeDevice(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return fill(f, write)
}

func replaceFile(path string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := createBeside(path)
	if err != nil {
		return err
	}
	err = fill(f, write)
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// createBeside creates a temporary file next to path. It has the permissions of
// path, or those that the umask leaves if path does not exist.
func createBeside(path string) (*os.File, error) {
	mode := os.FileMode(0o666)
	info, statErr := os.Stat(path)
	for n := 0; ; n++ {
		name := fmt.Sprintf("%s.%d.%d%s", path, os.Getpid(), n, temporary)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, os.ErrExist) && n < 1000 {
			continue
		}
		if err == nil && statErr == nil {
			if err := f.Chmod(info.Mode().Perm()); err != nil {
				f.Close()
				os.Remove(name)
				return nil, err
			}
		}
		return f, err
	}
}

// cause removes the names of path and of the temporary file from an error. The
// message already names path, and the temporary name does not help a user.
func cause(err error, path string) error {
	own := func(name string) bool {
		return name == path || strings.HasPrefix(name, path+".") && strings.HasSuffix(name, temporary)
	}
	var one *os.PathError
	var two *os.LinkError
	switch {
	case errors.As(err, &one) && own(one.Path):
		return one.Err
	case errors.As(err, &two) && own(two.Old):
		return two.Err
	}
	return err
}

const temporary = ".tmp" // the end of a temporary file's name

// fill writes a file and closes it, also after an error.
func fill(f *os.File, write func(io.Writer) error) error {
	buffered := bufio.NewWriterSize(f, 64<<10)
	err := write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	return cmp.Or(err, f.Close())
}
