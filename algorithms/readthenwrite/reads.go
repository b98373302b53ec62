package readthenwrite

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// reads holds what clients have read and not yet written, in numbered places.
type reads interface {
	// copy copies the state of a key at now to a place.
	copy(place int32, from counting.Table, key int32, now int64)
	// decide decides a request at a client by what is in the place. now is the time
	// of the decision.
	decide(place int32, now, cost int64) counting.Verdict
	// write writes the decided request of a place to a table at now.
	write(place int32, to counting.Table, key int32, now, cost int64)
	// relimit changes the limit of what has been read, and of a table.
	relimit(limit counting.Limit, now int64, tables []counting.Table)
}

// windows is a table of counts that clients can read and write.
type windows interface {
	counting.Table
	Count(key int32, now int64) int64
	Add(key int32, now, cost int64)
	Set(key int32, now, count int64)
	Relimit(limit counting.Limit)
}

// countReads is the counts that clients have read.
type countReads struct {
	config *Config
	limit  int64
	width  int64 // of calendar windows, in ns; 0 if the store ends windows
	got    []gotCount
}

type gotCount struct {
	count int64
	at    int64 // when it was read
}

func (r *countReads) copy(place int32, from counting.Table, key int32, now int64) {
	r.got = lists.Reach(r.got, place)
	r.got[place] = gotCount{from.(windows).Count(key, now), now}
}

func (r *countReads) decide(place int32, _, cost int64) counting.Verdict {
	if cost <= 0 || cost <= r.limit-r.got[place].count {
		return counting.Admitted
	}
	return counting.Rejected
}

// write drops a write to a calendar window that is over: the window's number is
// part of the key's name, and nobody reads that name any more.
func (r *countReads) write(place int32, to counting.Table, key int32, now, cost int64) {
	got := &r.got[place]
	if r.width > 0 && now/r.width != got.at/r.width {
		return
	}
	if r.config.Increment {
		to.(windows).Add(key, now, cost)
	} else {
		to.(windows).Set(key, now, integers.Add(got.count, cost))
	}
}

func (r *countReads) relimit(limit counting.Limit, _ int64, tables []counting.Table) {
	r.limit = limit.Count
	for _, t := range tables {
		t.(windows).Relimit(limit)
	}
}

// bucketReads is the buckets that clients have read.
type bucketReads struct {
	config *Config
	got    *counting.TokenBuckets
}

func (r *bucketReads) copy(place int32, from counting.Table, key int32, _ int64) {
	r.got.Reach(place)
	r.got.Copy(place, from.(*counting.TokenBuckets), key)
}

func (r *bucketReads) decide(place int32, now, cost int64) counting.Verdict {
	return r.got.Take(place, now, cost)
}

func (r *bucketReads) write(place int32, to counting.Table, key int32, _, _ int64) {
	to.(*counting.TokenBuckets).Copy(key, r.got, place)
}

func (r *bucketReads) relimit(limit counting.Limit, now int64, tables []counting.Table) {
	r.config.Bucket = counting.TokenBucketOptionsOf(limit, r.config.options)
	for _, t := range append(tables, r.got) {
		t.(*counting.TokenBuckets).RelimitRounded(limit, r.config.Bucket, now)
	}
}
