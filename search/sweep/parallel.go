package sweep

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/limitgauge/limitgauge/sim"
)

// Parallel calls do for each item on some workers, until one fails, and returns its
// error. memory is that of the machine in bytes; 0 means no limit. Each call is told how
// many workers and how much memory its run may have: one worker and its share. An item
// that needs more memory, so that do returns a *sim.Invalid, is done again after all
// others, alone and with everything.
func Parallel(ctx context.Context, items []int, workers int, memory int64, do func(ctx context.Context, item, workers int, memory int64) error) error {
	var mu sync.Mutex
	var large []int
	err := parallel(ctx, items, workers, func(ctx context.Context, item int) error {
		err := do(ctx, item, 1, memory/int64(workers))
		if errors.As(err, new(*sim.Invalid)) && memory > 0 && workers > 1 {
			mu.Lock()
			defer mu.Unlock()
			large = append(large, item)
			return nil
		}
		return err
	})
	slices.Sort(large)
	for _, item := range large {
		if err != nil {
			break
		}
		err = do(ctx, item, workers, memory)
	}
	return err
}

func parallel(ctx context.Context, items []int, workers int, do func(context.Context, int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(workers, len(items)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(items) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := do(ctx, items[i]); err != nil {
					cancel(err)
				}
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}
