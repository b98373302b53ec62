package parallel

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
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

// Items that take a second each take as many seconds as there are rounds of all workers.
func TestEachWorkers(t *testing.T) {
	for n := range 7 {
		for workers := 1; workers <= 8; workers++ {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				Each(t.Context(), n, workers, func(context.Context, int) error { time.Sleep(time.Second); return nil })
				if got, want := time.Since(began), time.Duration((n+workers-1)/workers)*time.Second; got != want {
					t.Errorf("%d items on %d workers take %v, want %v", n, workers, got, want)
				}
			})
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
	if err := Each(t.Context(), 2, 1, func(context.Context, int) error { runtime.Goexit(); return nil }); err != errExited {
		t.Errorf("an item that ends its goroutine: %v", err)
	}
	ended, end := context.WithCancelCause(t.Context())
	end(failed)
	if err := Each(ended, 1, 1, func(context.Context, int) error { t.Error("begun"); return nil }); err != failed {
		t.Error(err)
	}
}
