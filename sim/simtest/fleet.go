package simtest

import (
	"context"
	"errors"
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// Counters returns a Maker of limiters that decide as the counter of that name does,
// with its default options.
func Counters(name string) outside.Maker {
	return func(_ context.Context, p outside.Program) (outside.Fleet, error) {
		f := &Fleet{Program: p, Keys: map[outside.Request]int32{}}
		var err error
		f.Table, err = counting.New(name, p.Limit, nil, MaxKeys)
		return f, err
	}
}

// MaxKeys is the largest number of keys of all instances of a Fleet.
const MaxKeys = 4096

// Fleet is a fleet whose limiters decide as a counter does.
type Fleet struct {
	Program outside.Program
	Table   counting.Table
	Keys    map[outside.Request]int32 // by instance and name
	Closed  bool
}

// Key returns the key of the Table for a key of an instance.
func (f *Fleet) Key(client int32, name string) int32 {
	id := outside.Request{Client: client, Key: name}
	if _, known := f.Keys[id]; !known {
		f.Keys[id] = int32(len(f.Keys))
	}
	return f.Keys[id]
}

// Decide decides requests in order.
func (f *Fleet) Decide(requests []outside.Request, answers []outside.Answer) error {
	last := int64(0)
	for i, r := range requests {
		if r.AtNs < last || f.Closed || int(r.Client) >= f.Program.Instances {
			return fmt.Errorf("request %v after %d in fleet %+v", r, last, f.Program)
		}
		last = r.AtNs
		answers[i] = outside.Answer{Admit: f.Table.Take(f.Key(r.Client, r.Key), r.AtNs, r.Cost).Admitted()}
	}
	return nil
}

// Level returns what the counter says of a key.
func (f *Fleet) Level(client int32, key string, atNs, cost int64) (level, retryAtNs int64) {
	k := f.Key(client, key)
	return f.Table.Level(k, atNs), f.Table.RetryAt(k, atNs, cost)
}

// Close notes that the fleet is closed. It returns an error the second time.
func (f *Fleet) Close() error {
	if f.Closed {
		return errors.New("closed twice")
	}
	f.Closed = true
	return nil
}
