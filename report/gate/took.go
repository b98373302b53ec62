package gate

import "time"

// Took holds how long the run behind a gate took, by the wall clock. It is zero if
// the gate judged a results document and ran nothing. It is not part of any
// verdict: two gates of the same file differ in it.
type Took struct {
	Run       time.Duration
	Scenarios map[string]time.Duration // shares of Run, which add up to it
}
