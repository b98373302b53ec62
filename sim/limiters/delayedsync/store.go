package delayedsync

import (
	"github.com/limitgauge/limitgauge/algorithms/delayedsync"
	"github.com/limitgauge/limitgauge/sim/network"
)

// ask sends a request's own call to the store, which takes no time here. It
// fails if the store or the path to it is down.
func (d *delayedSync) ask(id int32, shown int64, key int32, delta int64) (delayedsync.AnswerRow, bool) {
	if d.Faults.StoreFails(d.deciding) || d.Cut(d.deciding, id) {
		return delayedsync.AnswerRow{}, false
	}
	d.Faults.Written(d.deciding)
	d.load.Call(d.deciding, 0, 1)
	d.operations(d.deciding, 1)
	return d.store.Commit(shown, key, delta), true
}

// operations counts the store's operations for some rows: one to add, and one to
// read the previous window if the estimate needs it.
func (d *delayedSync) operations(now int64, rows int) {
	if d.config.Sliding && (d.counts() || d.config.Commit != delayedsync.Unweighted) {
		rows *= 2
	}
	for range rows {
		d.load.StoreOp(now, 1)
	}
}

// serve counts a flush in the store and responds. The store counts a duplicate
// too, but nobody waits for the response to it.
func (d *delayedSync) serve(now int64, v network.Delivery) {
	message := d.Payload(v.Message)
	reply, up := syncAnswered, !d.Faults.StoreFails(now)
	if up {
		d.Faults.Written(now)
		rows := len(message.flush.Rows)
		d.load.Call(now, 0, int64(rows))
		if d.counts() {
			d.operations(now, 1) // it reads whole windows
			for range rows {
				d.load.StoreOp(now, 1)
			}
		} else {
			d.operations(now, rows)
		}
		d.store.Answer(&message.flush, &message.answer)
		if rows > 0 && message.oldest >= 0 {
			d.load.CountLag(now, now-message.oldest)
		}
	}
	if !v.Duplicate {
		outcome := d.ResponseOutcome(now, network.Server, v.From)
		if !up || outcome.Lost {
			reply = syncFailed
		}
		d.Deliver(now+v.Back+outcome.Delay, reply, network.Delivery{Message: v.Message, From: v.From, Sent: v.Sent})
	}
	d.Done(v)
}

func (d *delayedSync) apply(now int64, v network.Delivery) {
	message := d.Payload(v.Message)
	if message.start == d.starts[v.From] { // else the client has stopped since
		d.nodes[v.From].Apply(d.Clock(v.From, now), &message.flush, &message.answer)
	}
	d.syncing[v.From] = false
	d.load.ReportLatency(now, now-v.Sent)
	d.load.CycleLatency(now, now-v.Sent)
	d.Done(v)
}

func (d *delayedSync) fail(now int64, v network.Delivery) {
	message := d.Payload(v.Message)
	if message.start == d.starts[v.From] {
		d.nodes[v.From].Fail(d.Clock(v.From, now), &message.flush)
		if old := message.oldest; old >= 0 && (d.oldest[v.From] < 0 || old < d.oldest[v.From]) {
			d.oldest[v.From] = old // they are sent again
		}
	}
	d.syncing[v.From] = false
	d.Done(v)
}
