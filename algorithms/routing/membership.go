package routing

// membership holds which servers there are and which of them have failed.
type membership struct {
	failed, left []bool
	down         []bool // failed or left: owns no key
	up           int    // number of servers that are not down
}

func newMembership(servers int) membership {
	return membership{failed: make([]bool, servers), left: make([]bool, servers), down: make([]bool, servers), up: servers}
}

// setFailed changes whether a server has failed, and reports whether that changes
// which servers are down.
func (m *membership) setFailed(server int32, failed bool) bool {
	m.failed[server] = failed
	return m.update(server)
}

// join adds a server with the next number. It always reports true.
func (m *membership) join() bool {
	m.failed, m.left, m.down = append(m.failed, false), append(m.left, false), append(m.down, false)
	m.up++
	return true
}

// leave removes a server for good, and reports whether that changes which servers
// are down.
func (m *membership) leave(server int32) bool {
	m.left[server] = true
	return m.update(server)
}

func (m *membership) update(server int32) bool {
	down := m.failed[server] || m.left[server]
	if m.down[server] == down {
		return false
	}
	m.down[server] = down
	if down {
		m.up--
	} else {
		m.up++
	}
	return true
}

// list returns the servers that are not down, by number.
func (m *membership) list() []int32 {
	list := make([]int32, 0, m.up)
	for server, down := range m.down {
		if !down {
			list = append(list, int32(server))
		}
	}
	return list
}
