package parallel

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

func TestEach(t *testing.T) {
	var done [100]atomic.Int64
	if err := Each(t.Context(), len(done), 4, func(_ context.Context, i int) error { done[i].Add(1); return nil }); err != nil {
		t.Fatal(err)
	}
	for i := range done {
		if n := done[i].Load(); n != 1 {
			t.Errorf("item %d was done %d times", i, n)
		}
	}
}

// The first error is returned, ends the context of the others and starts no further item.
func TestEachStops(t *testing.T) {
	failed := errors.New("failed")
	var begun atomic.Int64
	err := Each(t.Context(), 100, 2, func(ctx context.Context, i int) error {
		begun.Add(1)
		if i == 1 {
			return failed
		}
		<-ctx.Done()
		return ctx.Err()
	})
	if err != failed || begun.Load() != 2 {
		t.Errorf("%v after %d items", err, begun.Load())
	}
	ended, end := context.WithCancelCause(t.Context())
	end(failed)
	if err := Each(ended, 1, 1, func(context.Context, int) error { t.Error("begun"); return nil }); err != failed {
		t.Error(err)
	}
}
