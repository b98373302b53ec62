//go:build !unix

package main

import "time"

var start = time.Now()

// processorTime returns wall time, because processor time is not available.
func processorTime() time.Duration { return time.Since(start) }
