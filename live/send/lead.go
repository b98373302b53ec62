package send

// job is what a worker does next: it leads from a request on, or sends one at once.
type job struct {
	request int
	lead    bool
}

// give hands a job to a worker that waits for one, or to a new worker. It returns
// false if there are as many workers as the cap permits, of which one leads. Only
// the leader calls it.
func (r *run) give(j job) bool {
	select {
	case r.work <- j:
		return true
	default:
	}
	if r.started > r.Caps.InFlight {
		return false
	}
	r.started++
	r.workers.Add(1)
	go r.worker(j)
	return true
}

// worker does a job, then those that leaders hand over.
func (r *run) worker(j job) {
	defer r.workers.Done()
	for open := true; open; j, open = <-r.work {
		if j.lead {
			r.lead(j.request)
		} else {
			r.call(&r.exchanges[j.request], int64(j.request))
		}
	}
}

// lead waits for the time of request i and sends it itself, because another goroutine
// would only run tens of microseconds later. Just before, it makes another worker
// lead from the next request on. If the next one is due as well, it hands request i
// to another worker instead, and goes on. There is one leader at a time.
func (r *run) lead(i int) {
	for ; i < len(r.exchanges) && r.sleeper.wait(r.exchanges[i].IntendedNs, &r.halted); i++ {
		next := i + 1
		nextIsDue := next < len(r.exchanges) && r.exchanges[next].IntendedNs <= r.clock.now()
		switch {
		case nextIsDue && r.give(job{request: i}):
		case !nextIsDue && r.give(job{request: next, lead: true}):
			r.call(&r.exchanges[i], int64(i))
			return
		default:
			r.holdBack(i)
		}
	}
	if r.Retry != nil {
		r.sleeper.wait(r.EndNs, &r.halted)
	}
	close(r.work)
	close(r.dispatched)
}
