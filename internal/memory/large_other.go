//go:build !linux

package memory

import "unsafe"

// adviseLarge does nothing: the system is not asked for large pages.
func adviseLarge(unsafe.Pointer, uintptr) {}
