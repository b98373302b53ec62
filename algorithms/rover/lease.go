package rover

// Lease hands out tokens of a bucket to one goroutine. It claims them in
// chunks, by [Bucket.TryGrab], and so touches what goroutines share once in a
// chunk; all other calls are a comparison and a subtraction in memory of their
// own. [Bucket.Lease] makes one. The zero Lease belongs to no bucket and has no
// token for anybody.
//
// A lease never hands out a token that the bucket has not granted to it: leases
// and other callers of TryGrab together get no more than the bucket was
// credited. What a lease costs is that its tokens may be used later than they
// were granted, or lie idle:
//
//   - In any span of time the callers of a bucket get at most what they could
//     get without leases and, for each lease, what it held before: less than
//     one chunk.
//   - A caller may be refused while other leases hold tokens, less than one
//     chunk each. Each is withheld once, not again and again, so the long-run
//     rate stays; [Lease.Return] gives it back.
//
// A chunk of c tokens thus divides the cost of the bucket by c. Keep all
// chunks together well below the bucket's limit, or a few leases hold all that
// there is.
//
// A Lease is for one goroutine at a time; the bucket behind it may be used by
// any number, by leases and otherwise. One that is dropped without Return takes
// its tokens along. Goroutines that live for one request take a lease from a
// pool, such as a sync.Pool, and put it back: a pool that drops some wastes
// less than a chunk for each.
type Lease struct {
	left   uint64 // tokens granted and not yet handed out
	chunk  uint64
	bucket *Bucket

	_ [40]byte // a cache line for each lease: goroutines write theirs with every call
}

// Lease makes a lease that claims chunk tokens at a time, cut to 1..Limit. It
// claims nothing until it is asked.
func (b *Bucket) Lease(chunk uint64) *Lease {
	return &Lease{chunk: min(max(chunk, 1), b.limit), bucket: b}
}

// Take takes n tokens and reports whether they were there; if not it takes
// none, and there is nothing to wait with and nothing to refund. It does not
// replenish the bucket: a timer does, or the caller who was refused, before it
// asks once more, so that a clock is read only when the bucket has run dry.
// With capped release the caller releases what it took, by [Bucket.Release].
func (l *Lease) Take(n uint64) bool {
	if n > l.left {
		return l.fetch(n)
	}
	l.left -= n
	return true
}

// fetch takes n tokens of which some must come from the bucket, and a chunk in
// place of them if it can. Less than a chunk is left afterwards.
func (l *Lease) fetch(n uint64) bool {
	if l.bucket == nil {
		return false
	}
	missing := n - l.left
	got := l.bucket.TryGrab(missing, max(missing, l.chunk))
	if got == 0 {
		return false
	}
	l.left = got - missing
	return true
}

// Return gives the tokens that are left back to the bucket, for others to take
// at once. The lease may be used again.
func (l *Lease) Return() {
	left := l.left
	if left == 0 {
		return
	}
	l.left = 0
	l.bucket.Refund(left)
	if l.bucket.capped {
		l.bucket.Release(left)
	}
}
