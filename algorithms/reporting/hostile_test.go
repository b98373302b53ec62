package reporting

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// usual is a valid configuration with all parts of answers.
var usual = Config{Limit: 100, Window: time.Second, Interval: 100 * time.Millisecond, Debt: true, Burst: 50, RejectionRate: true, MaxKeys: 100}

func newServer(t testing.TB, c Config) *Server {
	t.Helper()
	s, err := NewServer(c, epoch)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newClient(t testing.TB, c Config) *Client {
	t.Helper()
	cl, err := NewClient(c, epoch)
	if err != nil {
		t.Fatal(err)
	}
	return cl
}

func TestConfigsThatAreErrors(t *testing.T) {
	for name, change := range map[string]func(c *Config){
		"Limit of 0":                func(c *Config) { c.Limit = 0 },
		"Limit of -1":               func(c *Config) { c.Limit = -1 },
		"Limit of 46116":            func(c *Config) { c.Limit = 1 << 62 },
		"Window of 0s":              func(c *Config) { c.Window = 0 },
		"Interval of 0s":            func(c *Config) { c.Interval = 0 },
		"Burst of -1":               func(c *Config) { c.Burst = -1 },
		"no effect without Debt":    func(c *Config) { c.Debt = false },
		"Burst of 0 admits nothing": func(c *Config) { c.Local, c.Burst = true, 0 },
		"MaxKeys of -1":             func(c *Config) { c.MaxKeys = -1 },
		"MaxCost of -1":             func(c *Config) { c.MaxCost = -1 },
		"more than 62 bits":         func(c *Config) { c.Burst, c.Limit, c.Window = 1<<40, 7, 1<<60 },
	} {
		c := usual
		change(&c)
		_, client := NewClient(c, epoch)
		_, server := NewServer(c, epoch)
		for _, err := range []error{c.Check(), client, server} {
			if err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: error %v", name, err)
			}
		}
	}
	if (Config{}).Check() == nil {
		t.Error("the zero Config is valid")
	}
	for _, c := range []Config{
		{Limit: 1_000_000, Window: 24 * time.Hour, Interval: time.Second, Debt: true, Burst: 10},
		{Limit: 1 << 40, Window: 1 << 60, Interval: math.MaxInt64, RejectionRate: true},
	} {
		if err := c.Check(); err != nil {
			t.Error(err)
		}
	}
}

// A server's windows begin at multiples since 1970, or it is not made.
func TestTimesOfConstruction(t *testing.T) {
	first, last := time.Unix(0, math.MinInt64), time.Unix(0, math.MaxInt64)
	for now, want := range map[time.Time]bool{
		{}: false, first.Add(-1): false, first: true, time.Unix(-1, 5): true, time.Unix(0, 0): true, epoch: true, last: true, last.Add(1): false,
		time.Unix(1e10, 3): false, time.Unix(1e12, 3): false, time.Unix(math.MaxInt64, 0): false, time.Unix(math.MinInt64, 0): false,
	} {
		s, err := NewServer(Config{Limit: 1, Window: 7919, Interval: 1}, now)
		if (err == nil) != want {
			t.Errorf("construction at %v: %v", now, err)
		}
		if err != nil {
			continue
		}
		a, err := s.Receive(now, Report{Rows: []ReportRow{{Key: "a", Admitted: 1}}})
		if err != nil || (now.UnixNano()+int64(a.Rows[0].RejectFor))%7919 != 0 && now.Before(last) {
			t.Errorf("constructed at %v: rejected for %v (%v)", now, a.Rows[0].RejectFor, err)
		}
	}
	if _, err := NewClient(usual, time.Time{}); err != nil {
		t.Errorf("a client has no windows: %v", err)
	}
}

func TestZeroValuesAreErrors(t *testing.T) {
	var c Client
	if ok, err := c.Decide(epoch, "key", 1); ok || err == nil {
		t.Error("a zero client decides")
	}
	if c.Apply(epoch, Answer{}) == nil || c.Resend(Report{}) == nil {
		t.Error("a zero client takes messages")
	}
	c.Flush(epoch)
	c.Forget("key")
	c.RetryAfter(epoch, "key")
	var s Server
	if _, err := s.Receive(epoch, Report{}); err == nil {
		t.Error("a zero server takes reports")
	}
	s.Forget("key")
}

