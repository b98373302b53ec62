package sweep

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestTrim checks that the documents that were not used for the longest time go, until
// the rest fits, and nothing else.
func TestTrim(t *testing.T) {
	dir := t.TempDir()
	document := make([]byte, 1000)
	opened := cacheIn(t, dir)
	keys := make([]Key, 5)
	for i := range keys {
		keys[i] = sha256.Sum256([]byte{byte(i)})
		if err := opened.put(keys[i], document); err != nil {
			t.Fatal(err)
		}
		if i > 0 { // the first one was put today
			at := time.Now().Add(-time.Duration(20+i) * 24 * time.Hour)
			if err := os.Chtimes(opened.(*folder).path(keys[i]), at, at); err != nil {
				t.Fatal(err)
			}
		}
	}
	other := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(other, document, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		most int64
		left []int
	}{
		{1 << 20, []int{0, 1, 2, 3, 4}},
		{4000, []int{0, 1, 4}}, // 4 is marked as used before
		{0, []int{0, 4}},
	} {
		opened.has(keys[4])
		cache, err := OpenCache(dir, c.most)
		if err == nil {
			err = cache.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		next := 0
		for i, k := range keys {
			_, err := cache.get(k)
			want := next < len(c.left) && c.left[next] == i
			if want {
				next++
			}
			if want != (err == nil) || !want && !errors.Is(err, errAbsent) {
				t.Errorf("at most %d bytes: document %d: %v, want %v", c.most, i, err, want)
			}
		}
	}
	if _, err := os.Stat(other); err != nil {
		t.Error("another file is gone")
	}
}

// TestCacheIsAMap compares a cache with a map: it returns the newest document of each key, also
// an empty one, and nothing for the others.
func TestCacheIsAMap(t *testing.T) {
	cache := cacheIn(t, t.TempDir())
	want := map[Key]string{}
	for i := range 40 {
		key := Key{byte(i * i % 7)}
		want[key] = strings.Repeat(string(rune('a'+i)), i*5%9)
		if err := cache.put(key, []byte(want[key])); err != nil {
			t.Fatal(err)
		}
		for k := range byte(8) {
			document, err := cache.get(Key{k})
			text, ok := want[Key{k}]
			if string(document) != text || cache.has(Key{k}) != ok || ok && err != nil || !ok && !errors.Is(err, errAbsent) {
				t.Fatalf("after document %d: key %d: %q, %v, want %q", i, k, document, err, text)
			}
		}
	}
}

// TestDamaged changes each byte of a file of the cache: no change may be believed.
func TestDamaged(t *testing.T) {
	cache := cacheIn(t, t.TempDir())
	key := Key{1}
	if err := cache.put(key, []byte("document\n")); err != nil {
		t.Fatal(err)
	}
	path := cache.(*folder).path(key)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range text {
		text[i] ^= 1
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		if document, err := cache.get(key); !errors.Is(err, errAbsent) {
			t.Errorf("with byte %d changed: %q, %v", i, document, err)
		}
		text[i] ^= 1
	}
}

// full is a cache that takes some documents and then has no space for others.
type full struct {
	Cache
	takes atomic.Int64
}

func (c *full) put(k Key, document []byte) error {
	if c.takes.Add(-1) < 0 {
		return &fs.PathError{Op: "write", Path: "cell", Err: syscall.ENOSPC}
	}
	return c.Cache.put(k, document)
}

// TestFullCache checks that a sweep whose cache is full, and one without a cache, finish
// with the same document. Only the first says so, once. Both end if they cannot hold the
// rest in memory.
func TestFullCache(t *testing.T) {
	want, _ := swept(t, file, Options{Cache: cacheIn(t, t.TempDir())})
	for takes := range int64(3) {
		cache := &full{Cache: cacheIn(t, t.TempDir())}
		cache.takes.Store(takes)
		var said []error
		o := Options{Cache: cache, Unkept: func(err error) { said = append(said, err) }}
		if got, _ := swept(t, file, o); got != want {
			t.Errorf("a cache for %d documents: the document differs", takes)
		}
		if len(said) != 1 || !errors.Is(said[0], syscall.ENOSPC) {
			t.Errorf("a cache for %d documents: said %v", takes, said)
		}
		if _, cached := swept(t, file, Options{Cache: cache.Cache}); cached != takes {
			t.Errorf("%d documents are in a cache for %d", cached, takes)
		}
	}
	if got, _ := swept(t, file, Options{Unkept: func(err error) { t.Errorf("without a cache: said %v", err) }}); got != want {
		t.Error("without a cache: the document differs")
	}
	for cache, why := range map[Cache]error{&full{Cache: cacheIn(t, t.TempDir())}: syscall.ENOSPC, nil: errNoCache} {
		s, _ := prepared(t, file, Options{Cache: cache})
		s.room = 1000
		if err := s.Run(context.Background()); !errors.Is(err, why) || !strings.Contains(err.Error(), "make space") {
			t.Errorf("without memory for documents: %v, want %v", err, why)
		}
	}
}

// TestFailedPut checks that a document which cannot be stored leaves no file behind, and that
// others can be stored after it.
func TestFailedPut(t *testing.T) {
	dir := t.TempDir()
	cache := cacheIn(t, dir)
	key := Key{1, 2}
	path := cache.(*folder).path(key)
	if err := os.MkdirAll(filepath.Join(path, "in the way"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := cache.put(key, []byte("document")); err == nil {
		t.Error("a document is stored where a folder is")
	}
	if _, err := cache.get(key); err == nil {
		t.Error("a folder is read as a document")
	}
	if found, _ := filepath.Glob(filepath.Join(dir, ".*")); len(found) > 0 {
		t.Errorf("left: %v", found)
	}
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	for _, document := range []string{"document", "another"} {
		if err := cache.put(key, []byte(document)); err != nil {
			t.Fatal(err)
		}
		if got, err := cache.get(key); err != nil || string(got) != document {
			t.Errorf("%q, %v", got, err)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o444 == 0 {
		t.Errorf("others cannot read the document: %v, %v", info, err)
	}
}
