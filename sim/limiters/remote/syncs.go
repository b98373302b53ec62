package remote

import (
	"github.com/limitgauge/limitgauge/algorithms/remote"
	"github.com/limitgauge/limitgauge/algorithms/ticks"
)

// syncCall is a replica's sync with the store. It does not delay requests and has
// a connection of its own.
type syncCall struct {
	server int32
	sent   int64
	oldest int64 // the first request that it can be about
	back   int64
	rows   []remote.SyncRow
	lost   bool
}

// tick schedules a replica's next sync.
func (r *remotes) tick(now int64, id int32) {
	if server := &r.replicas[id]; !server.ticking {
		server.ticking, server.oldest = true, now
		r.executor.Schedule(ticks.After(now, server.phase, r.config.Sync), syncStarts, id)
	}
}

func (r *remotes) sync(now int64, id int32) {
	server := &r.replicas[id]
	server.ticking = false
	ref := r.syncs.Take()
	s := r.syncs.At(ref)
	s.server, s.sent, s.oldest, s.lost = id, now, server.oldest, false
	s.rows = s.rows[:0]
	if !r.serverDown(now, id) {
		s.rows = server.synced.Flush(now, s.rows)
	}
	if len(s.rows) == 0 {
		r.syncs.Release(ref)
		return
	}
	there, back := r.storeNetwork.RoundTrip(now)
	s.back = back
	r.executor.Schedule(now+there, syncAtStore, ref)
}

// syncAtStore adds a replica's counts to the store's and sends back the sums.
func (r *remotes) syncAtStore(now int64, ref int32) {
	s := r.syncs.At(ref)
	down := r.storeDown
	begin := r.queue.Begin(now)
	end := begin
	if s.lost = begin >= down; !s.lost {
		r.timeline.Written(begin)
		r.load.StoreWait(begin, begin-now)
		for i := range s.rows {
			if i == 0 || r.config.PerKey {
				var ends int64
				begin, ends = r.queue.Serve(now, r.slow(r.queue.Begin(now), r.storeService.Draw()))
				end = max(end, ends)
				r.load.StoreOp(begin, r.config.Commands)
			} else {
				r.load.StoreCommands(begin, r.config.Commands)
			}
			r.totals.Add(&s.rows[i])
		}
		s.lost = end >= down
	}
	if s.lost {
		r.timeline.StoreFails(down)
	} else {
		r.load.CountLag(begin, begin-s.oldest)
	}
	r.executor.Schedule(end+s.back, syncIsBack, ref)
}

func (r *remotes) syncBack(now int64, ref int32) {
	s := r.syncs.At(ref)
	server := &r.replicas[s.server]
	server.synced.Apply(now, s.rows, s.lost)
	r.load.ReportLatency(now, now-s.sent)
	if s.lost && server.synced.Pending() {
		r.tick(now, s.server)
		server.oldest = min(server.oldest, s.oldest)
	}
	r.syncs.Release(ref)
}