// A refused report counts nothing: the next one is answered as if it were the first.
func TestAbsurdReports(t *testing.T) {
	for want, row := range map[string]ReportRow{
		"row 2 of a report: cost of 4611686018427387904": {Key: "a", Admitted: 1 << 62},
		"cost of -1 admitted":                            {Key: "a", Admitted: -1},
		"-9223372036854775808 rejected":                  {Key: "a", Rejected: math.MinInt64},
		"want 0 to 100000":                               {Key: "a", Rejected: 100_001},
		"key of 0 bytes":                                 {Admitted: 1},
		"key of 1025 bytes":                              {Key: strings.Repeat("a", 1025)},
		`key "\xff" is not UTF-8`:                        {Key: "\xff"},
	} {
		s := newServer(t, usual)
		_, err := s.Receive(epoch, Report{Rows: []ReportRow{{Key: "a", Admitted: 50}, row}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
		a, err := s.Receive(epoch, Report{Rows: []ReportRow{{Key: "a", Admitted: 50}}})
		if err != nil || a.Rows[0].RejectFor != 0 {
			t.Errorf("%s: a refused report has been counted: %v, %v", want, a, err)
		}
	}
	if _, err := newServer(t, usual).Receive(epoch, Report{Rows: make([]ReportRow, 101)}); err == nil {
		t.Error("a report has more rows than keys are held")
	}
}

func TestAbsurdAnswers(t *testing.T) {
	c := newClient(t, usual)
	c.Decide(epoch, "a", 1)
	now := epoch.Add(time.Second)
	c.Flush(now)
	for _, a := range []Answer{
		{Sent: -1}, {Sent: int64(time.Second) + 1}, {Sent: epoch.UnixNano()},
		{Rows: []AnswerRow{{Key: "a", RejectFor: -1}}},
		{Rows: []AnswerRow{{Key: "a", RejectionRate: 1}}},
		{Rows: []AnswerRow{{Key: "a", RejectionRate: math.NaN()}}},
	} {
		if err := c.Apply(now, a); err == nil {
			t.Errorf("%v is applied", a)
		}
	}
	if err := c.Apply(now, Answer{Rows: []AnswerRow{{Key: "unknown", RejectFor: 1}}}); err != nil || c.Keys() != 1 {
		t.Errorf("an answer about a forgotten key: %v, and %d keys", err, c.Keys())
	}
	if err := c.Apply(now, Answer{Rows: []AnswerRow{{Key: "a", RejectFor: math.MaxInt64}}}); err != nil || c.RetryAfter(now, "a") != time.Duration(longest) {
		t.Errorf("an answer for ever: %v, %v", err, c.RetryAfter(now, "a"))
	}
}

func TestAbsurdRequests(t *testing.T) {
	c := newClient(t, usual)
	for _, cost := range []int64{-1, math.MinInt64, 1 << 62, 100_001} {
		if ok, err := c.Decide(epoch, "a", cost); ok || err == nil {
			t.Errorf("a cost of %d is admitted", cost)
		}
	}
	for _, key := range []string{"", strings.Repeat("a", 1025), "\xff"} {
		if ok, err := c.Decide(epoch, key, 1); ok || err == nil {
			t.Errorf("key %q is admitted", key)
		}
	}
	if _, ok := c.Flush(epoch); ok {
		t.Error("a request with an error is counted")
	}
	s := newServer(t, usual)
	for _, now := range []time.Time{{}, time.Unix(1<<60, 0), time.Unix(-1<<60, 0), time.Unix(0, 0), epoch.Add(time.Duration(longest) + 1)} {
		_, decide := c.Decide(now, "a", 1)
		_, receive := s.Receive(now, Report{})
		if decide == nil || receive == nil || c.Apply(now, Answer{}) == nil {
			t.Errorf("a time of another clock, %v, is taken: %v, %v", now, decide, receive)
		}
		c.Flush(now)
		c.RetryAfter(now, "a")
	}
	if ok, err := c.Decide(epoch.Add(-time.Second), "a", 1); !ok || err != nil {
		t.Errorf("a time just before construction: %v, %v", ok, err)
	}
}

// FuzzReceive gives a server what a client may send. Whatever it is, the server holds
// at most its keys, and a new key keeps its limit.
func FuzzReceive(f *testing.F) {
	for _, text := range []string{
		`{"sent_ns":5,"rows":[{"key":"a","admitted":3},{"key":"b","rejected":7}]}`,
		`{"rows":[{"key":"a","admitted":4611686018427387904}]}`,
		`{"rows":[{"key":"a","admitted":100000,"rejected":100000},{"key":"a","admitted":100000}]}`,
		`{"sent_ns":-9223372036854775808,"rows":[{"admitted":-1}]}`,
		`{"rows":[{"key":"c"},{"key":"d"},{"key":"e"}]}`,
	} {
		f.Add([]byte(text), int64(1e9), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, after int64, debt bool) {
		var r Report
		if json.Unmarshal(text, &r) != nil {
			return
		}
		c := usual
		c.MaxKeys = 4
		if !debt {
			c.Debt, c.Burst = false, 0
		}
		s := newServer(t, c)
		after = int64(uint64(after) >> 4) // up to 36 years
		for range 3 {
			a, err := s.Receive(epoch.Add(time.Duration(after)), r)
			if err != nil {
				continue
			}
			if len(a.Rows)+a.Uncounted != len(r.Rows) || s.Keys() > 4 {
				t.Fatalf("%d rows counted and %d not, of %d; %d keys", len(a.Rows), a.Uncounted, len(r.Rows), s.Keys())
			}
			for _, row := range a.Rows {
				if row.RejectFor < 0 || row.RejectionRate < 0 || row.RejectionRate >= 1 {
					t.Fatalf("answer %v", row)
				}
			}
		}
		for _, row := range r.Rows {
			s.Forget(row.Key)
		}
		if s.Keys() > 0 {
			t.Fatalf("%d keys are left", s.Keys())
		}
		now := epoch.Add(time.Duration(after))
		if a, err := s.Receive(now, Report{Rows: []ReportRow{{Key: "new", Admitted: 50}}}); err != nil || a.Rows[0].RejectFor != 0 {
			t.Fatalf("a new key: %v, %v", a, err)
		}
		if a, err := s.Receive(now, Report{Rows: []ReportRow{{Key: "new", Admitted: 51}}}); err != nil || a.Rows[0].RejectFor <= 0 {
			t.Fatalf("a new key above its limit: %v, %v", a, err)
		}
	})
}

// FuzzApply gives a client what a server may answer: it never panics, and the client
// goes on counting.
func FuzzApply(f *testing.F) {
	for _, text := range []string{
		`{"sent_ns":5,"rows":[{"key":"a","reject_for_ns":3000000000},{"key":"b","rejection_rate":0.5}]}`,
		`{"rows":[{"key":"a","reject_for_ns":9223372036854775807,"rejection_rate":0.9999999999999999}]}`,
		`{"sent_ns":1000000000,"rows":[{"key":"a","rejection_rate":1e-320}]}`,
	} {
		f.Add([]byte(text), int64(1e9))
	}
	f.Fuzz(func(t *testing.T, text []byte, after int64) {
		var a Answer
		if json.Unmarshal(text, &a) != nil {
			return
		}
		c := newClient(t, usual)
		at := epoch
		for range 3 {
			c.Decide(at, "a", 3)
			c.Flush(at)
			at = at.Add(max(time.Duration(after), 0))
			c.Apply(at, a)
			if wait := c.RetryAfter(at, "a"); wait < 0 {
				t.Fatalf("retry after %v", wait)
			}
		}
		c.Decide(at, "a", 3)
		if r, ok := c.Flush(at); !ok || r.Rows[0].Admitted+r.Rows[0].Rejected != 3 {
			t.Fatalf("%v after %s", r, text)
		}
	})
}

// One time of another clock neither prolongs later answers nor waits.
func TestAbsurdTimeOfFlush(t *testing.T) {
	c := newClient(t, usual)
	c.Decide(epoch, "a", 1)
	c.Flush(time.Unix(1<<60, 0))
	now := epoch.Add(time.Second)
	c.Decide(now, "a", 1)
	r, _ := c.Flush(now)
	if err := c.Apply(now, Answer{Sent: r.Sent, Rows: []AnswerRow{{Key: "a", RejectFor: time.Second}}}); err != nil || c.RetryAfter(now, "a") != time.Second {
		t.Errorf("rejected for %v (%v) after an answer of 1s", c.RetryAfter(now, "a"), err)
	}
	if d := c.RetryAfter(epoch.Add(-time.Hour), "a"); d != 0 {
		t.Errorf("a wait of %v at a time of another clock", d)
	}
}

// A report that is sent again does not keep its keys for ever, whatever time it has.
func TestAbsurdTimeOfResend(t *testing.T) {
	c := newClient(t, usual)
	if err := c.Resend(Report{Sent: math.MaxInt64, Rows: []ReportRow{{Key: "a", Admitted: 1}}}); err != nil {
		t.Fatal(err)
	}
	now := epoch.Add(time.Hour)
	c.Flush(now)
	now = now.Add(time.Hour)
	c.Decide(now, "b", 1)
	if c.Keys() != 1 {
		t.Errorf("%d keys are held, of which one is idle", c.Keys())
	}
}
