package memory

import (
	"syscall"
	"unsafe"
)

// adviseLarge asks the system to hold a range of memory in pages of 2 MB: a program that
// reads it in random order then misses fewer translations, and takes 512 times fewer page
// faults. A system that cannot, or must not, ignores the request.
func adviseLarge(start unsafe.Pointer, bytes uintptr) {
	page := uintptr(syscall.Getpagesize())
	lead := -uintptr(start) & (page - 1) // up to the next page
	if bytes >= lead+page {
		_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Add(start, lead)), (bytes-lead)&^(page-1)), syscall.MADV_HUGEPAGE)
	}
}
