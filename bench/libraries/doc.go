// Package libraries measures limiters of Go libraries with package gauge, and
// compares each with what its documentation promises. Its test writes
// docs/libraries.md:
//
//	cd bench && go test ./libraries -run TestPage -update -timeout 30m
//
// Without -update the test checks a part of the page in seconds.
//
// Each library has a file: how a policy becomes its settings, how it is called,
// and the promise that its decisions are compared with.
package libraries
