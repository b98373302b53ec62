package memory

import "unsafe"

// largeBytes is the size from which a slice is worth large pages.
const largeBytes = 4 << 20

// Large returns a slice of n zero values for a table that is read in random order. Where
// the system has large pages, a table of 4 MB or more lies in them.
func Large[T any](n int) []T {
	s := make([]T, n)
	if bytes := uintptr(n) * unsafe.Sizeof(*new(T)); bytes >= largeBytes {
		adviseLarge(unsafe.Pointer(unsafe.SliceData(s)), bytes)
	}
	return s
}
