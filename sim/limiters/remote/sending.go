package remote

import "github.com/limitgauge/limitgauge/internal/lists"

// remoteBatch holds the requests that a client collects before it asks about them.
type remoteBatch struct {
	first, last int32 // calls that hold one request each
	size        int
	over        int64 // when it is sent, full or not
}

// collect adds a request to its client's batch.
func (r *remotes) collect(now int64, ref int32) {
	client := r.calls.At(ref).client
	b := &r.batch[client]
	if b.size == 0 {
		*b = remoteBatch{first: ref, over: now + r.config.BatchTime}
		r.executor.Schedule(b.over, batchIsOver, client)
	} else {
		r.calls.At(b.last).next = ref
	}
	b.last = ref
	if b.size++; b.size == r.config.BatchSize {
		r.sendBatch(now, client)
	}
}

// batchOver sends a batch whose time is over. If it has been sent before because
// it was full, the client's current batch ends later.
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

// spread joins the linked requests of one client into calls and sends these in the
// order of their first requests: a call to each owner of keys, or to any replica
// if keys have no owners.
func (r *remotes) spread(now int64, first int32) {
	server := int32(0)
	if r.config.Any {
		server = r.rotation.Next(now, r.calls.At(first).client)
	}
	r.sent = r.sent[:0]
	for ref := first; ref != noCall; {
		c := r.calls.At(ref)
		next := c.next
		c.next = noCall
		r.executor.Asks(c.slot)
		if r.multiPolicy {
			r.begin(c.slot, c.request)
		}
		switch {
		case r.config.Any:
			r.join(server, ref)
		case r.multiPolicy:
			r.split(now, ref)
		default:
			r.join(r.owners.Asked(now, c.client, c.key[0]), ref)
		}
		ref = next
	}
	for _, ref := range r.sent {
		r.open[r.calls.At(ref).server] = noCall
	}
	r.load.Fanout(now, len(r.sent))
	for _, ref := range r.sent {
		r.send(now, ref)
	}
}

// begin opens a request that may be split.
func (r *remotes) begin(slot int32, request int64) {
	r.requests = lists.Reach(r.requests, slot)
	r.requests[slot] = openRequest{number: request + 1, held: r.requests[slot].held[:0]}
}

// split divides a request into a call for each owner of its keys, or for each key.
func (r *remotes) split(now int64, ref int32) {
	for i := range r.calls.At(ref).keys {
		key := r.calls.At(ref).keys[i]
		server := r.owners.Asked(now, r.calls.At(ref).client, key)
		if head := r.open[server]; head != noCall && !r.config.Apart {
			if last := r.calls.At(r.calls.At(head).last); last.request == r.calls.At(ref).request {
				last.keys = append(last.keys, key)
				continue
			}
		}
		part := r.calls.Take()
		c, of := r.calls.At(part), r.calls.At(ref)
		keys, over := append(c.keys[:0], key), c.over[:0]
		*c = *of
		c.keys, c.over, c.last = keys, over, part
		if r.settling != nil {
			r.settling.copy(part, r.settling.calls[ref])
		}
		r.join(server, part)
	}
	r.release(ref)
}

// join adds a request, or a part of one, to the call to a replica.
func (r *remotes) join(server, ref int32) {
	c := r.calls.At(ref)
	if r.multiPolicy {
		r.requests[c.slot].left++
	}
	head := r.open[server]
	if head == noCall || r.multiPolicy && r.config.Apart {
		r.open[server] = ref
		c.server, c.last = server, ref
		r.sent = append(r.sent, ref)
		return
	}
	r.calls.At(r.calls.At(head).last).next = ref
	r.calls.At(head).last = ref
}
