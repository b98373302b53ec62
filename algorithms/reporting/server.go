package reporting

import (
	"cmp"
	"fmt"
	"sync"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
)

// Server counts the reports of all clients. Rejected cost never counts against the
// limit, only as demand for [Config.RejectionRate]. It is safe for concurrent use. Use
// NewServer: methods of the zero Server return errors or do nothing.
//
// A key that is not reported for a minute, or ten intervals if that is longer, whose
// window is over or bucket full and of which no demand is estimated is answered as a new
// one. It is forgotten to make room: each new key looks at two others. Of a thousand keys or
// more, each takes 75 to 190 bytes and its name, and 65 more with RejectionRate. The largest
// report and its answer take 40 to 80 for each row.
type Server struct {
	mu     sync.Mutex
	config Config
	clock  clock
	keys   keys
	half   *batchreported.Server
	rows   []batchreported.ReportRow // of the latest report
	answer batchreported.Answer      // to it
}

// NewServer returns a server that has counted nothing. It returns an error if
// config.Check does, or if now is so far from 1970 that it has no int64 of nanoseconds, as
// before 1678 or after 2262: no window would begin at a multiple since 1970.
func NewServer(config Config, now time.Time) (*Server, error) {
	config, machine, err := config.machine()
	if err != nil {
		return nil, err
	}
	if !time.Unix(0, now.UnixNano()).Equal(now) {
		return nil, fmt.Errorf("reporting: construction at %v: want a time from 1678 to 2262", now)
	}
	window := int64(config.Window)
	at := (now.UnixNano()%window + window) % window
	half := batchreported.NewServer(machine, 0, at)
	reset := func(n int32) { half.Forget(at, n) } // to the state of a key that was never reported
	return &Server{config: config, clock: clock{start: now, at: at}, keys: newKeys(&config, half.Idle, reset), half: half}, nil
}

// Receive counts a report that arrives at now and returns the answer to it. If it returns
// an error, nothing is counted: the report has more rows than [Config.MaxKeys], a key
// without a byte, with more than 1,024 or not in UTF-8, or a cost outside 0 to
// [Config.MaxCost], or now is of another clock than the time of construction: over a minute
// before or 36 years after it. Reports may come from anywhere: no report makes it panic,
// exceed 64 bits or hold more keys. Bound the bytes that you read before you decode them,
// as with http.MaxBytesReader.
func (s *Server) Receive(now time.Time, r Report) (Answer, error) {
	if s.half == nil {
		return Answer{}, errZero
	}
	at, err := s.clock.ns(now)
	if err = cmp.Or(err, r.check(&s.config)); err != nil {
		return Answer{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows, s.answer.Rows = s.rows[:0], s.answer.Rows[:0]
	for i := range r.Rows {
		row := &r.Rows[i]
		if n, ok := s.keys.number(row.Key, at); ok {
			s.rows = append(s.rows, batchreported.ReportRow{Key: n, Hits: row.Admitted, Rejected: row.Rejected})
		}
	}
	s.half.ReceiveRows(at, at, s.rows)
	s.half.AnswerRows(at, s.rows, &s.answer)
	a := Answer{Sent: r.Sent, Uncounted: len(r.Rows) - len(s.rows), Rows: make([]AnswerRow, len(s.rows))}
	for i := range a.Rows {
		row := &s.answer.Rows[i]
		a.Rows[i] = AnswerRow{Key: s.keys.names[row.Key], RejectFor: time.Duration(row.Reject), RejectionRate: float64(row.RejectionRate) / rateUnits}
	}
	return a, nil
}

// Forget drops the counts of a key, with its debt, and reuses its memory for the next
// new key.
func (s *Server) Forget(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys.forget(key)
}

// Keys returns the number of keys that the server holds.
func (s *Server) Keys() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.keys.numbers)
}
