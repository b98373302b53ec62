package leases

import "slices"

// Granted returns the leases of a key that the server knows, expired ones until the
// next request for the key.
func (s *Server) Granted(key int32) []Granted { return slices.Clone(s.keys.At(key).leases) }
