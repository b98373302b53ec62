//go:build !unix

package main

import "time"

var start = time.Now()

// processorTime is wall time where processor time is not to be had.
func processorTime() time.Duration { return time.Since(start) }
