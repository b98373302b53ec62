package rover

// Lease hands out tokens of a bucket to one goroutine. It claims them in chunks with
// [Bucket.TryGrab], so it reads a clock and accesses shared memory once per chunk
// and once per rejection; all other calls are a comparison and a subtraction in memory
// of its own. Make one with [Bucket.Lease]. The zero Lease belongs to no bucket and has
// no tokens.
//
// A lease never hands out a token that the bucket has not granted to it: leases and
// other callers of TryGrab together get no more than the bucket was credited. In
// return, tokens may be used later than they were granted, or stay unused:
//
//   - In any span of time the callers of a bucket get at most what they could get
//     without leases plus, for each lease, the tokens it held before: less than one
//     chunk.
//   - A caller may be rejected while other leases hold tokens, less than one chunk
//     each. Each of these is withheld once, so the long-run rate stays.
//     [Lease.Return] gives it back.
//
// A chunk of c tokens divides the cost of the bucket by c. Keep the total of all
// chunks well below the bucket's limit; otherwise a few leases hold all tokens.
//
// A Lease may be used by one goroutine at a time; the bucket behind it by any
// number. A lease that is dropped without Return loses its tokens. Goroutines that
// live for one request should take a lease from a pool, such as a sync.Pool, and put
// it back. A pool that drops some leases loses less than one chunk for each.
type Lease struct {
	left   uint64 // tokens granted and not yet handed out
	chunk  uint64
	bucket *Bucket
	now    func() int64

	_ [32]byte // one cache line per lease: each goroutine writes its own with every call
}

// Lease returns a lease that claims chunk tokens at a time, cut to 1 to Limit. It
// claims nothing before its first Take. It reads the clock now, in ns, and
// replenishes the bucket before each claim of a chunk. All leases of a bucket use the
// same clock, which must be safe for concurrent use and is best never set, such as
// time.Since(start).Nanoseconds(): after one is set back, the bucket earns nothing until
// it has caught up. If now is nil, a timer calls [Bucket.Replenish] instead. Do not
// replenish only after a rejection: see the package comment.
func (b *Bucket) Lease(chunk uint64, now func() int64) *Lease {
	return &Lease{chunk: min(max(chunk, 1), b.limit), bucket: b, now: now}
}

// Take takes n tokens and reports whether they were available; if not, it takes none,
// and there is nothing to wait for or to give back. With capped release the caller
// returns the tokens with [Bucket.Release].
func (l *Lease) Take(n uint64) bool {
	if n > l.left {
		return l.fetch(n)
	}
	l.left -= n
	return true
}

// fetch takes n tokens, more than the lease holds. It claims what the bucket has, up
// to a chunk, or more than a chunk if more tokens are missing. It takes none if the
// bucket has too few. Less than one chunk is left afterwards.
func (l *Lease) fetch(n uint64) bool {
	if l.bucket == nil {
		return false
	}
	if l.now != nil {
		l.bucket.Replenish(l.now()) // first, or the claim would add to what it credits
	}
	missing := n - l.left
	got := l.bucket.TryGrab(missing, max(missing, l.chunk))
	if got == 0 {
		return false
	}
	l.left = got - missing
	return true
}

// Return gives the remaining tokens back to the bucket. The lease may be used
// again.
func (l *Lease) Return() {
	if l.left > 0 {
		l.bucket.GiveBack(l.left)
		l.left = 0
	}
}
