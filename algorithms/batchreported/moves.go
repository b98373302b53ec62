package batchreported

// Forget resets a key at now to its initial state.
func (s *Server) Forget(now int64, key int32) {
	slot := s.slot(key)
	s.of(slot).reset(slot, now)
	if s.config.RejectionRate {
		s.estimates[slot] = estimate{}
	}
}

// TakeOver replaces the state of a key at now with that of another server, or
// resets it if the other server does not know the key.
func (s *Server) TakeOver(now int64, key int32, from *Server) {
	fromSlot, known := from.index.lookup(key)
	s.Forget(now, key)
	if !known {
		return
	}
	slot := s.slot(key)
	if k, l := s.of(slot), from.of(fromSlot); k.windows != nil {
		k.windows.Copy(slot, l.windows, fromSlot)
	} else {
		k.buckets.Copy(slot, l.buckets, fromSlot)
	}
	if s.config.RejectionRate {
		s.estimates[slot] = from.estimates[fromSlot].clone()
	}
}
