package sweep

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// recent is the time for which documents stay after their last use, so that no sweep
// loses those that it has begun with.
const recent = 24 * time.Hour

// used is a file of the cache.
type used struct {
	path string
	size int64
	at   time.Time
}

// trim removes the files that were not used for the longest time, until the folder
// takes at most its size. It touches no other files.
func (c *folder) trim(now time.Time) error {
	var files []used
	var size int64
	names, err := filepath.Glob(filepath.Join(c.dir, "[0-9a-f][0-9a-f]", "*"+extension))
	if err != nil {
		return err
	}
	for _, name := range names {
		info, err := os.Lstat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue // another process has removed it
		}
		size += info.Size()
		if now.Sub(info.ModTime()) > recent {
			files = append(files, used{name, info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(files, func(a, b used) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.path, b.path)) })
	for _, f := range files {
		if size <= c.most {
			break
		}
		if err := os.Remove(f.path); err != nil && !os.IsNotExist(err) {
			return err
		}
		size -= f.size
	}
	return nil
}
