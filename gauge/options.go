package gauge

import "time"

// Option changes how a row's limiters are made and called.
type Option func(*settings)

// PerClient gives each client of the scenario's topology a limiter of its own. Each
// receives the whole limit and Policy.Clients, so that it can take its share.
func PerClient() Option { return func(s *settings) { s.perClient = true } }

// PerKey gives each key a limiter of its own, made when the key is first used: for
// limiters that know no keys.
func PerKey() Option { return func(s *settings) { s.perKey = true } }

// TakesNow states that the limiters take their time from the argument alone, so that
// they need no bubble. Without it, this is found out.
func TakesNow() Option { return func(s *settings) { s.clock = argument } }

// ReadsClock states that the limiters read the clock of package time, also if they
// seem not to: they run in a bubble.
func ReadsClock() Option { return func(s *settings) { s.clock = bubbled } }

// InTurn makes calls one after another, in the order of arrival. Use it for limiters
// that sleep while they hold a mutex: overlapping calls would stop virtual time. Without
// it, calls during which virtual time passes overlap.
func InTurn() Option { return func(s *settings) { s.turns = inTurn } }

// InTurnByKey makes calls with the same key one after another.
func InTurnByKey() Option { return func(s *settings) { s.turns = inTurnByKey } }

// MaxWait bounds how long a request waits, and how long the reference shaper lets it
// wait that the row is compared with. Without it, or with 0, there is no bound. The
// context of a Waiter ends after it. A request for which a Reserver returns a longer delay
// is rejected, and the reservation stays: a Reserver that can avoid it reads
// Policy.MaxWait.
func MaxWait(d time.Duration) Option { return func(s *settings) { s.maxWait = d } }

// Draws states that the limiters draw random numbers from Policy.Seed, so that
// replications differ and figures have an interval.
func Draws() Option { return func(s *settings) { s.draws = true } }

// As names the counter, such as "token-bucket", whose verdicts the limiter should give,
// and its options, such as "fill_interval=10ms" for "timer-bucket". Every verdict is
// compared with that of the exact counter. Test fails at the first difference. In Test, the
// time to retry after of a rejected request, if the limiter is a RetryAfterer, must not be
// before the one at which the counter admits the request; Conform compares verdicts alone.
//
// A Reserver or Waiter is compared with a queue, such as "leaky-bucket", or with
// "token-bucket", in which requests then wait for their tokens. Both reject a request that
// would wait longer than [MaxWait]. Its verdicts and the times at which requests go must be
// equal, but for Tolerance.
func As(counter string, options ...string) Option {
	return func(s *settings) { s.as, s.asOptions = counter, options }
}

// Tolerance permits verdicts to differ from those of As within d of the instant at
// which the exact verdict changes, 0 to 1 s: for limiters that count in floats.
func Tolerance(d time.Duration) Option { return func(s *settings) { s.tolerance = d } }

// Costs bounds the costs of calls in Conform, from least on, up to most. Without it they
// are those of scenarios, from 1 to 10^9, and other ones are a finding of their own.
func Costs(least, most int64) Option { return func(s *settings) { s.costs = [2]int64{least, most} } }

// Limits names the limits, windows and bursts under which Conform runs a row, instead of
// its own.
func Limits(policies ...Policy) Option { return func(s *settings) { s.limits = policies } }

// LeavesGoroutines accepts goroutines and tickers that the limiters do not stop. They
// stand still when the trial has ended, and their memory is lost. Without this option
// they are an error.
func LeavesGoroutines() Option { return func(s *settings) { s.leaves = true } }
