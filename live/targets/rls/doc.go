// Package rls asks a rate limit service of Envoy, over gRPC, whether requests are
// admitted. It is built with the tag network alone; targets.RLS declares it.
//
// The package makes no promise: it can change at any time.
package rls
