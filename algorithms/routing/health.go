package routing

// health holds which servers have failed.
type health struct {
	down []bool
	up   int // number of servers that have not
}

func newHealth(servers int) health { return health{down: make([]bool, servers), up: servers} }

// list returns the servers that have not failed, by number.
func (h *health) list() []int32 {
	list := make([]int32, 0, h.up)
	for server, down := range h.down {
		if !down {
			list = append(list, int32(server))
		}
	}
	return list
}

// set changes the state of a server and reports whether it was different.
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
