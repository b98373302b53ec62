package batchreported

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Conditions describe what a simulation does between clients and servers: wrong clocks,
// lost reports and whether their counts are sent again. The halves know nothing of them.
type Conditions struct {
	SkewBy    int64          `option:"by"`    // clock error in ns
	SkewShare units.Fraction `option:"share"` // share of the clients with that error
	SkewSign  SkewSign       `option:"direction=ahead|behind|both"`

	ReportLoss units.Fraction `option:"report_loss"`         // share of reports that are lost, each independently
	Resend     bool           `option:"lost_reports=resent"` // the next report repeats the counts of a lost one

	stored bool // the counts are in a store that the servers reach over a network
}

// ConditionsFrom reads Conditions from the bound fields of Entry.
func ConditionsFrom(v catalog.Values) Conditions {
	c := Conditions{stored: v.Choice("store").Name != "memory"}
	v.Read(&c)
	v.Group("clock_skew").Read(&c)
	return c
}

// SkewSign is the direction of clock errors.
type SkewSign uint8

const (
	Ahead SkewSign = iota
	Behind
	AheadAndBehind // alternating, ahead first
)

// Skew returns how far client id's clock is ahead, in ns. The skewed clients are
// spread evenly: client i is skewed if floor((i+1)*share) > floor(i*share).
func (c *Conditions) Skew(id int32) int64 {
	num, den := c.SkewShare.Num, c.SkewShare.Den
	if num == 0 {
		return 0
	}
	upto := func(n int64) int64 { return integers.MulDiv(n, num, den, math.MaxInt64) }
	rank := upto(int64(id))
	if upto(int64(id)+1) == rank {
		return 0
	}
	if c.SkewSign == Behind || c.SkewSign == AheadAndBehind && rank%2 == 1 {
		return -c.SkewBy
	}
	return c.SkewBy
}
