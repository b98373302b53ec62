package remote

import "github.com/limitgauge/limitgauge/sim/engine"

// remoteBatch is what a client collects before it asks about all of it. The
// requests are parked in its memory meanwhile.
type remoteBatch struct {
	first, last int32 // calls that hold one request each
	size        int
	over        int64 // when it is sent at the latest
}

// collect adds a request to its client's batch.
func (r *remotes) collect(now int64, ref int32) {
	client := r.calls[ref].client
	b := &r.batch[client]
	if b.size == 0 {
		*b = remoteBatch{first: ref, over: now + r.config.BatchTime}
		r.executor.Schedule(b.over, batchIsOver, client)
	} else {
		r.calls[b.last].next = ref
	}
	b.last = ref
	if b.size++; b.size == r.config.BatchSize {
		r.sendBatch(now, client)
	}
}

// batchOver sends a batch whose time is over; one that was full before has been
// sent, and the client's present batch has a later end.
func (r *remotes) batchOver(now int64, client int32) {
	if b := &r.batch[client]; b.size > 0 && b.over == now {
		r.sendBatch(now, client)
	}
}

func (r *remotes) sendBatch(now int64, client int32) {
	first := r.batch[client].first
	r.batch[client] = remoteBatch{}
	r.spread(now, first)
}

// spread makes calls of the requests that hang on one another, of one client,
// and sends them in the order of their first requests: a call to each replica
// that must be asked, or to any where keys have no owners.
func (r *remotes) spread(now int64, first int32) {
	server := int32(0)
	if r.owners == nil {
		server = r.route(now, r.calls[first].client, 0)
	}
	r.sent = r.sent[:0]
	for ref := first; ref != noCall; {
		c := &r.calls[ref]
		next := c.next
		c.next = noCall
		r.executor.Asks(c.slot)
		if r.several {
			r.begin(c.slot, c.request)
		}
		switch {
		case r.owners == nil:
			r.join(server, ref)
		case r.several:
			r.split(now, ref)
		default:
			r.join(r.asked(now, c.key), ref)
		}
		ref = next
	}
	for _, ref := range r.sent {
		r.open[r.calls[ref].server] = noCall
	}
	r.load.Fanout(now, len(r.sent))
	for _, ref := range r.sent {
		r.send(now, ref)
	}
}

// begin opens a request that may be split.
func (r *remotes) begin(slot int32, request int64) {
	for int(slot) >= len(r.requests) {
		r.requests = append(r.requests, openRequest{})
	}
	r.requests[slot] = openRequest{number: request + 1}
}

// split makes a call about each owner's part of a request's keys, or about each
// of its keys.
func (r *remotes) split(now int64, ref int32) {
	for i := range r.calls[ref].keys {
		key := r.calls[ref].keys[i]
		server := r.asked(now, key)
		if head := r.open[server]; head != noCall && !r.config.Apart {
			if last := &r.calls[r.calls[head].last]; last.request == r.calls[ref].request {
				last.keys = append(last.keys, key)
				continue
			}
		}
		part := engine.Take(&r.calls, &r.free)
		c, of := &r.calls[part], &r.calls[ref]
		keys, over := append(c.keys[:0], key), c.over[:0]
		*c = *of
		c.keys, c.over, c.key, c.last = keys, over, key, part
		r.join(server, part)
	}
	r.release(ref)
}

// join adds a request, or a part of one, to the call to a replica.
func (r *remotes) join(server, ref int32) {
	c := &r.calls[ref]
	if r.several {
		r.requests[c.slot].left++
	}
	head := r.open[server]
	if head == noCall || r.several && r.config.Apart {
		r.open[server] = ref
		c.server, c.last = server, ref
		r.sent = append(r.sent, ref)
		return
	}
	r.calls[r.calls[head].last].next = ref
	r.calls[head].last = ref
}
