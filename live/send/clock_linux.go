package send

import "golang.org/x/sys/unix"

// sleeper sleeps on the thread that made it.
type sleeper struct {
	clock     clock
	baseNs    int64 // of CLOCK_MONOTONIC at time 0 of the run
	precision string
}

// newSleeper prepares the calling thread, to which the goroutine must be locked.
func newSleeper(c clock) sleeper {
	s := sleeper{clock: c, precision: "clock_nanosleep with a timer slack of 1 ns, then spins for the last 60 us"}
	if err := unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0); err != nil {
		s.precision = "clock_nanosleep with the timer slack of the system, then spins for the last 60 us"
	}
	var t unix.Timespec
	unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) // cannot fail with this clock
	s.baseNs = t.Nano() - c.now()
	return s
}

// sleep sleeps until a time of the run. A signal can end it early.
func (s sleeper) sleep(_, untilNs int64) {
	t := unix.NsecToTimespec(s.baseNs + untilNs)
	unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &t, nil)
}
