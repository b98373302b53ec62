package batchreported

// Forget starts a key afresh at now.
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

// TakeOver starts a key at now with what another server knows of it, if it
// knows anything.
func (s *Server) TakeOver(now int64, key int32, from *Server) {
	theirs, known := from.index.lookup(key)
	s.Forget(now, key)
	if !known {
		return
	}
	slot := s.slot(key)
	if k, l := s.of(slot), from.of(theirs); k.windows != nil {
		page, place := k.windows.at(slot)
		other, there := l.windows.at(theirs)
		page.Copy(place, other, there)
	} else {
		page, place := k.buckets.at(slot)
		other, there := l.buckets.at(theirs)
		page.Copy(place, other, there)
	}
	if s.config.RejectionRate {
		s.estimates[slot] = from.estimates[theirs].clone()
	}
}
