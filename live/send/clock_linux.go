package send

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// sleeper sleeps until a time of the run.
type sleeper struct {
	clock     clock
	baseNs    int64 // of CLOCK_MONOTONIC at time 0 of the run
	precision string
}

func newSleeper(c clock) sleeper {
	s := sleeper{clock: c, precision: "clock_nanosleep with a timer slack of 1 ns, then spins for the last 60 us"}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := setSlack(1); err != nil {
		s.precision = "clock_nanosleep with the timer slack of the system, then spins for the last 60 us"
	}
	setSlack(standardSlack)
	var t unix.Timespec
	unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) // cannot fail with this clock
	s.baseNs = t.Nano() - c.now()
	return s
}

// sleep sleeps until a time of the run. A signal can end it early. The timer slack of
// the thread is as before then.
func (s sleeper) sleep(_, untilNs int64) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	setSlack(1)
	t := unix.NsecToTimespec(s.baseNs + untilNs)
	unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &t, nil)
	setSlack(standardSlack)
}

// standardSlack stands for the slack that a thread starts with.
const standardSlack = 0

// setSlack sets by how much the system may delay the timers of this thread.
func setSlack(ns uintptr) error { return unix.Prctl(unix.PR_SET_TIMERSLACK, ns, 0, 0, 0) }
