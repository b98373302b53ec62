package gauge

import (
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/engine"
)

// limiters holds the limiters of one client: one, or one for each key.
type limiters[T any] struct {
	row    *Row
	policy Policy
	as     func(made any) T
	one    T
	keyed  map[string]T // nil if one limiter serves all keys
	made   []any
}

// newLimiters returns the limiters of one client. as says how a limiter is called.
func newLimiters[T any](r *Row, p Policy, as func(made any) T) *limiters[T] {
	l := &limiters[T]{row: r, policy: p, as: as}
	if r.perKey {
		l.keyed = map[string]T{}
	} else {
		l.one = l.add()
	}
	return l
}

func (l *limiters[T]) add() T {
	made := l.row.make(l.policy)
	if v := reflect.ValueOf(made); !v.IsValid() || v.Kind() == reflect.Func && v.IsNil() {
		panic(&brokenCall{errors.New("the function that makes limiters returned nil")})
	}
	l.made = append(l.made, made)
	return l.as(made)
}

// of returns the limiter of a key.
func (l *limiters[T]) of(key string) T {
	if l.keyed == nil {
		return l.one
	}
	one, ok := l.keyed[key]
	if !ok {
		one = l.add()
		l.keyed[key] = one
	}
	return one
}

// level returns what the limiter of a key knows of its state, see outside.Leveler. It
// makes no limiter.
func (l *limiters[T]) level(now time.Time, key string, cost int64) (level int64, wait time.Duration) {
	level, wait = engine.UnknownLevel, -1
	one := any(l.one)
	if l.keyed != nil {
		one = l.keyed[key]
	}
	if x, ok := one.(Leveler); ok {
		level = x.Level(now, key)
	}
	if x, ok := one.(RetryAfterer); ok {
		wait = x.RetryAfter(now, key, cost)
	}
	return level, wait
}

// names reports whether the limiter of a key names the time to retry after.
func (l *limiters[T]) names(key string) bool {
	_, ok := any(l.of(key)).(RetryAfterer)
	return ok
}

// close runs the cleanups and closes the limiters that can be closed. It returns the
// first error.
func (l *limiters[T]) close() (err error) {
	for _, f := range slices.Backward(*l.policy.cleanups) {
		f()
	}
	for _, one := range l.made {
		var failed error
		switch x := one.(type) {
		case io.Closer:
			failed = x.Close()
		case interface{ Close() }:
			x.Close()
		case interface{ Stop() error }:
			failed = x.Stop()
		case interface{ Stop() }:
			x.Stop()
		}
		if err == nil {
			err = failed
		}
	}
	return err
}

// retryAt returns the simulated time from which a key would admit a request that it
// would admit after a wait.
func retryAt(at int64, wait time.Duration) int64 {
	if wait < 0 || int64(wait) > math.MaxInt64-at {
		return counting.Never
	}
	return at + int64(wait)
}
