package engine

// ReportLog writes the reports of one trial, each with its end, in the order in
// which they were sent. It keeps reports from the first one without an end on.
type ReportLog struct {
	write func(*Report)
	kept  []*Report
	sent  int64
}

// NewReportLog returns a log that passes each report to write.
func NewReportLog(write func(*Report)) *ReportLog { return &ReportLog{write: write} }

// Report is a client's report to a server, and the answer to it. Times are in ns;
// NotYet is the time of an event that has not happened.
type Report struct {
	Number      int64 // counts from 1 in the order of sending; parts have the number of the whole
	Client      int32
	Server      int32
	Sent        int64
	ClientClock int64 // what the client's clock showed at Sent
	Arrived     int64 // at the server
	Applied     int64 // by the client
	Outcome     ReportOutcome
	Duplicate   bool // a second copy on the network
	Resent      bool // the client gave it up and added its counts to its next report
	Rows        []ReportedRow

	parts []*Report
	ended bool
}

// ReportedRow holds a report's counts of one key, and the answer about the key.
type ReportedRow struct {
	Key           int32
	Hits          int64 // cost admitted
	Rejected      int64 // cost rejected
	Computed      int64 // when the counts were added and the answer was computed
	RejectTil     int64 // the time until which to reject, by the server's clock; NotYet if the answer has none
	RejectFor     int64 // how long to reject from Applied on, in ns; NotYet if the answer has none
	RejectionRate int64 // in units of 2^-32; NotYet if the answer has none
}

// NotYet is a time that has not come, and a number that an answer does not have.
const NotYet = -1

// ReportOutcome is what became of a report.
type ReportOutcome uint8

const (
	ReportInFlight      ReportOutcome = iota // the run ended before
	ReportApplied                            // the client applied the answer
	ReportLost                               // it did not arrive
	ReportRefused                            // no server took it
	ReportAnswerLost                         // it was counted, and the answer did not arrive
	ReportClientStopped                      // the answer found no client
)

func (o ReportOutcome) String() string {
	return [...]string{"in-flight", "applied", "lost", "refused", "answer-lost", "client-stopped"}[o]
}

// Send adds a report that a client has just sent.
func (l *ReportLog) Send(r *Report) {
	l.sent++
	r.Number = l.sent
	l.kept = append(l.kept, r)
}

// Split adds a part of a report with an end of its own: a duplicate, or rows that
// go elsewhere.
func (l *ReportLog) Split(whole, part *Report) {
	part.Number, part.parts = whole.Number, nil
	whole.parts = append(whole.parts, part)
}

// End states that nothing more happens to a report, and writes what now has no
// unended report before it.
func (l *ReportLog) End(r *Report) {
	r.ended = true
	n := 0
	for n < len(l.kept) && l.kept[n].hasEnded() {
		l.pass(l.kept[n])
		l.kept[n] = nil
		n++
	}
	l.kept = l.kept[n:]
}

// Close writes the reports without an end.
func (l *ReportLog) Close() {
	for _, r := range l.kept {
		l.pass(r)
	}
	l.kept = nil
}

func (l *ReportLog) pass(r *Report) {
	l.write(r)
	for _, part := range r.parts {
		l.pass(part)
	}
}

func (r *Report) hasEnded() bool {
	for _, part := range r.parts {
		if !part.hasEnded() {
			return false
		}
	}
	return r.ended
}
