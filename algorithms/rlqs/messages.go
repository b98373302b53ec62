package rlqs

// Usage is what a client has admitted and rejected of a key since it last reported the
// key. The first one subscribes the client to assignments.
type Usage struct {
	Key             int32
	Allowed, Denied int64 // cost
	Elapsed         int64 // ns since the last report of the key; 0 in its first report
}

// Assignment is a server's answer for one key: a rate for some time.
type Assignment struct {
	Client int32
	Key    int32
	Sent   int64    // ns; a client ignores assignments older than its latest
	Rate   Capacity // refill of the client's bucket
	Depth  int64    // units, of the client's bucket
	TTL    int64    // ns from the arrival
}
