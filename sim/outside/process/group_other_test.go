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
