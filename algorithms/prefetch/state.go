package prefetch

import "github.com/limitgauge/limitgauge/algorithms/counting"

// State returns the state of a key's counter, in the counter's members.
func (s *Server) State(key int32) []counting.StateField { return s.counts.State(key) }
