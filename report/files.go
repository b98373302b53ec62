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

// WriteFile writes a file that is either whole or not there: write fills a
// temporary file beside it, which is renamed to path once all went well and
// removed otherwise; a file that was there before stays until then. Missing
// directories are made. A symbolic link is followed. A path that is there and
// is no regular file (a pipe, /dev/stdout) is written to directly.
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

// createBeside makes a temporary file next to path with the permissions that
// the file itself is to have: those it has, or what the umask leaves.
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

// cause is what went wrong with the file called path or with the temporary one
// beside it, without their names: the message names the file already, and a
// temporary one says nothing to anybody.
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
