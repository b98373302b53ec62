package live_test

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/live"
)

// A bucket that many goroutines share, asked in real time for a second and a half.
func ExampleRun() {
	buckets, err := counter.NewKeyed[string](counter.Limit{Count: 100, Window: time.Second, Burst: 20}, counter.TokenBucket{}, 1000)
	if err != nil {
		panic(err)
	}
	document, err := live.Run(context.Background(), "testdata/limits.yaml", live.Func(func(_ context.Context, r live.Request) (live.Verdict, error) {
		return live.Verdict{Admit: buckets.Take(time.Now(), r.Key, r.Cost)}, nil
	}), live.Scenario("bucket"))
	if err != nil {
		panic(err)
	}
	var d struct {
		Results []struct {
			Algorithm string
			Live      struct{ Sender struct{ Sent int } }
		}
	}
	if err := json.Unmarshal(document, &d); err != nil {
		panic(err)
	}
	for _, r := range d.Results {
		if r.Algorithm == live.RowName {
			fmt.Println(r.Live.Sender.Sent, "requests were sent")
		}
	}
	// Output: 600 requests were sent
}
