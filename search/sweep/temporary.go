package sweep

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/limitgauge/limitgauge/internal/tempfile"
)

// temporary is a cache for one sweep: a temporary file with all documents, one after
// the other.
type temporary struct {
	file *tempfile.File

	mu    sync.Mutex
	end   int64
	place map[Key]span
}

// span is the place of a document in the file.
type span struct{ from, to int64 }

// TemporaryCache returns a cache in a temporary file, which Close removes. After a
// kill, the next temporary file removes it.
func TemporaryCache() (Cache, error) {
	f, err := tempfile.Create(os.TempDir(), 0o600)
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return &temporary{file: f, place: map[Key]span{}}, nil
}

// Close removes the file.
func (c *temporary) Close() error { return errors.Join(c.file.Close(), c.file.Remove()) }

func (c *temporary) has(k Key) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.place[k]
	return ok
}

func (c *temporary) get(k Key) ([]byte, error) {
	c.mu.Lock()
	at, ok := c.place[k]
	c.mu.Unlock()
	if !ok {
		return nil, errAbsent
	}
	document := make([]byte, at.to-at.from)
	if _, err := c.file.ReadAt(document, at.from); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return document, nil
}

func (c *temporary) put(k Key, document []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := span{c.end, c.end + int64(len(document))}
	if _, err := c.file.WriteAt(document, at.from); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	c.end, c.place[k] = at.to, at
	return nil
}
