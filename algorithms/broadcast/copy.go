package broadcast

import "github.com/limitgauge/limitgauge/algorithms/integers"

// copied is a peer's state of one key: its copy, and what it has to tell.
type copied struct {
	present bool
	shallow bool  // the copy's depth is the limit, not the burst, until it is next used
	expire  int64 // the copy is gone after this instant
	level   int64 // window: requests left; bucket: units
	stamp   int64 // bucket: when it was refilled last

	queued int64 // cost to forward
	since  int64 // when the first of it arrived
	latest int64 // when the latest request was made that changed it, at its owner
	heard  int64 // when an update of it came last
	told   bool  // an update has come
	fresh  bool  // changed since the owner's last update
}

// take uses a copy as if its peer owned the key, and reports whether the request
// is admitted. A cost of 0 changes nothing but what looking changes. The request
// was made at created; drain says that a cost above what is left takes it all.
func (p *Peer) take(k *copied, now, created, cost int64, drain bool) bool {
	if k.present && k.expire < now {
		k.present = false
	}
	if p.config.Leaky {
		return p.takeBucket(k, created, cost, drain)
	}
	return p.takeWindow(k, now, created, cost, drain)
}

// takeWindow is Gubernator's TOKEN_BUCKET: a window of which requests are left.
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

// takeBucket is Gubernator's LEAKY_BUCKET: it refills once a whole token has
// been earned, and a request that takes the last whole token takes the fraction
// beside it too.
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

// earned is what a bucket earns in that time, in units, cut at a little more
// than it can hold.
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
