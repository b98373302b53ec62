// Package least finds the limit and the burst that the requests of a log need.
//
// A candidate is a rate of a bucket or a window. For each, the package finds the least
// allowance (the burst of the bucket, or the count of the window) that refuses at most
// a given share of the requests or of the keys, and counts what it refuses with the
// counters of algorithms/counter. All decisions are exact. The package reads nothing:
// it is given a function that plays the requests.
//
// The package makes no promise: it can change at any time.
package least

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Block holds requests in time order: times in ns, 0 or later. It is valid during a
// call.
type Block struct {
	Keys         []int32
	Times, Costs []int64
}

// Log plays the requests of a log in time order, block by block, the same ones in every
// call. It returns the first error of visit, or its own.
type Log func(visit func(Block) error) error

// Demand is what a key asks for.
type Demand struct {
	Requests, Cost int64
	PeakPerS       int64 // largest cost in one calendar second
	at, second     int64
}

// Study holds what is known of a log.
type Study struct {
	Keys            []Demand
	Requests, Cost  int64 // of the demand: of all keys that are not abusers
	DemandKeys      int64 // keys with requests that are not abusers
	AbuserRequests  int64
	AbuserKeys      int64
	FirstNs, LastNs int64

	log     Log
	abuser  []bool // by key, or nil
	largest int64  // cost of the demand
	equal   bool   // all costs of the demand are the largest
	work    int64  // decisions left; see mostWork

	// hasty is for a search that only wants the outcome to recommend, in a demand without
	// abusers: outcomes are left out that cannot be it, and what they refuse is not counted.
	hasty    bool
	expected counting.Limit // the candidate to solve first
	most     int64          // Outcome.Most of the one to recommend, at most

	kept     map[int32]*rows // see keep
	keptRows int64

	above map[candidate]above // of candidates that were solved
	whole *Study              // of a fold, or nil
}

// NewStudy reads a log of keys 0 to keys-1. abuser tells by key which of them are not
// part of the demand; it may be nil.
func NewStudy(log Log, keys int, abuser []bool) (*Study, error) {
	s := &Study{Keys: make([]Demand, keys), log: log, abuser: abuser, equal: true, work: mostWork, most: math.MaxInt64}
	any := false
	err := log(func(b Block) error {
		if len(b.Times) == 0 {
			return nil
		}
		if !any {
			s.FirstNs, any = b.Times[0], true
		}
		s.LastNs = b.Times[len(b.Times)-1]
		for i, key := range b.Keys {
			cost := b.Costs[i]
			s.Keys[key].add(b.Times[i], cost)
			if s.IsAbuser(key) {
				continue
			}
			if s.largest != cost {
				s.equal = s.equal && s.largest == 0
				s.largest = max(s.largest, cost)
			}
		}
		return nil
	})
	for key, d := range s.Keys {
		switch {
		case d.Requests == 0:
		case s.IsAbuser(int32(key)):
			s.AbuserRequests += d.Requests
			s.AbuserKeys++
		default:
			s.Requests += d.Requests
			s.Cost += d.Cost
			s.DemandKeys++
		}
	}
	return s, err
}

func (d *Demand) add(now, cost int64) {
	const second = int64(1e9)
	d.Requests++
	d.Cost += cost
	if index := now / second; index > d.second {
		d.second, d.at = index, 0
	}
	d.at += cost
	d.PeakPerS = max(d.PeakPerS, d.at)
}

// IsAbuser reports whether a key is not part of the demand.
func (s *Study) IsAbuser(key int32) bool { return s.abuser != nil && s.abuser[key] }

// Weighted reports whether the costs of the demand differ. An allowance then can refuse
// more requests than a smaller one.
func (s *Study) Weighted() bool { return !s.equal }

// Goal is what may be refused.
type Goal struct {
	AtMost units.Fraction // share, from 0 to below 1
	OfKeys bool           // of the keys, not of the requests

	Reserve units.Fraction // factor of the least allowance; none if zero
}

// reserved returns an allowance with the reserve, rounded up.
func (g Goal) reserved(allowance int64) int64 {
	if g.Reserve.Num == 0 {
		return allowance
	}
	return integers.MulDivUp(allowance, g.Reserve.Num, g.Reserve.Den, 1<<62)
}

// Allowed returns how many requests, or keys, of the demand a goal lets be refused.
func (s *Study) Allowed(g Goal) int64 {
	of := s.Requests
	if g.OfKeys {
		of = s.DemandKeys
	}
	return integers.MulDiv(of, g.AtMost.Num, g.AtMost.Den, math.MaxInt64)
}
