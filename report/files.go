package report

import (
	"bufio"
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
func WriteFile(path string, write func(io.Writer) error) (err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return fmt.Errorf("write %s: is a directory", path)
		}
		return writeDevice(path, write)
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	f, err := createBeside(path)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, cause(err, path))
	}
	defer func() {
		if err != nil {
			f.Close() // closing twice is harmless, and the first error is the one to report
			os.Remove(f.Name())
			err = fmt.Errorf("write %s: %w", path, cause(err, path))
		}
	}()
	if err := fill(f, write); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
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

func writeDevice(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	err = fill(f, write)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, cause(err, path))
	}
	return nil
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

func fill(f *os.File, write func(io.Writer) error) error {
	buffered := bufio.NewWriterSize(f, 64<<10)
	if err := write(buffered); err != nil {
		return err
	}
	return buffered.Flush()
}
