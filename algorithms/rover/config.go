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
	// long-run rate is exactly the configured one.
	ByTokens StampMode = iota
	// Faithful is the original's method: it credits rate*delta in float64, rounded
	// half away from zero, and moves the stamp to now. With threshold N the long-run
	// rate is between N/(N+0.5) and N/(N-0.5) of the configured one.
	Faithful
)

// maxGap is the longest time that one replenish credits.
const maxGap = int64(time.Hour)

// faithfulFill is how far before Start the original's stamp begins.
const faithfulFill = 24 * int64(time.Hour)

// MaxRate is the largest rate per second: one hour of it earns 2^63 tokens.
const MaxRate = 2_562_047_788_015_215

// maxLimit keeps every distance between rovers far below 2^63.
const maxLimit = 1 << 62

// Config holds the parameters of a bucket. Only the rate can change later.
type Config struct {
	Rate      uint64 // tokens per Per; cut to a rate that earns 2^63 tokens per hour (MaxRate per second)
	Per       int64  // ns, at least 1; 0 means one second
	Limit     uint64 // the bucket's depth, 1 to 2^62 tokens
	Threshold uint64 // least credit of a replenish; cut to 1 to Limit
	Capped    bool   // capped release
	Stamp     StampMode
	Start     int64 // ns, the initial stamp

	// Full makes Limit tokens available at Start; otherwise the bucket starts
	// empty. Faithful: the stamp begins 24 h before Start, like the original's. The
	// first replenish then credits one hour, which fills the bucket and also pays
	// for earlier claims. ByTokens: head begins at Limit and the stamp at Start. (An
	// old stamp that moves only by what was credited would refill the bucket again
	// and again.)
	Full bool
}

// New returns a bucket. It returns an error if a field of cfg is out of range.
func New(cfg Config) (*Bucket, error) {
	if cfg.Per == 0 {
		cfg.Per = int64(time.Second)
	}
	switch {
	case cfg.Per < 0:
		return nil, fmt.Errorf("rover: period of %d ns: want at least 1", cfg.Per)
	case cfg.Limit == 0:
		return nil, errors.New("rover: limit of 0 tokens: want at least 1")
	case cfg.Limit > maxLimit:
		return nil, fmt.Errorf("rover: limit of %d tokens: want at most 2^62", cfg.Limit)
	case cfg.Stamp > Faithful:
		return nil, fmt.Errorf("rover: unknown stamp mode %d", cfg.Stamp)
	case cfg.Start < math.MinInt64+faithfulFill:
		return nil, fmt.Errorf("rover: start at %d ns is out of range", cfg.Start)
	}
	b := &Bucket{
		per:     cfg.Per,
		limit:   cfg.Limit,
		maxRate: maxRateFor(cfg.Per),
		capped:  cfg.Capped,
		mode:    cfg.Stamp,
	}
	b.ceil.Store(cfg.Limit)
	rate, threshold := min(cfg.Rate, b.maxRate), min(max(cfg.Threshold, 1), cfg.Limit)
	if cfg.Stamp == ByTokens {
		b.clock = newExactClock(rate, cfg.Per, threshold, cfg.Start)
		if cfg.Full {
			b.head.Store(cfg.Limit)
		}
		return b, nil
	}
	if cfg.Full {
		cfg.Start -= faithfulFill
	}
	b.clock = newFloatClock(rate, cfg.Per, threshold, cfg.Start)
	return b, nil
}

// maxRateFor returns the rate per period that earns 2^63 tokens per hour, computed
// in float64 like the original, but at most 2^62.
func maxRateFor(per int64) uint64 {
	return uint64(min((1<<63)/(float64(maxGap)/float64(per)), maxLimit))
}
