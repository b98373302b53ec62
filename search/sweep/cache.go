package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/limitgauge/limitgauge/internal/tempfile"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
)

// Key names the document of a cell: a SHA-256 of all that the document depends on.
type Key [sha256.Size]byte

// Cache keeps documents of cells in a folder, a file for each. A file is whole or
// absent, also after the process was killed. Processes may share a folder.
type Cache struct {
	dir  string
	temp bool
}

// errAbsent reports a document that is not in the cache.
var errAbsent = errors.New("not in the cache")

// OpenCache returns a cache in a folder, which it creates.
func OpenCache(dir string) (*Cache, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return &Cache{dir: dir}, nil
}

// TemporaryCache returns a cache in a folder of its own, which Close removes.
func TemporaryCache() (*Cache, error) {
	dir, err := os.MkdirTemp("", "limitgauge-sweep-")
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return &Cache{dir: dir, temp: true}, nil
}

// Close removes a temporary cache.
func (c *Cache) Close() error {
	if c.temp {
		return os.RemoveAll(c.dir)
	}
	return nil
}

// path returns the file of a document. A folder holds those with the same first byte.
func (c *Cache) path(k Key) string {
	name := hex.EncodeToString(k[:])
	return filepath.Join(c.dir, name[:2], name[2:]+".json")
}

func (c *Cache) has(k Key) bool {
	info, err := os.Stat(c.path(k))
	return err == nil && info.Mode().IsRegular() && info.Size() > 0
}

// get returns a document, or errAbsent.
func (c *Cache) get(k Key) ([]byte, error) {
	text, err := os.ReadFile(c.path(k))
	if errors.Is(err, os.ErrNotExist) {
		return nil, errAbsent
	}
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return text, nil
}

// put writes a document.
func (c *Cache) put(k Key, document []byte) error {
	path := c.path(k)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	f, err := tempfile.Create(filepath.Dir(path), 0o666)
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	defer f.Remove() // nothing once it is renamed
	_, err = f.Write(document)
	if err = errors.Join(err, f.Close()); err == nil {
		err = f.Rename(path)
	}
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	return nil
}

// logSums hashes logs, each once.
type logSums struct {
	mu   sync.Mutex
	sums map[string][]byte // by name of the file
}

// of returns the SHA-256 of each log that a file reads.
func (l *logSums) of(f *scenarios.File) (sums [][]byte, err error) {
	for i := range f.Scenarios {
		for j := range f.Scenarios[i].Traffic {
			t := &f.Scenarios[i].Traffic[j]
			if t.Pattern != "trace" {
				continue
			}
			o, err := logs.OptionsFrom(t.Options, f.Dir)
			if err != nil {
				return nil, err
			}
			files, err := logs.Expand(o.Files)
			if err != nil {
				return nil, err
			}
			for _, name := range files {
				sum, err := l.sum(name)
				if err != nil {
					return nil, err
				}
				sums = append(sums, sum)
			}
		}
	}
	return sums, nil
}

func (l *logSums) sum(name string) ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if sum := l.sums[name]; sum != nil {
		return sum, nil
	}
	if name == "-" {
		return nil, &logs.Error{Reason: logs.BadOptions, Message: "a sweep cannot read a log from standard input: name a file"}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if l.sums == nil {
		l.sums = map[string][]byte{}
	}
	l.sums[name] = hash.Sum(nil)
	return l.sums[name], nil
}
