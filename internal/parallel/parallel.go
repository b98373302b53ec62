// Package parallel does work on several workers at a time.
package parallel

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// errExited is the error of an item that ended its goroutine.
var errExited = errors.New("a goroutine was ended before its work was done, as by t.FailNow and t.SkipNow")

// Each calls do for items from 0 to n-1 in order on some workers, until one fails or ends
// its goroutine, whose error it returns. The context of the others then ends.
func Each(ctx context.Context, n, workers int, do func(ctx context.Context, item int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(workers, n) {
		group.Go(func() {
			returned := false
			defer func() {
				if !returned {
					cancel(errExited)
				}
			}()
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := do(ctx, i); err != nil {
					cancel(err)
				}
			}
			returned = true
		})
	}
	group.Wait()
	return context.Cause(ctx)
}
