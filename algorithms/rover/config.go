package rover

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// StampMode is the method by which a replenish converts time to tokens.
type StampMode uint8

const (
	// ByTokens is exact: a replenish credits the whole tokens earned and moves the
	// stamp by the time in which they were earned. It keeps the remainder, so the
	// long-run rate is exactly the configured one. It keeps it in a full bucket, too:
	// callers of TryGrab get less than Limit + rate*t + Threshold tokens in any span of
	// time t (Threshold of 0 is 1), if each replenishes first.
	ByTokens StampMode = iota
	// Faithful is the original's method: it credits rate*delta in float64, rounded
	// half away from zero, and moves the stamp to now. With threshold N the long-run
	// rate is between N/(N+0.5) and N/(N-0.5) of the configured one.
	Faithful
)

// maxGap is the longest time that one replenish credits in Faithful mode.
const maxGap = int64(time.Hour)

// faithfulFill is how far before Start the original's stamp begins.
const faithfulFill = 24 * int64(time.Hour)

// MaxLimit is the largest limit and the largest claim. It keeps every distance between
// rovers far below 2^63.
const MaxLimit = 1 << 62

// Config holds the parameters of a bucket. Only the rate can change later.
type Config struct {
	Rate      uint64        // tokens per Per, at most MaxRate(Per); 0 credits nothing
	Per       time.Duration // 0 means one second
	Limit     uint64        // the bucket's depth, 1 to MaxLimit tokens
	Threshold uint64        // least credit of a replenish, at most Limit; 0 means 1
	Capped    bool          // capped release
	Stamp     StampMode     // ByTokens unless set
	Start     int64         // the initial stamp, in ns on the clock whose time Replenish gets

	// Full makes Limit tokens available at Start; otherwise the bucket starts
	// empty. Faithful: the stamp begins 24 h before Start, like the original's. The
	// first replenish then credits one hour, which fills the bucket and also pays
	// for earlier claims. ByTokens: head begins at Limit and the stamp at Start, so
	// that it is full at any rate.
	Full bool
}

// New returns a bucket. It returns an error if a field of cfg is out of range.
func New(cfg Config) (*Bucket, error) {
	if cfg.Per == 0 {
		cfg.Per = time.Second
	}
	switch {
	case cfg.Per < 0:
		return nil, fmt.Errorf("rover: period of %v: want at least 1ns, or 0 for one second", cfg.Per)
	case cfg.Rate > MaxRate(cfg.Per):
		return nil, fmt.Errorf("rover: rate of %d tokens per %v: want at most %d", cfg.Rate, cfg.Per, MaxRate(cfg.Per))
	case cfg.Limit == 0:
		return nil, errors.New("rover: limit of 0 tokens: want at least 1")
	case cfg.Limit > MaxLimit:
		return nil, fmt.Errorf("rover: limit of %d tokens: want at most 2^62", cfg.Limit)
	case cfg.Threshold > cfg.Limit:
		return nil, fmt.Errorf("rover: threshold of %d tokens: want at most the limit, %d", cfg.Threshold, cfg.Limit)
	case cfg.Stamp > Faithful:
		return nil, fmt.Errorf("rover: unknown stamp mode %d", cfg.Stamp)
	case cfg.Start < math.MinInt64+faithfulFill:
		return nil, fmt.Errorf("rover: start at %d ns is out of range", cfg.Start)
	}
	b := &Bucket{
		per:     int64(cfg.Per),
		limit:   cfg.Limit,
		maxRate: MaxRate(cfg.Per),
		capped:  cfg.Capped,
		mode:    cfg.Stamp,
	}
	b.ceil.Store(cfg.Limit)
	threshold := max(cfg.Threshold, 1)
	if cfg.Stamp == ByTokens {
		b.clock = newExactClock(cfg.Rate, b.per, threshold, cfg.Start)
		if cfg.Full {
			b.head.Store(cfg.Limit)
		}
		return b, nil
	}
	if cfg.Full {
		cfg.Start -= faithfulFill
	}
	b.clock = newFloatClock(cfg.Rate, b.per, threshold, cfg.Start)
	return b, nil
}

// MaxRate returns the largest rate per period: it earns 2^63 tokens per hour, computed
// in float64 like the original, but it is at most 2^62. For a period below 1 ns it is 0.
func MaxRate(per time.Duration) uint64 {
	return uint64(max(min((1<<63)/(float64(maxGap)/float64(per)), MaxLimit), 0))
}
