//go:build !linux

package send

import "time"

// sleeper sleeps with the timers of the Go runtime.
type sleeper struct {
	clock     clock
	precision string
}

func newSleeper(c clock) sleeper {
	return sleeper{c, "time.Sleep: this system has no sleep of higher precision that limitgauge uses, sends may be late by a millisecond or more"}
}

// sleep sleeps from now until a time of the run.
func (s sleeper) sleep(nowNs, untilNs int64) { time.Sleep(time.Duration(untilNs - nowNs)) }
