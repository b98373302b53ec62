package bounds

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/send"
)

// stallFor is how long a real limiter of the study stands still.
const stallFor = 100 * time.Millisecond

// logging is a limiter in real time that logs its decisions. Whoever waits for the
// mutex waits while it stands still.
type logging struct {
	now          func() int64 // ns of a monotonic clock
	take         taker
	before, then []int64 // the decisions, by number, before and after which it stands still

	mu  sync.Mutex
	log []decision // in the order of their times
}

// decide decides one request of cost 1.
func (l *logging) decide(number int64) (admitted bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := int64(len(l.log))
	if slices.Contains(l.before, n) {
		time.Sleep(stallFor)
	}
	at := l.now()
	admitted = l.take(at, 1).Admitted()
	l.log = append(l.log, decision{at, 1, int(number), admitted})
	if slices.Contains(l.then, n) {
		time.Sleep(stallFor)
	}
	return admitted
}

// logged returns a run with the log of its limiter, whose time 0 was startNs after the
// start of the run. It returns an error if the log contradicts the answers: a request
// was decided twice, outside of its sending and its answer, or otherwise than answered.
func (s *studied) logged(r *send.Result, log []decision, startNs int64) (virtual, error) {
	width := s.limit.Window
	v := virtual{exchanges: r.Exchanges, decisions: slices.Clone(log), phase: ((s.begins+startNs)%width + width) % width}
	decided := make([]bool, len(r.Exchanges))
	for i := range v.decisions {
		d := &v.decisions[i]
		e := &r.Exchanges[d.of]
		d.at += startNs
		switch {
		case decided[d.of]:
			return v, fmt.Errorf("request %d was decided twice", d.of)
		case e.Verdict == exchange.NotSent:
			return v, fmt.Errorf("request %d was decided, but not sent", d.of)
		case d.at < e.SentNs || e.Verdict != exchange.Failed && d.at > e.AnsweredNs:
			return v, fmt.Errorf("request %d was decided at %d, sent at %d and answered at %d", d.of, d.at, e.SentNs, e.AnsweredNs)
		case e.Verdict != exchange.Failed && e.Admit != d.admitted:
			return v, fmt.Errorf("request %d: answered %v, decided %v", d.of, e.Admit, d.admitted)
		}
		decided[d.of] = true
	}
	for i, e := range r.Exchanges {
		if !decided[i] && (e.Verdict == exchange.Admitted || e.Verdict == exchange.Rejected) {
			return v, fmt.Errorf("request %d was answered, but not decided", i)
		}
	}
	return v, nil
}
