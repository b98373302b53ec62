package libraries

import (
	"context"
	"time"

	"github.com/sethvargo/go-limiter"
	"github.com/sethvargo/go-limiter/memorystore"

	"github.com/limitgauge/limitgauge/gauge"
)

func sethvargo() library {
	return library{
		name: "sethvargo", module: "github.com/sethvargo/go-limiter",
		settings: "memorystore.New(&memorystore.Config{Tokens: limit, Interval: window})", call: "Take(ctx, key)",
		door: readsClock, keyed: true,
		promise: promise{
			text: "Tokens is the number of tokens to allow per interval.",
			link: "https://pkg.go.dev/github.com/sethvargo/go-limiter/memorystore#Config",
			kind: "fixed windows, from the key's first request", exact: windowsFromFirstUse,
		},
		refusal: "its memory store reads `time.now` by `go:linkname` (internal/fasttime), which is not virtual in a bubble. " +
			"In 1,000 windows of virtual time it admits nothing after the first window. The store has no setting for a clock",
		make: func(p gauge.Policy) any {
			return &sethvargoStore{must(memorystore.New(&memorystore.Config{Tokens: uint64(p.Limit), Interval: p.Window}))}
		},
	}
}

type sethvargoStore struct{ store limiter.Store }

func (s *sethvargoStore) Take(_ time.Time, key string, _ int64) bool {
	_, _, _, ok, err := s.store.Take(context.Background(), key)
	return ok && err == nil
}

// Close stops the goroutine that removes old keys.
func (s *sethvargoStore) Close() error { return s.store.Close(context.Background()) }
