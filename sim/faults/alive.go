package faults

// Alive reassigns requests of clients that are not alive to clients that are,
// like a load balancer in front of a fleet that scales. The result is the same
// for every algorithm.
type Alive struct {
	timeline *Timeline
	sticky   bool
	turn     int32
	active   int32
	until    int64 // active is valid before this time
}

// NewAlive returns nil if no fault changes the number of clients. Sticky
// requests of client c go to client c modulo the number of clients that are
// alive; other requests go to these clients in turn.
func NewAlive(t *Timeline, sticky bool) *Alive {
	for i := range t.Spans() {
		if t.spans[i].Kind == "autoscale" {
			return &Alive{timeline: t, sticky: sticky, until: -Never}
		}
	}
	return nil
}

// Move replaces the clients of requests, which must be in time order.
func (a *Alive) Move(times []int64, clients []int32) {
	for i, now := range times {
		if now >= a.until {
			a.active, a.until = int32(a.timeline.Active(now)), a.timeline.Next(now)
		}
		switch c := clients[i]; {
		case a.active == 0 || c < a.active:
		case a.sticky:
			clients[i] = c % a.active
		default:
			clients[i] = a.turn % a.active
			a.turn = clients[i] + 1
		}
	}
}
