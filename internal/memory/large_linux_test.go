package memory

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// TestLargeIsAdvised checks that the system is asked for large pages for all whole pages of
// large tables, whatever their elements are.
func TestLargeIsAdvised(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Log("this system has no large pages")
		return
	}
	bytes, words, pairs := Large[byte](largeBytes), Large[int64](largeBytes/8+1), Large[[2]int64](largeBytes/8)
	maps := advised(t)
	for _, c := range []struct {
		name        string
		start, size uintptr
	}{
		{"bytes", uintptr(unsafe.Pointer(&bytes[0])), largeBytes},
		{"words", uintptr(unsafe.Pointer(&words[0])), largeBytes + 8},
		{"pairs", uintptr(unsafe.Pointer(&pairs[0])), 2 * largeBytes},
	} {
		page := uintptr(os.Getpagesize())
		for at := (c.start + page - 1) &^ (page - 1); at+page <= c.start+c.size; at += page {
			if !slices.ContainsFunc(maps, func(m [2]uintptr) bool { return m[0] <= at && at < m[1] }) {
				t.Errorf("%s: the page at %d of %d is not advised", c.name, at-c.start, c.size)
				break
			}
		}
	}
	runtime.KeepAlive(bytes)
	runtime.KeepAlive(words)
	runtime.KeepAlive(pairs)
}

// advised returns the ranges of addresses at which the system was asked for large pages.
func advised(t *testing.T) (maps [][2]uintptr) {
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	var m [2]uintptr
	for line := range strings.Lines(string(text)) {
		if flags, ok := strings.CutPrefix(line, "VmFlags:"); !ok {
			var from, to uintptr
			if n, _ := fmt.Sscanf(line, "%x-%x ", &from, &to); n == 2 {
				m = [2]uintptr{from, to}
			}
		} else if slices.Contains(strings.Fields(flags), "hg") {
			maps = append(maps, m)
		}
	}
	return maps
}
