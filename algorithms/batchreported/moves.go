package batchreported

// Forget resets a key at now to its initial state.
func (s *Server) Forget(now int64, key int32) {
	slot, added := s.index.slot(key)
	if added {
		s.add(key, slot, now)
		return
	}
	if k := s.of(slot); k.windows != nil {
		page, place := k.windows.at(slot)
		page.Forget(place)
	} else {
		page, place := k.buckets.at(slot)
		page.Forget(place)
		page.Refill(place, now)
	}
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
		page, place := k.windows.at(slot)
		other, there := l.windows.at(fromSlot)
		page.Copy(place, other, there)
	} else {
		page, place := k.buckets.at(slot)
		other, there := l.buckets.at(fromSlot)
		page.Copy(place, other, there)
	}
	if s.config.RejectionRate {
		s.estimates[slot] = from.estimates[fromSlot].clone()
	}
}
