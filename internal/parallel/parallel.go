// Package parallel does work on several workers at a time.
package parallel

import (
	"context"
	"sync"
	"sync/atomic"
)

// Each calls do for items from 0 to n-1 in order on some workers, until one fails, whose
// error it returns. The context of the others then ends.
func Each(ctx context.Context, n, workers int, do func(ctx context.Context, item int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(workers, n) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := do(ctx, i); err != nil {
					cancel(err)
				}
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}
