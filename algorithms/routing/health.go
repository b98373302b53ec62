package routing

// health is which servers are missed.
type health struct {
	down []bool
	up   int // servers that are not
}

func newHealth(servers int) health { return health{down: make([]bool, servers), up: servers} }

// set says whether that is news.
func (h *health) set(server int32, down bool) bool {
	if h.down[server] == down {
		return false
	}
	h.down[server] = down
	if down {
		h.up--
	} else {
		h.up++
	}
	return true
}
