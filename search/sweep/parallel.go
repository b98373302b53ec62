package sweep

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/limitgauge/limitgauge/internal/parallel"
	"github.com/limitgauge/limitgauge/sim"
)

// Parallel calls do for items from 0 to n-1 on some workers, until one fails, and returns
// its error. memory is that of the machine in bytes; 0 means no limit. Each call is told how
// many workers and how much memory its run may have: one worker and its share. An item
// that needs more memory, so that do returns a *sim.Invalid, is done again after all
// others, alone and with everything.
func Parallel(ctx context.Context, n int, workers int, memory int64, do func(ctx context.Context, item, workers int, memory int64) error) error {
	var mu sync.Mutex
	var large []int
	err := parallel.Each(ctx, n, workers, func(ctx context.Context, item int) error {
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
