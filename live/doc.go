// Package live measures a real limiter from Go: it sends the requests of a scenario at
// their times, and says what the answers prove about the limiter. Each figure is
// certified or possible, and the truth is between the two. The algorithms of the
// scenario are simulated on the requests as they were sent.
//
//	func TestMyLimiter(t *testing.T) {
//		limiter := mine.New(100, time.Second)
//		live.Test(t, "testdata/limits.yaml", live.Func(func(ctx context.Context, r live.Request) (live.Verdict, error) {
//			return live.Verdict{Admit: limiter.Allow(r.Key)}, nil
//		}))
//	}
//
// A function is called in real time, so that a test lasts as long as its scenario, and
// two runs differ. A limiter whose time can be virtual is better tested with package
// gauge. docs/live.md describes what is printed, docs/live-bounds.md what it means.
package live
