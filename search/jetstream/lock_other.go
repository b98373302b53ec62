//go:build network && !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package jetstream

// lockFolder does nothing: the port of the server is taken by one program alone, and each
// port has a folder of its own.
func lockFolder(string) (unlock func(), err error) { return func() {}, nil }
