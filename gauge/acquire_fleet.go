package gauge

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/sim/outside"
)

// acquireFleet calls limiters of requests in flight. It is an outside.Concurrent.
type acquireFleet struct {
	place
	clients  []*limiters[Acquirer]
	releases map[int64]func(now time.Time, good bool) // by number of the request
	next     int64
}

func newAcquireFleet(ctx context.Context, t *testing.T, r *Row, p *outside.Program, times virtual) (outside.Fleet, error) {
	where, err := newPlace(ctx, t, r, times, r.clock)
	if err != nil {
		return nil, err
	}
	f := &acquireFleet{place: where, releases: map[int64]func(time.Time, bool){}}
	err = f.at(p.OriginNs, func(time.Time) {
		for i := range p.Instances {
			f.clients = append(f.clients, newLimiters(r, policyOf(p, i, 0), func(made any) Acquirer { return made.(Acquirer) }))
		}
	})
	if err != nil {
		f.close(nil)
		return nil, err
	}
	return f, nil
}

// errSlowAcquire is the error of a limiter of requests in flight whose calls take time.
var errSlowAcquire = errors.New("virtual time passed in a call of Acquire or release, which must return at once")

// at calls g at a simulated time.
func (f *acquireFleet) at(now int64, g func(now time.Time)) error {
	return f.run(now, func() {
		at := f.sleepUntil(now)
		if g(at); f.since(at) > 0 {
			panic(&brokenCall{errSlowAcquire})
		}
	})
}

func (f *acquireFleet) Acquire(r *outside.Request) (int64, bool, error) {
	number, admit := int64(0), false
	err := f.at(r.AtNs, func(now time.Time) {
		var release func(time.Time, bool)
		if release, admit = f.clients[r.Client].of(r.Key).Acquire(now, r.Key); admit {
			if release == nil {
				panic("Acquire returned true and no function to release")
			}
			f.next++
			number = f.next
			f.releases[number] = release
		}
	})
	if err != nil {
		return 0, false, err
	}
	return number, admit, nil
}

func (f *acquireFleet) Release(number, atNs int64, good bool) error {
	release := f.releases[number]
	delete(f.releases, number)
	if release == nil {
		return nil
	}
	return f.at(atNs, func(now time.Time) { release(now, good) })
}

// mostLimit is the largest limit of presets, too.
const mostLimit = 1_000_000

func (f *acquireFleet) Limit(client int32) (limit int64, known bool, err error) {
	x, known := any(f.clients[client].one).(interface{ Limit() int })
	if known {
		err = guarded(func() { limit = int64(x.Limit()) })
	}
	if err == nil && (limit < 0 || limit > mostLimit) {
		err = fmt.Errorf("its Limit is %d, and a limit on requests in flight is from 0 to %d", limit, mostLimit)
	}
	return limit, known, err
}

func (f *acquireFleet) Decide([]outside.Request, []outside.Answer) error {
	return errors.New("it limits requests in flight, and is asked about one at a time")
}

func (f *acquireFleet) Close() error { return f.close(func() error { return closeAll(f.clients) }) }
