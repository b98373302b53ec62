package delayedsync

import (
	"github.com/limitgauge/limitgauge/algorithms/delayedsync"
	"github.com/limitgauge/limitgauge/sim/network"
)

// The functions of this file are delayedSync's store: what reaches it, what it
// answers, and what becomes of the answer.

// ask is a request's own call to the store. Its caller would wait for the answer;
// here it falls at once, and only whether it can be had at all is looked at.
func (d *delayedSync) ask(id int32, shown int64, key int32, delta int64) (delayedsync.AnswerRow, bool) {
	if d.Faults.StoreDown(d.inFlight) || d.Cut(d.inFlight, id) {
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
func (d *delayedSync) serve(now int64, p network.Delivery) {
	message := d.Payload(p.Message)
	reply, up := syncAnswered, !d.Faults.StoreDown(now)
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
	if !p.Duplicate {
		outcome := d.OutcomeOf(now, network.Server, p.From)
		if !up || outcome.Lost {
			reply = syncFailed
		}
		d.Post(now+p.Back+outcome.Delay, reply, network.Delivery{Message: p.Message, From: p.From, Sent: p.Sent})
	}
	d.Done(p)
}

func (d *delayedSync) apply(now int64, p network.Delivery) {
	message, shown := d.Payload(p.Message), d.Clock(p.From, now)
	switch {
	case message.life != d.lives[p.From]: // nobody is there to hear it
	case d.tallies != nil:
		d.tallies[p.From].Apply(shown, &message.flush, &message.answer)
	default:
		d.quotas[p.From].Apply(shown, &message.flush, &message.answer)
	}
	d.syncing[p.From] = false
	d.load.ReportLatency(now, now-p.Sent)
	d.load.CycleLatency(now, now-p.Sent)
	d.Done(p)
}

func (d *delayedSync) fail(now int64, p network.Delivery) {
	message := d.Payload(p.Message)
	switch {
	case message.life != d.lives[p.From]:
	case d.tallies != nil:
		d.tallies[p.From].Fail(&message.flush)
	default:
		d.quotas[p.From].Fail(d.Clock(p.From, now), &message.flush)
	}
	d.syncing[p.From] = false
	d.Done(p)
}
