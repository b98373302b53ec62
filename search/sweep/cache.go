package sweep

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/limitgauge/limitgauge/internal/tempfile"
)

// Key names the document of a cell: a SHA-256 of all that the document depends on.
type Key [sha256.Size]byte

// Cache keeps documents of cells. It is safe for concurrent use.
type Cache interface {
	has(Key) bool
	get(Key) ([]byte, error) // errAbsent if there is no such document, or a damaged one
	put(Key, []byte) error
	// Close ends the use of the cache.
	Close() error
}

// errAbsent reports a document that is not in the cache.
var errAbsent = errors.New("not in the cache")

// folder is a cache in a folder, with a file for each document. A file is whole or
// absent, also after the process was killed. Processes may share a folder.
type folder struct {
	dir  string
	most int64 // bytes; see trim
}

// OpenCache returns a cache in a folder, which it creates. Close then removes the
// documents that were not used for the longest time, until the folder takes at most
// most bytes. Documents that were used within a day stay.
func OpenCache(dir string, most int64) (Cache, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return &folder{dir, most}, nil
}

// Close trims the folder.
func (c *folder) Close() error {
	if err := c.trim(time.Now()); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	return nil
}

// path returns the file of a document. A folder holds those with the same first byte.
func (c *folder) path(k Key) string {
	name := hex.EncodeToString(k[:])
	return filepath.Join(c.dir, name[:2], name[2:]+extension)
}

// extension ends the names of files. A file holds the SHA-256 of a document in
// hexadecimal digits, a newline, and the document.
const extension = ".cell"

// has also marks the document as used. The time of a file says when it was used, to
// an hour.
func (c *folder) has(k Key) bool {
	info, err := os.Stat(c.path(k))
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if now := time.Now(); now.Sub(info.ModTime()) > time.Hour {
		os.Chtimes(c.path(k), now, now) // where this fails, the folder is not trimmed either
	}
	return true
}

func (c *folder) get(k Key) ([]byte, error) {
	text, err := os.ReadFile(c.path(k))
	if errors.Is(err, os.ErrNotExist) {
		return nil, errAbsent
	}
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	sum, document, _ := bytes.Cut(text, []byte("\n"))
	if string(sum) != sumOf(document) {
		return nil, errAbsent
	}
	return document, nil
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func (c *folder) put(k Key, document []byte) error {
	path := c.path(k)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	f, err := tempfile.Create(c.dir, 0o666)
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	defer f.Remove() // nothing once it is renamed
	_, err = f.Write(append([]byte(sumOf(document)+"\n"), document...))
	if err = errors.Join(err, f.Close()); err == nil {
		err = f.Rename(path)
	}
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	return nil
}
