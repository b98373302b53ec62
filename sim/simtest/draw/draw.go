// Package draw draws scenario files for property tests. It knows nothing of the
// simulator, so internal tests of sim can import it.
//
// The package makes no promise: it can change at any time.
package draw
