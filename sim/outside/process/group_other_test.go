//go:build !unix

package process

// runs reports whether p runs.
func runs(p *Process) bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// wasKilled waits for the end of a process and reports whether it was killed, by its exit
// code: no limiter of the tests returns 1, except where it ends by itself.
func wasKilled(p *Process) bool {
	<-p.exited
	return p.state.ExitCode() == 1
}
