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

	mu      sync.Mutex
	log     []decision // in the order of their times
	numbers []int64    // of the requests
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
	l.log = append(l.log, decision{at: at, cost: 1, admitted: admitted})
	l.numbers = append(l.numbers, number)
	if slices.Contains(l.then, n) {
		time.Sleep(stallFor)
	}
	return admitted
}

// logged returns a run with the log of its limiter, whose time 0 was startNs after the
// start of the run. It returns an error if the log contradicts the answers: a request
// was decided twice, outside of its sending and its answer, or otherwise than answered.
func (s *studied) logged(r *send.Result, log []decision, numbers []int64, startNs int64) (virtual, error) {
	width := s.limit.Window
	v := virtual{exchanges: r.Exchanges, decisions: slices.Clone(log), phase: ((s.phase+startNs)%width + width) % width}
	decided := make([]bool, len(r.Exchanges))
	for i := range v.decisions {
		d, e := &v.decisions[i], &r.Exchanges[numbers[i]]
		d.at += startNs
		switch {
		case decided[numbers[i]]:
			return v, fmt.Errorf("request %d was decided twice", numbers[i])
		case e.Verdict == exchange.NotSent:
			return v, fmt.Errorf("request %d was decided, but not sent", numbers[i])
		case d.at < e.SentNs || e.Verdict != exchange.Failed && d.at > e.AnsweredNs:
			return v, fmt.Errorf("request %d was decided at %d, sent at %d and answered at %d", numbers[i], d.at, e.SentNs, e.AnsweredNs)
		case e.Verdict != exchange.Failed && e.Admit != d.admitted:
			return v, fmt.Errorf("request %d: answered %v, decided %v", numbers[i], e.Admit, d.admitted)
		}
		decided[numbers[i]] = true
	}
	for i, e := range r.Exchanges {
		if !decided[i] && (e.Verdict == exchange.Admitted || e.Verdict == exchange.Rejected) {
			return v, fmt.Errorf("request %d was answered, but not decided", i)
		}
	}
	return v, nil
}
