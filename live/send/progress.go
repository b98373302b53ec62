package send

import "time"

// Progress is the state of a run.
type Progress struct {
	ElapsedNs int64 // time of the run; it can be negative at the start
	Planned   int64 // requests, as all counts
	Sent      int64
	InFlight  int64
	Admitted  int64
	Rejected  int64
	Failed    int64
	HeldBack  int64

	SentPerS   float64 // since the last call of Options.Progress; 0 if fewer are sent than then, because connections failed
	LatenessNs int64   // the largest since then
}

// report begins to call Options.Progress. The function that it returns ends that
// with a last call.
func (r *run) report() (end func()) {
	if r.Progress == nil {
		return func() {}
	}
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(r.ProgressEvery)
		defer tick.Stop()
		var last Progress
		for running := true; running; {
			select {
			case <-tick.C:
			case <-ended:
				running = false
			}
			r.mu.Lock()
			p := r.count
			r.count.LatenessNs = 0
			r.mu.Unlock()
			p.ElapsedNs = r.clock.now()
			if elapsed := p.ElapsedNs - max(last.ElapsedNs, 0); elapsed > 0 {
				p.SentPerS = float64(max(p.Sent-last.Sent, 0)) * 1e9 / float64(elapsed)
			}
			p.Planned = int64(len(r.exchanges))
			r.Progress(p)
			last = p
		}
	}()
	return func() {
		close(ended)
		<-done
	}
}
