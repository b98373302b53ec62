package faults

// Alive moves requests whose client is not there to one that is, as a balancer
// in front of a fleet does that grows and shrinks. It is the same for every
// algorithm.
type Alive struct {
	timeline *Timeline
	sticky   bool
	turn     int32
	active   int32
	until    int64 // active holds before this
}

// NewAlive returns nil when all clients are always there. Sticky requests go to
// client c modulo the number of clients alive, the others to each client alive
// in turn.
func NewAlive(t *Timeline, sticky bool) *Alive {
	for i := range t.Spans() {
		if t.spans[i].Kind == "autoscale" {
			return &Alive{timeline: t, sticky: sticky, until: -Never}
		}
	}
	return nil
}

// Move changes the clients of requests in time order.
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
