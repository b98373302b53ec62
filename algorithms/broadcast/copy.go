package broadcast

import "github.com/limitgauge/limitgauge/algorithms/integers"

// copied is a peer's state of one key: its copy and its pending messages.
type copied struct {
	present bool
	shallow bool  // the copy's depth is the limit, not the burst, until its next use
	expire  int64 // the copy does not exist after this time
	level   int64 // window: remaining requests; bucket: units
	stamp   int64 // bucket: time of the last refill

	queued     int64 // cost to forward
	since      int64 // arrival of the first of it
	latest     int64 // at the owner: time of the latest request that changed the state
	receivedAt int64 // time of the last update
	received   bool  // an update has arrived
	fresh      bool  // changed since the owner's last update
}

// take uses a copy as if its peer owned the key, and reports whether the request
// is admitted. A cost of 0 only refills and expires. created is the time of the
// request. With drain, a cost above the remainder takes all of it.
func (p *Peer) take(k *copied, now, created, cost int64, drain bool) bool {
	if k.present && k.expire < now {
		k.present = false
	}
	if p.config.Leaky {
		return p.takeBucket(k, created, cost, drain)
	}
	return p.takeWindow(k, now, created, cost, drain)
}

// takeWindow implements Gubernator's TOKEN_BUCKET: a window with a number of
// remaining requests.
func (p *Peer) takeWindow(k *copied, now, created, cost int64, drain bool) bool {
	c := p.config
	if !k.present {
		k.present, k.level, k.expire = true, c.Limit.Count, integers.Add(created, c.Limit.Window)
		if c.Calendar {
			k.expire = integers.Add(now-now%c.Limit.Window, c.Limit.Window) - 1
		}
		if cost > c.Limit.Count && drain && !c.FreshFull {
			k.level = 0
		}
		if cost > c.Limit.Count {
			return false
		}
	}
	if cost > k.level {
		if drain {
			k.level = 0
		}
		return false
	}
	k.level -= cost
	return true
}

// takeBucket implements Gubernator's LEAKY_BUCKET. It refills only when a whole
// token has been earned, and a request that takes the last whole token also takes
// the fraction of the next one.
func (p *Peer) takeBucket(k *copied, created, cost int64, drain bool) bool {
	c := p.config
	if !k.present {
		k.present, k.shallow, k.stamp, k.expire = true, false, created, integers.Add(created, c.Limit.Window)
		k.level = 0
		if cost <= c.Limit.Burst {
			k.level = (c.Limit.Burst - cost) * p.p
		}
		return cost <= c.Limit.Burst
	}
	if k.shallow {
		k.shallow = false
		if c.Limit.Burst > k.level/p.p {
			k.level = c.Limit.Burst * p.p
		}
	}
	if cost != 0 {
		k.expire = integers.Add(created, c.Limit.Window)
	}
	if earned := p.earned(created - k.stamp); earned >= p.p {
		k.level, k.stamp = k.level+earned, created
	}
	if k.level/p.p > c.Limit.Burst {
		k.level = c.Limit.Burst * p.p
	}
	switch whole := k.level / p.p; {
	case whole == 0 && cost > 0:
		return false
	case whole == cost:
		k.level = 0
		return true
	case cost > whole:
		if drain {
			k.level = 0
		}
		return false
	}
	k.level -= cost * p.p
	return true
}

// earned returns what a bucket earns in the elapsed time, in units, cut at a
// little more than the bucket can hold.
func (p *Peer) earned(elapsed int64) int64 {
	most := (p.config.Limit.Burst + 1) * p.p
	switch {
	case elapsed <= 0:
		return 0
	case elapsed > most/p.n:
		return most
	}
	return elapsed * p.n
}
