package least

// rows are the requests of one key.
type rows struct{ times, costs []int64 }

// keep holds the requests of keys in memory. Those that it holds already stay for further
// candidates, whose active keys are mostly the same, as long as there is room.
func (s *Study) keep(keys []int32) error {
	var missing []int32
	total := int64(0)
	for _, key := range keys {
		if s.kept[key] == nil {
			missing = append(missing, key)
			total += s.Keys[key].Requests
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if s.kept == nil || s.keptRows+total > mostHeld {
		s.kept, s.keptRows = map[int32]*rows{}, 0
		if len(missing) < len(keys) {
			return s.keep(keys)
		}
	}
	s.keptRows += total
	all := make([]rows, len(missing))
	for i, key := range missing {
		n := s.Keys[key].Requests
		all[i] = rows{make([]int64, 0, n), make([]int64, 0, n)}
		s.kept[key] = &all[i]
	}
	index := places(missing, len(s.Keys))
	return s.log(func(b Block) error {
		for i, key := range b.Keys {
			if at := index[key]; at > 0 {
				r := &all[at-1]
				r.times, r.costs = append(r.times, b.Times[i]), append(r.costs, b.Costs[i])
			}
		}
		return nil
	})
}
