package report

import (
	"os"
	"path/filepath"
)

// Target returns the absolute path of the file that writing to path creates or
// replaces. It follows symbolic links, also to files and folders that do not exist.
func Target(path string) string {
	const mostLinks = 100 // then it is a circle, and writing fails
	for range mostLinks {
		dir, name := filepath.Split(path)
		path = filepath.Join(realFolder(dir), name)
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Dir(path) + string(filepath.Separator) + to // Join would resolve .. before links
		}
		path = to
	}
	return path
}

// realFolder returns the absolute path of a folder without symbolic links. Elements
// that do not exist stay as they are.
func realFolder(dir string) string {
	if dir == "" {
		dir = "."
	}
	if whole, err := filepath.Abs("."); err == nil && !filepath.IsAbs(dir) {
		dir = whole + string(filepath.Separator) + dir
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	dir = filepath.Clean(dir)
	parent := filepath.Dir(dir)
	if parent == dir {
		return dir
	}
	return filepath.Join(realFolder(parent), filepath.Base(dir))
}
