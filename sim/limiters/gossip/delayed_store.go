package gossip

import "github.com/limitgauge/limitgauge/algorithms/delayedsync"

// The functions of this file are delayedSync's store: what reaches it, what it
// answers, and what becomes of the answer.

// ask is a request's own call to the store. Its caller would wait for the answer;
// here it falls at once, and only whether it can be had at all is looked at.
func (d *delayedSync) ask(id int32, shown int64, key int32, delta int64) (delayedsync.AnswerRow, bool) {
	if d.faults.StoreDown(d.inFlight) || d.cut(d.inFlight, id) {
		return delayedsync.AnswerRow{}, false
	}
	d.load.Call(d.inFlight, 0, 1)
	d.operations(d.inFlight, 1)
	return d.store.Commit(shown, key, delta), true
}

// operations counts what so many rows cost the store: one to add, and one to read
// the window before, where that is done.
func (d *delayedSync) operations(now int64, rows int) {
	if d.config.Sliding && d.config.Commit != delayedsync.Unweighted {
		rows *= 2
	}
	for range rows {
		d.load.StoreOp(now)
	}
}

// serve takes a flush into the store and answers it. A second copy of one is
// counted too, and answered to nobody.
func (d *delayedSync) serve(now int64, p delivery) {
	message := d.payload(p.message)
	reply, up := syncAnswered, !d.faults.StoreDown(now)
	if up {
		rows := len(message.flush.Rows)
		d.load.Call(now, 0, int64(rows))
		if d.tallies == nil {
			d.operations(now, rows)
		} else {
			d.operations(now, 1) // the windows are read whole
			for range rows {
				d.load.StoreOp(now)
			}
		}
		d.store.Answer(&message.flush, &message.answer)
	}
	if !p.again {
		outcome := d.outcomeOf(now, server, p.from)
		if !up || outcome.Lost {
			reply = syncFailed
		}
		d.post(now+p.back+outcome.Delay, reply, delivery{message: p.message, from: p.from, sent: p.sent})
	}
	d.done(p)
}

func (d *delayedSync) apply(now int64, p delivery) {
	message, shown := d.payload(p.message), d.clock(p.from, now)
	switch {
	case message.life != d.lives[p.from]: // nobody is there to hear it
	case d.tallies != nil:
		d.tallies[p.from].Apply(shown, &message.flush, &message.answer)
	default:
		d.quotas[p.from].Apply(shown, &message.flush, &message.answer)
	}
	d.syncing[p.from] = false
	d.load.ReportLatency(now, now-p.sent)
	d.load.CycleLatency(now, now-p.sent)
	d.done(p)
}

func (d *delayedSync) fail(now int64, p delivery) {
	message := d.payload(p.message)
	switch {
	case message.life != d.lives[p.from]:
	case d.tallies != nil:
		d.tallies[p.from].Fail(&message.flush)
	default:
		d.quotas[p.from].Fail(d.clock(p.from, now), &message.flush)
	}
	d.syncing[p.from] = false
	d.done(p)
}
