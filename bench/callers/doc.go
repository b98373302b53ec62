// Package callers compares real clients with the waits and paces of algorithms/callers,
// which tests run in virtual time.
package callers
