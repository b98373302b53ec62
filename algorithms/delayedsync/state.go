package delayedsync

import "github.com/limitgauge/limitgauge/algorithms/counting"

// State returns the counts of a key in the store.
func (s *Store) State(key int32) []counting.StateField {
	w := s.keys.Peek(key)
	return []counting.StateField{
		{Name: "window_start_ns", Value: w.number * s.config.Limit.Window},
		{Name: "previous", Value: w.previous},
		{Name: "current", Value: w.current},
	}
}
