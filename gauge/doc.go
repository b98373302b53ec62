// Package gauge runs limiters that are written in Go in the scenarios of
// limitgauge: on the same traffic as the built-in limiters, in virtual time, with
// the same measures. A test with it takes milliseconds, and two runs give the same
// figures.
//
//	func TestMyLimiter(t *testing.T) {
//		gauge.Test(t, "testdata/limits.yaml", gauge.Use("mine", func(p gauge.Policy) gauge.Func {
//			l := mine.New(p.Rate(), p.Burst)
//			return func(_ time.Time, key string, _ int64) bool { return l.Allow(key) }
//		}))
//	}
//
// `limitgauge init` writes a scenario file, and docs/scenarios.md describes them. [Test]
// fails if an expectation of the file does not hold. [Run] returns the results document.
// Package cmd makes a limitgauge command that has the limiters.
//
// A limiter implements one of four interfaces: [Limiter] decides on arrival,
// [Reserver] returns how long the request must wait, [Waiter] blocks its caller, and
// [Acquirer] limits the requests in flight.
//
// A limiter that gets its time as an argument is called with virtual time. A limiter
// that reads the clock runs unchanged in a bubble of testing/synctest, in which
// time.Now, sleeps and timers are virtual. Test and Run find out which of the two a
// limiter is, and report a limiter that is neither.
package gauge
