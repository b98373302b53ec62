package rover

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// StampMode says how a replenish turns time into tokens.
type StampMode uint8

const (
	// ByTokens is exact: a replenish credits the whole tokens earned and moves
	// the stamp by what they are worth, so that the remainder is kept and the
	// long-run rate is the configured one to the token.
	ByTokens StampMode = iota
	// Faithful does as the original: it credits rate*delta in float64, rounded
	// half away from zero, and moves the stamp to now. With threshold N the
	// long-run rate lies between N/(N+0.5) and N/(N-0.5) of the configured one.
	Faithful
)

// maxGap is the longest gap that one replenish credits.
const maxGap = int64(time.Hour)

// faithfulFill is how far back the original starts its stamp.
const faithfulFill = 24 * int64(time.Hour)

// MaxRate is the largest rate per second: an hour of it is 2^63 tokens.
const MaxRate = 2_562_047_788_015_215

// maxLimit keeps every distance between rovers below 2^63 with room to spare.
const maxLimit = 1 << 62

// Config is what a bucket is made of. Limit and Threshold are fixed for its
// life; the rate may change.
type Config struct {
	Rate      uint64 // tokens per Per; cut to what earns 2^63 tokens an hour (MaxRate per second)
	Per       int64  // ns, at least 1; 0 is one second
	Limit     uint64 // the bucket's depth, 1..2^62 tokens
	Threshold uint64 // least credit a replenish gives; cut to 1..Limit
	Capped    bool   // capped release
	Stamp     StampMode
	Start     int64 // ns, the initial stamp

	// Full lets Limit tokens be grabbed at Start, where otherwise the bucket
	// starts with none. Faithful: the stamp starts 24 h before Start, as the
	// original's, so that the first replenish credits an hour's worth, which
	// fills the bucket and also pays claims made before it. ByTokens: head
	// starts at Limit and the stamp at Start. (An old stamp that only moves by
	// what was credited would refill the bucket again and again.)
	Full bool
}

// New makes a bucket.
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

// maxRateFor is the rate per period that earns 2^63 tokens an hour, in float64
// as the original, and at most 2^62.
func maxRateFor(per int64) uint64 {
	return uint64(min((1<<63)/(float64(maxGap)/float64(per)), maxLimit))
}
