package reporting

import (
	"fmt"
	"time"
)

// keys numbers the keys that are held, and reuses the numbers of forgotten ones. Its
// memory is that of the most keys held at one time. Each new key looks at two others, and
// forgets those that have not been used for a rest and that are idle.
type keys struct {
	numbers map[string]int32
	names   []string // by number; "" is free
	used    []int64  // by number: latest use, in ns
	free    []int32  // numbers
	most    int
	rest    int64 // ns
	next    int   // number to look at
	idle    func(now int64, n int32) bool
	reset   func(n int32)
}

func newKeys(c *Config, idle func(now int64, n int32) bool, reset func(n int32)) keys {
	rest := max(int64(time.Minute), 10*min(int64(c.Interval), longest/10))
	return keys{numbers: map[string]int32{}, most: c.MaxKeys, rest: rest, idle: idle, reset: reset}
}

// number returns the number of a key that is used at now. ok is false if it is new and
// there is no room.
func (k *keys) number(name string, now int64) (n int32, ok bool) {
	if n, ok = k.numbers[name]; !ok {
		k.look(now)
		k.look(now)
		last := len(k.free) - 1
		switch {
		case last >= 0:
			n, k.free = k.free[last], k.free[:last]
		case len(k.names) < k.most:
			n = int32(len(k.names))
			k.names, k.used = append(k.names, ""), append(k.used, now)
		default:
			return 0, false
		}
		k.names[n], k.numbers[name] = name, n
	}
	k.used[n] = max(k.used[n], now)
	return n, true
}

// look forgets the next key if it is idle.
func (k *keys) look(now int64) {
	if len(k.names) == 0 {
		return
	}
	k.next = (k.next + 1) % len(k.names)
	if name := k.names[k.next]; name != "" && k.used[k.next] <= now-k.rest && k.idle(now, int32(k.next)) {
		k.forget(name)
	}
}

// forget resets the state of a key and frees its number.
func (k *keys) forget(name string) {
	if n, ok := k.numbers[name]; ok {
		k.reset(n)
		delete(k.numbers, name)
		k.names[n] = ""
		k.free = append(k.free, n)
	}
}

// longest is the longest time that a clock shows: 36 years, in ns. With it no sum of
// times exceeds 63 bits.
const longest = int64(1) << 60

// clock shows the time since a start, in ns, plus what it showed at the start.
type clock struct {
	start time.Time
	at    int64
}

// ns returns the clock's time, by the monotonic clock if the times have it. A time
// outside of what the clock shows is taken for the nearest one, with an error unless it
// is within a minute before the start, when another goroutine may have read it.
func (c *clock) ns(now time.Time) (at int64, err error) {
	since := now.Sub(c.start)
	if since < -time.Minute || int64(since) > longest {
		err = fmt.Errorf("reporting: the time %v is not of the clock by which construction was at %v", now, c.start)
	}
	return c.at + min(max(int64(since), 0), longest), err
}
