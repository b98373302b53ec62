package logs

import (
	"context"
	"math"
)

// recorded holds the played rows of a recording, with codes numbered by first
// use. Two recordings are equal if these columns are equal.
type recorded struct {
	Time                  []int64
	Key, Client           []int32 // nil when no client field was asked for
	Cost                  []int64 // nil when every cost is 1
	KeyNames, ClientNames []string
	Fields                [][]int32
	FieldNames            [][]string
	Facts                 Facts
}

// readRows reads a recording and plays all of it.
// readRows reads a log that need not have a field for the key.
func readRows(o Options) (*recorded, error) {
	o.Shared = true
	r, err := Read(context.Background(), o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.all()
}

func (r *Recording) all() (*recorded, error) {
	all := &recorded{Facts: r.Facts, Fields: make([][]int32, len(r.names)-1)}
	c := r.Play(0, math.MaxInt64)
	times := make([]int64, 100)
	for n := c.Fill(times); n > 0; n = c.Fill(times) {
		all.Time = append(all.Time, times[:n]...)
		all.Key = append(all.Key, c.Keys()...)
		all.Client = append(all.Client, c.Clients()...)
		all.Cost = append(all.Cost, c.Costs()...)
		for i := range all.Fields {
			all.Fields[i] = append(all.Fields[i], c.Field(i)...)
		}
	}
	if r.shape.Client {
		all.Fields = all.Fields[:len(all.Fields)-1]
	}
	all.KeyNames = byFirstUse(all.Key, r.Keys())
	all.ClientNames = byFirstUse(all.Client, r.Clients())
	for i := range all.Fields {
		all.FieldNames = append(all.FieldNames, byFirstUse(all.Fields[i], r.Field(i)))
	}
	return all, c.Err()
}

// byFirstUse renumbers codes.
func byFirstUse(column []int32, names Names) (inOrder []string) {
	number := make([]int32, len(names.Of))
	for i, code := range names.Order {
		number[code] = int32(i)
		inOrder = append(inOrder, names.Of[code])
	}
	for i, code := range column {
		column[i] = number[code]
	}
	return inOrder
}
